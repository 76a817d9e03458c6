// The view of the verdicts: the table, the marks in the file, and the reason for the
// verdict in the chosen cell.

import { byId, debounce, el, plural, urlNode } from "./dom.js";
import * as editor from "./editor.js";
import * as table from "./table.js";
import { hasChanged, kindOf, symbolNode } from "./verdict.js";

// The engine's last answer, with the URLs of the question. If nobody entered the URLs, isEntered is
// false.
let answer = { urls: [], isEntered: false, decisions: [], columns: [], beforeDecisions: [] };
let chosenLine = 0; // the line with the cursor
let filter = "all";

// showVerdicts shows the engine's answer to a "decide" request.
export function showVerdicts(next) {
  answer = next;
  drawTable();
  announceLater();
}

// toCSV returns the shown rows of the table as CSV (RFC 4180), with a record for each URL and crawler.
export function toCSV() {
  const records = [["url", "agent", "group", "verdict", "line", "rule"]];
  for (const i of table.shownRows()) {
    for (const { agents, verdicts } of answer.columns) {
      const d = answer.decisions[verdicts[i]];
      records.push(...agents.map(({ agent, group }) => [answer.urls[i], agent, group, kindOf(d), d.line, d.rule]));
    }
  }
  const quote = (value) => `"${String(value).replaceAll('"', '""')}"`;
  return records.map((record) => `${record.map(quote).join(",")}\r\n`).join("");
}

function drawTable() {
  const { urls, isEntered, columns, decisions, beforeDecisions } = answer;
  const rows = { all: [], disallowed: [], changed: [], line: [] };
  for (let i = 0; i < urls.length && columns.length; i++) {
    const verdicts = columns.map((column) => decisions[column.verdicts[i]]);
    rows.all.push(i);
    if (verdicts.some((d) => !d.allowed)) rows.disallowed.push(i);
    if (columns.some((c, k) => c.before && hasChanged(beforeDecisions[c.before[i]], verdicts[k]))) rows.changed.push(i);
    if (chosenLine && verdicts.some((d) => d.line === chosenLine)) rows.line.push(i);
  }
  const usable = { changed: columns[0]?.before, line: chosenLine, all: true, disallowed: true };
  if (!usable[filter]) filter = byId("filter").querySelector("input").value;
  for (const input of byId("filter").querySelectorAll("input")) {
    input.parentNode.hidden = !usable[input.value];
    input.checked = input.value === filter;
    byId(`count-${input.value}`).textContent = rows[input.value].length.toLocaleString("en");
  }
  byId("line-status").textContent = chosenLine ? `Line ${chosenLine} decides ${rows.line.length} of ${plural(urls.length, "URL")}.` : "Lines that decide are marked. Put the cursor on one to see its URLs.";
  byId("grid").hidden = byId("copy-csv").disabled = !urls.length;
  byId("tally").textContent = isEntered && urls.length ? tally(answer) : "";
  byId("suggested").hidden = isEntered || !urls.length;
  table.setTable({ urls, rows: rows[filter], columns, decisions, beforeDecisions, line: chosenLine });
  drawMarks();
}

// drawMarks marks the lines that decide about URLs. If a cell is chosen, drawMarks explains the
// decision in this cell, and returns the decision.
function drawMarks() {
  const { urls, columns, decisions, beforeDecisions } = answer;
  const cell = table.chosenCell();
  const column = columns[cell?.column ?? 0];
  const decision = cell && decisions[column.verdicts[cell.url]];
  const before = cell && column.before && beforeDecisions[column.before[cell.url]];
  editor.setMarks({
    decisions: new Map(decisions.map((d) => [d.line, d])),
    groupLines: column?.lines ?? [],
    chosenLine: decision?.line ?? 0,
  });
  byId("why").replaceChildren(...(decision ? whyNodes(urls[cell.url], column, decision, before) : []));
  byId("why").className = `reason ${decision ? kindOf(decision) : ""}`;
  return decision;
}

function whyNodes(url, column, decision, before) {
  const old = hasChanged(before, decision) ? ` Before: ${before.why}` : "";
  return [
    symbolNode(decision),
    el("span", {}, urlNode(url), ` for ${column.title}. `, el("b", {}, decision.why), old),
  ];
}

// tally says how many of the URLs are disallowed, for which crawlers, and by which lines. For example:
//
//	8 URLs. Disallowed: 3 (by line 11) for Googlebot, bingbot; 7 (6 by line 17, 1 by line 16) for GPTBot.
function tally({ urls, columns, decisions }) {
  const sets = Map.groupBy(columns, (column) => tallyOf(column, decisions)); // by what is disallowed
  sets.delete("");
  const all = plural(urls.length, "URL");
  if (!sets.size) return `${all}. None is disallowed.`;
  const parts = [...sets].map(([disallowed, set]) => `${disallowed} for ${set.slice(0, 5).map((column) => column.title).join(", ")}${set.length > 5 ? ", …" : ""}`);
  return `${all}. Disallowed: ${parts.slice(0, 5).join("; ")}${parts.length > 5 ? "; …" : ""}.`;
}

// tallyOf returns what is disallowed for a crawler, such as "12 (8 by line 4, 4 by line 9)". If nothing is, it
// returns the empty string.
function tallyOf(column, decisions) {
  const disallowed = column.verdicts.map((i) => decisions[i]).filter((d) => !d.allowed);
  if (!disallowed.length) return "";
  const byLine = Map.groupBy(disallowed, (d) => d.line);
  const sum = disallowed.length.toLocaleString("en");
  if (byLine.has(0)) return sum; // the site failed, so no line disallows them
  if (byLine.size === 1) return `${sum} (by line ${disallowed[0].line})`;
  const lines = [...byLine].sort(([, a], [, b]) => b.length - a.length).map(([line, { length }]) => `${length.toLocaleString("en")} by line ${line}`);
  return `${sum} (${lines.slice(0, 3).join(", ")}${lines.length > 3 ? ", …" : ""})`;
}

// announceLater announces the verdicts to screen readers when the user has stopped typing.
const announceLater = debounce(900, () => {
  byId("live").textContent = byId("tally").textContent;
}, false);

editor.onLine((line) => {
  chosenLine = line;
  drawTable();
});
table.onChoose(
  () => {
    const line = drawMarks()?.line;
    if (line) editor.scrollToLine(line);
  },
  () => {
    const line = drawMarks()?.line;
    if (line) editor.goTo(line);
  },
);
byId("filter").addEventListener("change", (event) => {
  filter = event.target.value;
  drawTable();
});
