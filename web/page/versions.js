// Two versions: the verdicts that change between them.

import { byId, el, plural } from "./dom.js";

// showChanges shows the answer to compare, or that there is no old version if that is
// null. A click on a witness calls add with its URL and an agent.
export function showChanges(answer, add) {
  byId("changes-summary").textContent = summary(answer);
  const items = answer ? [...answer.changes.map((change) => itemOf(change, add)), ...answer.undecided.map(undecidedItem)] : [];
  byId("changes").replaceChildren(...items);
}

function summary(answer) {
  if (!answer) return "No old version yet";
  const unknown = answer.undecided.length ? `; ${plural(answer.undecided.length, "rule")} too intricate to decide` : "";
  if (!answer.changes.length) return (unknown ? "No change found" : "No verdict changes, for any URL and any crawler") + unknown;
  return plural(answer.changes.length, "change") + unknown;
}

function itemOf(change, add) {
  const now = change.after.allowed ? "allowed" : "disallowed";
  return el(
    "li",
    { class: now },
    el("span", { class: "badge" }, `${change.after.allowed ? "✓" : "✕"} now ${now}`),
    el("code", { class: "witness" }, el("bdi", {}, change.url)),
    el("p", {}, `For ${change.agents.join(", ")}.`),
    el("p", {}, `Before: ${change.before.why} Now: ${change.after.why}`),
    el("button", { type: "button", onclick: () => add(change.url, change.agents[0]), "aria-label": `Add ${change.url} to the URLs` }, "Add to the URLs"),
  );
}

function undecidedItem(note) {
  return el("li", {}, el("span", { class: "badge" }, "? undecided"), el("p", {}, `Line ${note.line}: ${note.text}`));
}
