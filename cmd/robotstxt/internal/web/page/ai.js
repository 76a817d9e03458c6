// The table of what the file says about AI. The roles are written out because a narrow
// page shows the rows as blocks, which takes the roles that elements have from them.

import { byId, el } from "./dom.js";

// showAI shows rows and notes as the engine gives them. A click on an answer calls go
// with its line.
export function showAI(rows, notes, go) {
  byId("ai-table").tBodies[0].replaceChildren(...rows.map((row) => rowOf(row, go)));
  byId("ai-notes").replaceChildren(...notes.map((note) => el("li", {}, lineButton(note.line, go), el("p", {}, el("bdi", {}, note.text)))));
}

function rowOf(row, go) {
  const access = { value: row.access.allowed ? "allow" : "disallow", line: row.access.line, why: row.access.why };
  return el(
    "tr",
    { role: "row" },
    el("th", { scope: "row", role: "rowheader" }, row.agent, el("small", {}, row.operator)),
    el("td", { role: "cell", "data-label": "Purpose" }, row.purpose || "–",
      row.caveat ? el("small", {}, row.caveat) : null),
    cell("May fetch it", access, go),
    cell("Training", row.training, go),
    cell("Search", row.search, go),
    cell("AI input", row.input, go),
    el("td", { role: "cell", "data-label": "Other", class: row.other.length ? "" : "none" }, ...(row.other.length ? row.other.map((p) => other(p, go)) : ["–"])),
  );
}

const words = { allow: "✓ yes", disallow: "✕ no" };
const kinds = { allow: "allowed", disallow: "disallowed" };

function cell(label, preference, go) {
  if (!words[preference.value]) return el("td", { role: "cell", "data-label": label, class: "none" }, "–");
  return el(
    "td",
    { role: "cell", "data-label": label, class: kinds[preference.value], title: preference.why },
    el("span", {}, words[preference.value]),
    " ",
    preference.line ? lineButton(preference.line, go) : null,
  );
}

function other(preference, go) {
  const said = words[preference.value] ?? preference.value;
  return el("span", {}, `${preference.name}: ${said} `, preference.line ? lineButton(preference.line, go) : null);
}

function lineButton(line, go) {
  return el("button", { type: "button", class: "link", onclick: () => go(line) }, `line ${line}`);
}
