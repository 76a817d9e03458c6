// The look of a verdict everywhere on the page: its word, symbol and class.

import { el } from "./dom.js";

// kindOf returns "allowed" or "disallowed", which is also the class.
export const kindOf = (decision) => (decision.allowed ? "allowed" : "disallowed");

export const symbolOf = (decision) => (decision.allowed ? "✓" : "✕");

// symbolNode returns the symbol, hidden from screen readers because the word is beside it.
export const symbolNode = (decision) => el("span", { class: "symbol", "aria-hidden": "true" }, symbolOf(decision));

// hasChanged reports whether the old version, if there is one, decided otherwise.
export const hasChanged = (before, decision) => Boolean(before) && before.allowed !== decision.allowed;

// nameOf returns the name by which the page shows a crawler.
export const nameOf = (agent) => (agent === "*" ? "any other crawler" : agent);
