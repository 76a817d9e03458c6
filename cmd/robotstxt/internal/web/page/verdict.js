// How the page shows verdicts: the word, the symbol and the CSS class.

import { el } from "./dom.js";

// kindOf returns "allowed" or "disallowed". The style sheets use both words as classes.
export const kindOf = (decision) => (decision.allowed ? "allowed" : "disallowed");

// reasonOf returns the verdict, what decides it and the notes, such as "Disallowed: line 3, Disallow: /x".
export const reasonOf = (decision) => [
  `${decision.allowed ? "Allowed" : "Disallowed"}: ${decision.line ? `line ${decision.line}, ${decision.rule}` : decision.reason}`,
  ...(decision.notes ?? []).map((note) => note.text),
].join("; ");

export const symbolOf = (decision) => (decision.allowed ? "✓" : "✕");

// symbolNode returns the symbol as an element. Screen readers skip it, and read the word beside
// it.
export const symbolNode = (decision) => el("span", { class: "symbol", "aria-hidden": "true" }, symbolOf(decision));

// hasChanged reports whether the verdict differs from the verdict of the old version. If there is no
// old version, it returns false.
export const hasChanged = (before, decision) => Boolean(before) && before.allowed !== decision.allowed;

// nameOf returns the name by which the page shows a crawler.
export const nameOf = (agent) => (agent === "*" ? "any other crawler" : agent);
