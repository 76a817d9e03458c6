// The text area with line numbers and marks. It is an ordinary textarea element, so undo,
// selection and screen readers work as usual. The line numbers and marks are drawn only for the
// lines in view.

import { button, byId, el, onFrame, typeInto } from "./dom.js";
import { kindOf, symbolOf } from "./verdict.js";

const text = byId("text");
const gutter = byId("gutter");
const marks = byId("marks");

const draw = onFrame(drawNow);

// These variables say what is marked in the text; setMarks and setFindings set them.
let decisions = new Map();
let groupLines = [];
let chosenLine = 0;
let findings = new Map();
let onFinding = () => {};

export const value = () => text.value;

// onInput calls listen with the input event whenever the text changes.
export function onInput(listen) {
  text.addEventListener("input", (event) => {
    draw();
    listen(event);
  });
}

// onLine calls listen with the line number whenever the cursor moves to another line.
export function onLine(listen) {
  let last = 0;
  document.addEventListener("selectionchange", () => {
    if (document.activeElement !== text) return;
    const line = caretLine();
    if (line === last) return;
    last = line;
    draw();
    listen(line);
  });
}

// openText replaces the text. Undo does not bring back the old text.
export function openText(next) {
  text.value = next;
  text.dispatchEvent(new Event("input"));
  toStart();
}

// replaceText replaces the text as if the user had typed the new text (see typeInto).
export function replaceText(next) {
  if (next === text.value) return;
  typeInto(text, 0, text.value.length, next);
  toStart();
}

function toStart() {
  text.setSelectionRange(0, 0);
  text.scrollTo(0, 0);
}

// applyEdits applies edits to the text. Each edit replaces or deletes one line, and there must not be
// two edits for the same line. A single undo reverts all edits.
export function applyEdits(edits) {
  const lines = edits.map((edit) => edit.line);
  const [first, last] = [Math.min(...lines), Math.max(...lines)];
  const byLine = new Map(edits.map((edit) => [edit.line, edit]));
  let { start } = rangeOf(first);
  let { end } = rangeOf(last);
  const next = text.value.slice(start, end).split("\n").flatMap((line, i) => {
    const edit = byLine.get(first + i);
    return edit?.delete ? [] : [edit ? edit.text : line];
  });
  if (!next.length) {
    if (end < text.value.length) end++; // leave no empty line
    else if (start > 0) start--;
  }
  typeInto(text, start, end, next.join("\n"));
}

// rangeOf returns where a line starts and ends in the text.
function rangeOf(line) {
  let start = 0;
  for (let n = 1; n < line; n++) {
    const end = text.value.indexOf("\n", start);
    if (end < 0) break;
    start = end + 1;
  }
  const end = text.value.indexOf("\n", start);
  return { start, end: end < 0 ? text.value.length : end };
}

// goTo puts the cursor at a column of a line. Without a column, it selects the line.
export function goTo(line, column = 0) {
  const { start, end } = rangeOf(line);
  text.focus();
  if (column) text.setSelectionRange(start + column - 1, start + column - 1);
  else text.setSelectionRange(start, end);
  scrollToLine(line);
}

// lineButton makes a button that goes to a line, or returns null for line 0.
export const lineButton = (line, column = 0) => (line ? button(`line ${line}`, () => goTo(line, column), { class: "link" }) : null);

// scrollToLine scrolls to a line if it is out of view.
export function scrollToLine(line) {
  const { lineHeight } = metrics();
  const top = (line - 1) * lineHeight;
  if (top < text.scrollTop || top + 2 * lineHeight > text.scrollTop + text.clientHeight) {
    text.scrollTop = top - text.clientHeight / 2;
  }
}

// setMarks marks lines of the text. next.decisions maps the line number of each deciding rule to a
// decision. next.groupLines is a list of [first, last] line numbers, which cover the group of the
// chosen crawler. next.chosenLine is the line that decides about the chosen URL, or 0 if there is
// none.
export function setMarks(next) {
  ({ decisions, groupLines, chosenLine } = next);
  draw();
}

// setFindings sets a map from lines to findings, and the function to call when a finding is
// clicked.
export function setFindings(byLine, listen) {
  findings = byLine;
  onFinding = listen;
  draw();
}

const caretLine = () => countLines(text.value.slice(0, text.selectionStart));

function countLines(s) {
  let n = 1;
  for (let i = s.indexOf("\n"); i >= 0; i = s.indexOf("\n", i + 1)) n++;
  return n;
}

// metrics returns the line height and the top padding of the text area, in pixels.
function metrics() {
  const style = getComputedStyle(text);
  return { lineHeight: parseFloat(style.lineHeight), padding: parseFloat(style.paddingTop) };
}

function drawNow() {
  const { lineHeight, padding } = metrics();
  const count = countLines(text.value);
  const first = Math.max(1, Math.floor((text.scrollTop - padding) / lineHeight));
  const last = Math.min(count, first + Math.ceil(text.clientHeight / lineHeight) + 1);
  const caret = document.activeElement === text ? caretLine() : 0;
  const numbers = [];
  const bands = [];
  for (let line = first; line <= last; line++) {
    const top = padding + (line - 1) * lineHeight - text.scrollTop;
    numbers.push(place(numberOf(line, caret), top));
    const kinds = kindsOf(line, caret);
    if (kinds) bands.push(place(el("div", { class: `mark ${kinds}` }), top));
  }
  gutter.style.setProperty("--digits", String(count).length);
  gutter.replaceChildren(...numbers);
  marks.replaceChildren(...bands);
}

function place(node, top) {
  node.style.top = `${top}px`;
  return node;
}

function kindsOf(line, caret) {
  const kinds = [];
  if (groupLines.some(([from, to]) => from <= line && line <= to)) kinds.push("in-group");
  if (decisions.has(line)) kinds.push(kindOf(decisions.get(line)));
  if (line === chosenLine) kinds.push("chosen");
  if (line === caret) kinds.push("caret");
  return kinds.join(" ");
}

function numberOf(line, caret) {
  const finding = findings.get(line);
  const decision = decisions.get(line);
  return el(
    "div",
    { class: `line-number ${line === chosenLine ? "chosen" : ""} ${line === caret ? "caret" : ""}`, "data-line": line },
    el("span", { class: `finding ${finding?.severity ?? ""}`, title: finding?.text }, finding?.symbol),
    el("span", { class: "digits" }, String(line)),
    el("span", { class: `verdict ${decision ? kindOf(decision) : ""}` }, decision && symbolOf(decision)),
  );
}

// Listen to mousedown: a click is lost if the line number is redrawn before the mouse button is
// released. Keyboard users can use the list of findings instead.
gutter.addEventListener("mousedown", (event) => {
  const line = Number(event.target.closest("[data-line]")?.dataset.line);
  if (!line) return;
  event.preventDefault(); // keep the focus in the text
  if (event.target.classList.contains("finding") && findings.has(line)) onFinding(findings.get(line));
  else goTo(line);
});

text.addEventListener("scroll", draw);
text.addEventListener("focus", draw);
text.addEventListener("blur", draw);
new ResizeObserver(draw).observe(text);
