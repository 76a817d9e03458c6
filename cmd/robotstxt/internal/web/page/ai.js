// The tab about AI: a sentence, and a table of what the file says to each crawler. On a narrow page, the
// style sheet displays the cells and rows of the table as blocks. This removes their built-in ARIA
// roles, so this code sets the roles.

import { button, byId, el, plural } from "./dom.js";
import { lineButton } from "./editor.js";
import { nameOf } from "./verdict.js";

let shown = null; // the part "ai" of the engine's answer to a "review" request
let showsAll = false;

export function showAI(answer) {
  shown = answer;
  byId("ai-summary").textContent = answer.summary;
  byId("ai-notes").replaceChildren(...answer.notes.map((note) => el("li", {}, lineButton(note.line), el("p", {}, el("bdi", { dir: "ltr" }, note.text)))));
  drawRows();
}

// drawRows draws a row for each crawler with other answers than most, and one row for the rest. The first
// row is for any other crawler.
function drawRows() {
  const common = shown.rows.filter((row) => row.isCommon);
  const rows = showsAll ? shown.rows : shown.rows.filter((row) => !row.isCommon);
  const toggle = button(showsAll ? "Show only those that differ" : "Show each of them", () => {
    showsAll = !showsAll;
    drawRows();
    byId("ai-toggle").focus();
  }, { class: "link", id: "ai-toggle" });
  const count = common.length === shown.rows.length - 1 ? `All ${plural(common.length, "AI crawler")}` : `The other ${plural(common.length, "AI crawler")}`;
  const last = showsAll
    ? el("tr", { role: "row" }, el("th", { role: "rowheader", scope: "row" }, toggle), ...Array.from({ length: 6 }, () => el("td", { role: "cell", class: "none" })))
    : rowOf({ ...inCommon(common), agent: count, operator: toggle, purposes: [] });
  byId("ai-table").tBodies[0].replaceChildren(...rows.map(rowOf), last);
}

// inCommon returns the answers of rows that have the same answers. It keeps a line only if it is the same
// in all rows.
function inCommon(rows) {
  const [first] = rows;
  const join = (answer, of) => ({ ...answer, line: rows.every((row) => of(row).line === answer.line) ? answer.line : 0 });
  return {
    ...join(first, (row) => row),
    training: join(first.training, (row) => row.training),
    search: join(first.search, (row) => row.search),
    input: join(first.input, (row) => row.input),
    use: join(first.use, (row) => row.use),
    other: Object.fromEntries(Object.entries(first.other).map(([name, preference]) => [name, join(preference, (row) => row.other[name])])),
    claim: "",
    status: "",
  };
}

function rowOf(row) {
  const access = { value: row.allowed ? "allow" : "disallow", line: row.line };
  const purpose = [...row.purposes, ...(row.status && row.status !== "documented" ? [row.status] : [])].join(", ");
  const others = othersOf(row);
  return el(
    "tr",
    { role: "row" },
    el("th", { scope: "row", role: "rowheader" }, row.agent, el("small", {}, row.agent === "*" ? nameOf("*") : row.operator)),
    el("td", { role: "cell", "data-label": "Purpose", class: purpose ? "" : "none" }, purpose || "–",
      row.claim?.startsWith("may ignore") ? el("small", {}, row.claim) : null),
    cell("May fetch", access, (row.notes ?? []).map((note) => note.text).join("; ")),
    cell("Training", row.training),
    cell("Search", row.search),
    cell("AI input", row.input),
    el("td", { role: "cell", "data-label": "Other", class: others.length ? "" : "none" }, ...(others.length ? others.map(otherNode) : ["–"])),
  );
}

// othersOf returns the preferences that have no column.
const othersOf = ({ use, other }) => [
  ...(use.level ? [{ name: "use", value: use.level, line: use.line }] : []),
  ...Object.entries(other).map(([name, preference]) => ({ name, ...preference })),
];

const words = { allow: "✓ yes", disallow: "✕ no" };
const kinds = { allow: "allowed", disallow: "disallowed" };

function cell(label, preference, note) {
  if (!words[preference.value]) return el("td", { role: "cell", "data-label": label, class: "none" }, "–");
  return el(
    "td",
    { role: "cell", "data-label": label, class: kinds[preference.value], title: preference.mechanism ?? "" },
    el("span", {}, words[preference.value]),
    " ",
    lineButton(preference.line),
    note ? el("small", {}, note) : null,
  );
}

const otherNode = (preference) => el("span", {}, `${preference.name}: ${words[preference.value] ?? preference.value} `, lineButton(preference.line));
