// The look of a verdict everywhere on the page: its word, symbol and class.

import { el } from "./dom.js";

// kindOf returns "allowed" or "disallowed", which is also the class in the style sheets.
export const kindOf = (decision) => (decision.allowed ? "allowed" : "disallowed");

export const symbolOf = (decision) => (decision.allowed ? "✓" : "✕");

// symbolNode returns the symbol. It is hidden from screen readers, which read the word beside
// it.
export const symbolNode = (decision) => el("span", { class: "symbol", "aria-hidden": "true" }, symbolOf(decision));

// hasChanged reports whether there is an old version with the opposite verdict.
export const hasChanged = (before, decision) => Boolean(before) && before.allowed !== decision.allowed;

// nameOf returns the name by which the page shows a crawler.
export const nameOf = (agent) => (agent === "*" ? "any other crawler" : agent);
