// The text area with line numbers and marks. The text area is the browser's own, so
// that undo, selection and spell out loud work as everywhere; the gutter beside it
// and the marks behind it are drawn for the lines in view only.

import { byId, el, onFrame } from "./dom.js";

const lineHeight = 22; // as in page.css
const padding = 8;

const text = byId("text");
const gutter = byId("gutter");
const marks = byId("marks");

const draw = onFrame(drawNow);

// What is drawn: see setMarks and setFindings.
let verdicts = new Map();
let groupLines = [];
let chosenLine = 0;
let findings = new Map();
let onFinding = () => {};

export const value = () => text.value;

// onInput calls listen when the text changes, whoever changes it.
export function onInput(listen) {
  text.addEventListener("input", () => {
    draw();
    listen();
  });
}

// onLine calls listen with the number of the line that the cursor comes to.
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

// open shows another file. Nothing is undone beyond it.
export function open(next) {
  text.value = next;
  text.setSelectionRange(0, 0);
  text.scrollTo(0, 0);
  text.dispatchEvent(new Event("input"));
}

// setText replaces the whole text. The browser's undo brings the old one back, unless
// the new one is so long that inserting it would take the browser seconds.
export function setText(next) {
  if (next === text.value) return;
  replace(0, text.value.length, next);
  text.setSelectionRange(0, 0);
  text.scrollTo(0, 0);
}

// replaceLine replaces a line, or takes it out if next is null.
export function replaceLine(line, next) {
  const { start, end } = stretchOf(line);
  const isLast = end === text.value.length;
  if (next !== null) replace(start, end, next);
  else replace(isLast && start > 0 ? start - 1 : start, isLast ? end : end + 1, "");
}

// stretchOf returns where a line starts and ends in the text.
function stretchOf(line) {
  let start = 0;
  for (let n = 1; n < line; n++) {
    const end = text.value.indexOf("\n", start);
    if (end < 0) break;
    start = end + 1;
  }
  const end = text.value.indexOf("\n", start);
  return { start, end: end < 0 ? text.value.length : end };
}

// replace replaces a stretch of the text, as if it had been typed.
function replace(start, end, next) {
  const focused = document.activeElement;
  text.focus({ preventScroll: true });
  text.setSelectionRange(start, end);
  const command = next === "" ? "delete" : "insertText";
  const typed = next.length < 50_000 && (start < end || next !== "") && document.execCommand(command, false, next);
  if (!typed) {
    text.setRangeText(next, start, end, "end");
    text.dispatchEvent(new Event("input"));
  }
  if (focused !== document.body) focused?.focus({ preventScroll: true });
}

// goTo puts the cursor on a line, and selects the line if no column is given.
export function goTo(line, column = 0) {
  const { start, end } = stretchOf(line);
  text.focus();
  if (column) text.setSelectionRange(start + column - 1, start + column - 1);
  else text.setSelectionRange(start, end);
  show(line);
}

// show scrolls to a line if it is out of view.
export function show(line) {
  const top = (line - 1) * lineHeight;
  if (top < text.scrollTop || top + 2 * lineHeight > text.scrollTop + text.clientHeight) {
    text.scrollTop = top - text.clientHeight / 2;
  }
}

// setMarks sets what is marked: by line, whether it allows or disallows; the spans of
// the group that applies; and the line that decides about the chosen URL, or 0.
export function setMarks(next) {
  ({ verdicts, groupLines, chosenLine } = next);
  draw();
}

// setFindings sets the findings, by line, and what happens if one is clicked.
export function setFindings(byLine, listen) {
  findings = byLine;
  onFinding = listen;
  draw();
}

export function caretLine() {
  return countLines(text.value.slice(0, text.selectionStart));
}

export function countLines(s) {
  let n = 1;
  for (let i = s.indexOf("\n"); i >= 0; i = s.indexOf("\n", i + 1)) n++;
  return n;
}

function drawNow() {
  const count = countLines(text.value);
  const first = Math.max(1, Math.floor((text.scrollTop - padding) / lineHeight));
  const last = Math.min(count, first + Math.ceil(text.clientHeight / lineHeight) + 1);
  const caret = document.activeElement === text ? caretLine() : 0;
  const numbers = [];
  const bands = [];
  for (let line = first; line <= last; line++) {
    const top = padding + (line - 1) * lineHeight - text.scrollTop;
    numbers.push(numberOf(line, top, caret));
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
  if (verdicts.has(line)) kinds.push(verdicts.get(line) ? "allowed" : "disallowed");
  if (line === chosenLine) kinds.push("chosen");
  if (line === caret) kinds.push("caret");
  return kinds.join(" ");
}

const symbols = { error: "✖", warning: "▲", info: "i" };

function numberOf(line, top, caret) {
  const finding = findings.get(line);
  const symbol = el(
    "span",
    finding
      ? { class: `finding ${finding.severity}`, title: finding.text }
      : { class: "finding" },
    finding ? symbols[finding.severity] : "",
  );
  const verdict = verdicts.has(line) ? (verdicts.get(line) ? "✓" : "✕") : "";
  const kind = verdict && (verdicts.get(line) ? "allowed" : "disallowed");
  const row = el(
    "div",
    { class: `number ${line === chosenLine ? "chosen" : ""} ${line === caret ? "caret" : ""}`, "data-line": line },
    symbol,
    el("span", { class: "digits" }, String(line)),
    el("span", { class: `verdict ${kind}` }, verdict),
  );
  return place(row, top);
}

// Not on click: the number that is pressed may be drawn anew before it is released.
gutter.addEventListener("mousedown", (event) => {
  const line = Number(event.target.closest("[data-line]")?.dataset.line);
  if (!line) return;
  event.preventDefault(); // which would take the focus
  if (event.target.classList.contains("finding") && findings.has(line)) onFinding(findings.get(line));
  else goTo(line);
});

text.addEventListener("scroll", draw);
text.addEventListener("focus", draw);
text.addEventListener("blur", draw);
new ResizeObserver(draw).observe(text);
