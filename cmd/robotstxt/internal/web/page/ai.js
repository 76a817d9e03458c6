// The table shows what the file says about AI. On a narrow page, the style sheet displays its
// cells and rows as blocks. This removes their built-in ARIA roles, so this code sets the
// roles.

import { byId, el } from "./dom.js";
import { lineButton } from "./editor.js";

// showAI shows the rows and notes of the engine's answer to a "review" request.
export function showAI(rows, notes) {
  byId("ai-table").tBodies[0].replaceChildren(...rows.map(rowOf));
  byId("ai-notes").replaceChildren(...notes.map((note) => el("li", {}, lineButton(note.line), el("p", {}, el("bdi", {}, note.text)))));
}

function rowOf(row) {
  const access = { value: row.access.allowed ? "allow" : "disallow", line: row.access.line, why: row.access.why };
  return el(
    "tr",
    { role: "row" },
    el("th", { scope: "row", role: "rowheader" }, row.agent, el("small", {}, row.operator)),
    el("td", { role: "cell", "data-label": "Purpose" }, row.purpose || "–",
      row.caveat ? el("small", {}, row.caveat) : null),
    cell("May fetch", access),
    cell("Training", row.training),
    cell("Search", row.search),
    cell("AI input", row.input),
    el("td", { role: "cell", "data-label": "Other", class: row.other.length ? "" : "none" }, ...(row.other.length ? row.other.map(otherNode) : ["–"])),
  );
}

const words = { allow: "✓ yes", disallow: "✕ no" };
const kinds = { allow: "allowed", disallow: "disallowed" };

function cell(label, preference) {
  if (!words[preference.value]) return el("td", { role: "cell", "data-label": label, class: "none" }, "–");
  return el(
    "td",
    { role: "cell", "data-label": label, class: kinds[preference.value], title: preference.why },
    el("span", {}, words[preference.value]),
    " ",
    lineButton(preference.line),
  );
}

const otherNode = (preference) => el("span", {}, `${preference.name}: ${words[preference.value] ?? preference.value} `, lineButton(preference.line));
