// The tab "Two versions": the verdicts that change from the old version of the file to the new.

import { button, byId, el, plural, urlNode } from "./dom.js";
import { kindOf, reasonOf, symbolOf } from "./verdict.js";

// showChanges shows the engine's answer to a "compare" request. The answer is null if there is
// no old version. Each difference has a button that calls addURL with the URL and one of the
// crawlers.
export function showChanges(answer, addURL) {
  const changes = answer?.changes ?? [];
  byId("changes-summary").textContent = answer ? summary(changes) : "No old version yet";
  byId("changes").replaceChildren(...changes.flatMap((change) => itemsOf(change, addURL)));
}

function summary(changes) {
  const count = changes.reduce((sum, change) => sum + change.differences.length, 0);
  const undecided = changes.some((change) => undecidedOf(change).length) ? ", and rules that could not be compared" : "";
  if (count) return plural(count, "change") + undecided;
  return undecided ? `No change found${undecided}` : "No verdict changes, for any URL and any crawler";
}

function itemsOf(change, addURL) {
  const agents = [...change.agents, ...(change.others ? ["any crawler that neither version names"] : [])].join(", ");
  return [
    ...change.differences.map((difference) => itemOf(difference, agents, () => addURL(difference.url, change.agents[0] ?? "*"))),
    ...undecidedOf(change).map((text) =>
      el("li", {}, el("span", { class: "badge" }, "? undecided"), el("p", {}, `For ${agents}. ${text}`))),
  ];
}

// undecidedOf returns a sentence for each rule that could not be compared.
function undecidedOf(change) {
  const ruleText = ({ allow, pattern }) => `"${allow ? "Allow" : "Disallow"}: ${pattern}"`;
  return [
    ...change.undecided_old.map((rule) => `Line ${rule.line} of the old version, ${ruleText(rule)}, is too complex to compare.`),
    ...change.undecided_new.map((rule) => `Line ${rule.line}, ${ruleText(rule)}, is too complex to compare.`),
    ...(change.incomplete ? ["Not all rules were compared, because the versions are too large."] : []),
  ];
}

const itemOf = ({ url, old: before, new: after }, agents, addURL) => el(
  "li",
  { class: kindOf(after) },
  el("span", { class: "badge" }, `${symbolOf(after)} ${before.allowed === after.allowed ? "still" : "now"} ${kindOf(after)}`),
  urlNode(url),
  el("p", {}, `For ${agents}.`),
  el("p", { class: "before" }, el("span", {}, "Before: "), reasonOf(before)),
  el("p", {}, el("span", {}, "Now: "), reasonOf(after)),
  button("Add to the URLs", addURL, { "aria-label": `Add to the URLs: ${url}` }),
);
