// The list of what lint finds, below the file, and the same in the gutter.

import { byId, el, plural } from "./dom.js";
import * as editor from "./editor.js";

const words = { error: "Error", warning: "Warning", info: "Note" };
const symbols = { error: "✖", warning: "▲", info: "i" };
const rank = { error: 0, warning: 1, info: 2 };

export function showFindings(findings, empty) {
  byId("findings-summary").textContent = summary(findings, empty);
  byId("findings-list").replaceChildren(...findings.map(itemOf));
  const byLine = new Map();
  for (const [i, finding] of findings.entries()) {
    const other = byLine.get(finding.line);
    if (!other || rank[finding.severity] < rank[other.severity]) byLine.set(finding.line, { ...finding, index: i });
  }
  editor.setFindings(byLine, showItem);
}

function summary(findings, empty) {
  if (empty) return "Nothing to check yet";
  if (!findings.length) return "Nothing wrong found";
  const counts = { error: 0, warning: 0, info: 0 };
  for (const finding of findings) counts[finding.severity] += 1 + finding.more;
  return [
    counts.error && plural(counts.error, "error"),
    counts.warning && plural(counts.warning, "warning"),
    counts.info && plural(counts.info, "note"),
  ].filter(Boolean).join(", ");
}

function itemOf(finding, i) {
  const mend = () => {
    editor.replace(finding.fix.start, finding.fix.end, finding.fix.text);
    byId("findings").querySelector("summary").focus();
  };
  return el(
    "li",
    { id: `finding-${i}`, class: finding.severity },
    el("span", { class: "badge" }, `${symbols[finding.severity]} ${words[finding.severity]}`),
    el("button", { type: "button", class: "link", onclick: () => editor.goTo(finding.line, finding.column) }, `line ${finding.line}`),
    el("p", {}, `${finding.text} ${finding.advice}`),
    finding.more ? el("p", { class: "help" }, `There are ${finding.more} more of these.`) : null,
    finding.fix ? el("button", { type: "button", class: "mend", onclick: mend, "aria-label": `Mend line ${finding.line}` }, "Mend") : null,
  );
}

function showItem(finding) {
  byId("findings").open = true;
  const item = byId(`finding-${finding.index}`);
  item?.scrollIntoView({ block: "nearest" });
  item?.querySelector("button").focus();
}
