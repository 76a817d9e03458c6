// The list of findings below the file, and the marks of findings beside the line numbers.

import { button, byId, el, plural } from "./dom.js";
import * as editor from "./editor.js";

const symbols = { error: "✖", warning: "▲", info: "i" };
const severities = Object.keys(symbols); // the worst first

// showFindings shows the findings and counts of the engine's answer to a "review" request.
export function showFindings(findings, counts, empty) {
  const more = severities.reduce((sum, s) => sum + counts[s], 0) - findings.reduce((sum, f) => sum + f.count, 0);
  byId("findings-summary").textContent = empty ? "Nothing to check yet" : summary(counts);
  byId("findings-list").replaceChildren(...findings.map(itemOf), ...(more ? [el("li", {}, `${more.toLocaleString("en")} more not shown`)] : []));
  const byLine = new Map();
  for (const [index, { severity, text, places }] of findings.entries()) {
    for (const { line } of places) {
      if (!byLine.has(line)) byLine.set(line, { index, severity, text, symbol: symbols[severity] });
    }
  }
  editor.setFindings(byLine, showItem);
}

const summary = (counts) =>
  severities.filter((s) => counts[s]).map((s) => (s === "info" ? `${counts[s].toLocaleString("en")} info` : plural(counts[s], s))).join(", ") || "No problems found";

const maxLines = 10; // how many lines of a finding get a button

function itemOf({ severity, text, advice, places, count }, i) {
  const edits = places.map((place) => place.fix).filter(Boolean);
  const fix = () => {
    editor.applyEdits(edits);
    byId("findings").querySelector("summary").focus();
  };
  const shown = places.slice(0, maxLines);
  let label = "Fix";
  if (edits.length > 1) label = `Fix ${edits.length < count ? "the first" : "all"} ${edits.length}`;
  else if (edits.length && count > 1) label = `Fix line ${edits[0].line}`;
  return el(
    "li",
    { id: `finding-${i}`, class: severity },
    el("span", { class: "badge" }, `${symbols[severity]} ${severity}`),
    ...shown.map(({ line, column }) => editor.lineButton(line, column)),
    count > shown.length ? el("span", { class: "help" }, `and ${(count - shown.length).toLocaleString("en")} more`) : null,
    el("p", {}, `${text} ${advice}`),
    edits.length ? button(label, fix, { class: "fix", "aria-label": label === "Fix" ? `Fix line ${edits[0].line}` : null }) : null,
  );
}

function showItem(finding) {
  byId("findings").open = true;
  const item = byId(`finding-${finding.index}`);
  item?.scrollIntoView({ block: "nearest" });
  item?.querySelector("button").focus();
}
