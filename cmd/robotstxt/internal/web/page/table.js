// The table of verdicts. Only the rows in view are in the document, so 10,000 URLs are
// drawn as fast as ten. The tab key stops at the table once; the arrow keys choose a cell.

import { byId, el, onFrame, urlNode } from "./dom.js";
import { hasChanged, kindOf, nameOf, symbolNode } from "./verdict.js";

const grid = byId("grid");
const head = el("div", { class: "grid-head", role: "row", "aria-rowindex": "1" });
const body = el("div", { class: "grid-body", role: "rowgroup" });
grid.append(el("div", { class: "grid-top", role: "rowgroup" }, head), body);

const draw = onFrame(drawNow);

// The content of the table. The comment on setTable explains the members.
let table = { urls: [], rows: [], columns: [], decisions: [], beforeDecisions: [], line: 0 };
let chosen = { row: 0, column: 0 }; // row is an index in table.rows
let listener = () => {};
let enterListener = () => {};

// onChoose sets two functions: choose is called when another cell is chosen, and enter is
// called when the user presses Enter.
export function onChoose(choose, enter) {
  listener = choose;
  enterListener = enter;
}

// setTable sets the content of the table. next.urls contains all URLs. The table shows only
// some of these URLs: next.rows contains the indexes of the shown URLs in next.urls.
// next.columns, next.decisions and next.beforeDecisions are parts of the engine's answer. The
// table marks the URLs that line number next.line decides.
export function setTable(next) {
  table = next;
  grid.style.setProperty("--agents", table.columns.length);
  grid.style.setProperty("--letters", table.rows.reduce((most, i) => Math.max(most, table.urls[i].length), 0));
  grid.setAttribute("aria-rowcount", table.rows.length + 1);
  grid.setAttribute("aria-colcount", table.columns.length + 1);
  drawHead();
  chosen.row = clamp(chosen.row, table.rows.length);
  chosen.column = clamp(chosen.column, table.columns.length);
  draw();
}

// chosenCell returns the indexes of the chosen URL and column, or null if there is no cell.
export function chosenCell() {
  const url = table.rows[chosen.row];
  return url === undefined || !table.columns.length ? null : { url, column: chosen.column };
}

// shownRows returns the indexes of the URLs that the table shows as rows.
export const shownRows = () => table.rows;

const clamp = (n, count) => Math.max(0, Math.min(n, count - 1));
const groupsOf = ({ agents, note }) => `group ${[...new Set(agents.map(({ group }) => group || "(none)"))].join(", ")}${note ? " (?)" : ""}`;
const rowHeight = () => parseFloat(getComputedStyle(grid).getPropertyValue("--row-height"));

function move(row, column) {
  chosen = { row: clamp(row, table.rows.length), column: clamp(column, table.columns.length) };
  scrollToChosen();
  draw();
  listener();
}

function scrollToChosen() {
  const height = rowHeight();
  const top = chosen.row * height;
  const room = grid.clientHeight - head.offsetHeight;
  if (top < grid.scrollTop) grid.scrollTop = top;
  else if (top + height > grid.scrollTop + room) grid.scrollTop = top + height - room;
  const cell = byId(cellId(chosen.row, chosen.column));
  cell?.scrollIntoView({ block: "nearest", inline: "nearest" });
}

function drawHead() {
  head.replaceChildren(
    el("div", { class: "grid-cell url", role: "columnheader" }, "URL"),
    ...table.columns.map((column, i) =>
      el(
        "div",
        { class: "grid-cell", role: "columnheader", title: column.note || column.title },
        ...(column.agents.length > 1 ? setNodes(column, `set-${i}`) : [el("span", { class: "agent" }, column.title)]),
        el("small", {}, groupsOf(column)),
      ),
    ),
  );
}

// setNodes returns a button with the title of a column, and the list of crawlers that it opens.
const setNodes = ({ title, agents }, id) => [
  el("button", { type: "button", class: "link agent", popovertarget: id }, title),
  el("ul", { id, popover: "", class: "set" }, ...agents.map(({ agent }) => el("li", {}, nameOf(agent)))),
];

function drawNow() {
  const height = rowHeight();
  const first = Math.max(0, Math.floor(grid.scrollTop / height) - 3);
  const last = Math.min(table.rows.length, first + Math.ceil(grid.clientHeight / height) + 6);
  body.style.height = `${table.rows.length * height}px`;
  const rows = [];
  for (let row = first; row < last; row++) rows.push(rowOf(row, row * height));
  body.replaceChildren(...(rows.length ? rows : [el("div", { class: "no-rows", role: "row" }, el("span", { role: "gridcell" }, "No URL matches this filter."))]));
  const active = table.rows.length && table.columns.length ? cellId(chosen.row, chosen.column) : "";
  if (active && byId(active)) grid.setAttribute("aria-activedescendant", active);
  else grid.removeAttribute("aria-activedescendant");
}

const cellId = (row, column) => `cell-${row}-${column}`;

function rowOf(row, top) {
  const index = table.rows[row];
  const url = table.urls[index];
  const decided = table.columns.some((column) => table.line && table.decisions[column.verdicts[index]].line === table.line);
  const node = el(
    "div",
    { class: `grid-row ${decided ? "decided" : ""}`, role: "row", "aria-rowindex": row + 2 },
    el("div", { class: "grid-cell url", role: "rowheader", title: url, onclick: () => move(row, chosen.column) },
      el("span", { class: "pointer", "aria-hidden": "true" }, decided ? "▸" : ""),
      ...urlNodes(url)),
    ...table.columns.map((column, i) => cellOf(row, index, column, i)),
  );
  node.style.top = `${top}px`;
  return node;
}

// urlNodes returns nodes for the origin and the path of a URL. In a narrow cell, the style sheet
// shortens the origin first.
function urlNodes(url) {
  const [, origin, path] = /^(\w+:\/\/[^/?#]*)?([^]*)$/.exec(url);
  return [origin && urlNode(origin, "origin"), path && urlNode(path, "path")].filter(Boolean);
}

function cellOf(row, index, column, i) {
  const decision = table.decisions[column.verdicts[index]];
  const before = column.before && table.beforeDecisions[column.before[index]];
  const isChosen = row === chosen.row && i === chosen.column;
  return el(
    "div",
    {
      class: `grid-cell verdict ${kindOf(decision)}`,
      role: "gridcell",
      id: cellId(row, i),
      "aria-selected": isChosen ? "true" : "false",
      title: decision.why,
      onclick: () => move(row, i),
    },
    symbolNode(decision),
    el("span", { class: "word" }, kindOf(decision)),
    el("small", {}, [decision.line && `line ${decision.line}`, decision.doubt && "(?)"].filter(Boolean).join(" ")),
    hasChanged(before, decision) ? el("span", { class: "changed-mark", title: `Before: ${before.why}` }, "Δ", el("span", { class: "visually-hidden" }, "changed")) : null,
  );
}

const keys = {
  ArrowUp: () => [chosen.row - 1, chosen.column],
  ArrowDown: () => [chosen.row + 1, chosen.column],
  ArrowLeft: () => [chosen.row, chosen.column - 1],
  ArrowRight: () => [chosen.row, chosen.column + 1],
  PageUp: () => [chosen.row - 10, chosen.column],
  PageDown: () => [chosen.row + 10, chosen.column],
  Home: () => [chosen.row, 0],
  End: () => [chosen.row, table.columns.length - 1],
  "Ctrl+Home": () => [0, 0],
  "Ctrl+End": () => [table.rows.length - 1, table.columns.length - 1],
};

grid.addEventListener("keydown", (event) => {
  const key = (event.ctrlKey ? "Ctrl+" : "") + event.key;
  if (!table.rows.length) return;
  if (keys[key]) move(...keys[key]());
  else if (event.key === "Enter") enterListener();
  else return;
  event.preventDefault();
});
grid.addEventListener("focus", () => table.rows.length && listener());
grid.addEventListener("scroll", draw);
new ResizeObserver(draw).observe(grid);
