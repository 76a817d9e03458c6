// How a verdict looks everywhere on the page: a word, a symbol and the class of both.

import { el } from "./dom.js";

// kindOf returns "allowed" or "disallowed", which is also the class.
export const kindOf = (decision) => (decision.allowed ? "allowed" : "disallowed");

export const symbolOf = (decision) => (decision.allowed ? "✓" : "✕");

// symbolNode is the symbol for eyes only: the word is beside it.
export const symbolNode = (decision) => el("span", { class: "symbol", "aria-hidden": "true" }, symbolOf(decision));

// hasChanged reports whether the old version, if there is one, decided otherwise.
export const hasChanged = (before, decision) => Boolean(before) && before.allowed !== decision.allowed;

// nameOf returns what to call a crawler.
export const nameOf = (agent) => (agent === "*" ? "any other crawler" : agent);
