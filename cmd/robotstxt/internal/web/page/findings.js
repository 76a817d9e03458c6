// The list of what lint finds, below the file, and the same in the gutter.

import { byId, el, plural } from "./dom.js";
import * as editor from "./editor.js";

const words = { error: "Error", warning: "Warning", info: "Note" };
const symbols = { error: "✖", warning: "▲", info: "i" };
const rank = { error: 0, warning: 1, info: 2 };

// showFindings shows findings and their counts as the engine gives them.
export function showFindings(findings, counts, empty) {
  const left = counts.error + counts.warning + counts.info - findings.reduce((sum, finding) => sum + 1 + finding.more, 0);
  byId("findings-summary").textContent = empty ? "Nothing to check yet" : summary(counts);
  byId("findings-list").replaceChildren(...findings.map(itemOf), ...(left ? [el("li", {}, `${left.toLocaleString("en")} more further down`)] : []));
  const byLine = new Map();
  for (const [i, finding] of findings.entries()) {
    const other = byLine.get(finding.line);
    if (!other || rank[finding.severity] < rank[other.severity]) byLine.set(finding.line, { ...finding, index: i });
  }
  editor.setFindings(byLine, showItem);
}

function summary(counts) {
  const all = ["error", "warning", "info"].filter((severity) => counts[severity]);
  return all.map((severity) => plural(counts[severity], words[severity].toLowerCase())).join(", ") || "Nothing wrong found";
}

function itemOf(finding, i) {
  const fix = () => {
    editor.replaceLine(finding.fix.line, finding.fix.delete ? null : finding.fix.text);
    byId("findings").querySelector("summary").focus();
  };
  return el(
    "li",
    { id: `finding-${i}`, class: finding.severity },
    el("span", { class: "badge" }, `${symbols[finding.severity]} ${words[finding.severity]}`),
    el("button", { type: "button", class: "link", onclick: () => editor.goTo(finding.line, finding.column) }, `line ${finding.line}`),
    el("p", {}, `${finding.text} ${finding.advice}`),
    finding.more ? el("p", { class: "help" }, `There are ${finding.more} more of these.`) : null,
    finding.fix ? el("button", { type: "button", class: "fix", onclick: fix, "aria-label": `Fix line ${finding.line}` }, "Fix") : null,
  );
}

function showItem(finding) {
  byId("findings").open = true;
  const item = byId(`finding-${finding.index}`);
  item?.scrollIntoView({ block: "nearest" });
  item?.querySelector("button").focus();
}
