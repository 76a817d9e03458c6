// The page: what it holds, when it asks the engine, and who draws the answers.
// Nothing about robots.txt is decided here; that is for the engine, which is either
// the server (server.js) or WebAssembly in a worker (wasm.js).

import { byId, copy, el, later, newest, plural } from "./dom.js";
import * as editor from "./editor.js";
import * as table from "./table.js";
import { onTab, showTab, tabNames } from "./tabs.js";
import { showAI } from "./ai.js";
import { showChanges } from "./versions.js";
import { offerFetch } from "./fetched.js";
import { showFindings } from "./findings.js";
import { toCSV, toJSON } from "./export.js";
import { fromFragment, toFragment } from "./share.js";
import { example } from "./example.js";

const engine = await import(document.documentElement.dataset.engine === "wasm" ? "./wasm.js" : "./server.js");

// What a link holds, besides the text, which the editor has.
const state = { agents: ["*"], before: null, tab: tabNames[0] };

// What the engine last said.
const answers = {
  urls: [],
  decide: { decisions: [], columns: [], beforeDecisions: [] },
  review: { groups: [], findings: [], ai: [], notes: [], sitemaps: [] },
};
let crawlers = [];
let chosenLine = 0; // where the cursor is
let filter = "all";

// warn shows in the banner what is wrong with something, or no longer if text is empty.
const warnings = new Map();
function warn(something, text) {
  warnings.set(something, text);
  const all = [...warnings.values()].filter(Boolean).join(" ");
  byId("banner").hidden = !all;
  if (byId("banner").textContent !== all) byId("banner").textContent = all;
}

// ask asks the engine. It returns null if there is no answer.
async function ask(request) {
  const answer = await engine.ask(request).catch((error) => ({ error: error.message }));
  warn("engine", answer.error);
  return answer.error ? null : answer;
}

// The questions, in the order in which people wait for them.

const decide = newest(async () => {
  const answer = await ask({ op: "decide", text: editor.value(), before: state.before, urls: answers.urls, agents: state.agents });
  if (!answer || answer.columns.some((column) => column.verdicts.length !== answers.urls.length)) return;
  answers.decide = answer;
  drawAgents();
  drawTable();
  announce();
});

const list = newest(async () => {
  const answer = await ask({ op: "list", text: byId("urls").value });
  if (!answer) return;
  answers.urls = answer.urls;
  decide();
});

const review = newest(async () => {
  const answer = await ask({ op: "review", text: editor.value(), url: byId("ai-url").value });
  if (!answer) return;
  answers.review = answer;
  showFindings(answer.findings, answer.counts, editor.value() === "");
  showAI(answer.ai, answer.notes, editor.goTo);
  drawNames();
});

const compare = newest(async () => {
  const old = state.before;
  const answer = old === null ? null : await ask({ op: "compare", text: editor.value(), before: old });
  if (old === state.before && (answer || old === null)) showChanges(answer, addWitness);
});

const reviewLater = later(200, review);
const compareLater = later(300, compare);
const saveLater = later(300, save);
const listLater = later(100, list);

// changed is called when the text is another.
function changed() {
  decide();
  reviewLater();
  compareLater();
  saveLater();
}

// Drawing.

function drawTable() {
  const { columns, decisions, beforeDecisions } = answers.decide;
  const urls = answers.urls;
  const rows = { all: [], disallowed: [], changed: [], line: [] };
  for (let i = 0; i < urls.length && columns.length; i++) {
    const verdicts = columns.map((column) => decisions[column.verdicts[i]]);
    rows.all.push(i);
    if (verdicts.some((d) => !d.allowed)) rows.disallowed.push(i);
    if (columns.some((c, k) => c.before && beforeDecisions[c.before[i]].allowed !== verdicts[k].allowed)) rows.changed.push(i);
    if (chosenLine && verdicts.some((d) => d.line === chosenLine)) rows.line.push(i);
  }
  for (const [name, list] of Object.entries(rows)) byId(`count-${name}`).textContent = list.length.toLocaleString("en");
  byId("line-status").textContent = chosenLine ? `Line ${chosenLine} decides ${rows.line.length} of ${plural(urls.length, "URL")}.` : "";
  byId("grid").hidden = byId("grid-help").hidden = !urls.length;
  byId("empty").hidden = urls.length > 0;
  table.set({ urls, rows: rows[filter], columns, decisions, beforeDecisions, line: chosenLine });
  drawMarks();
}

// drawMarks marks the lines that decide, and says why about the chosen cell.
function drawMarks() {
  const { columns, decisions, beforeDecisions } = answers.decide;
  const cell = table.chosenCell();
  const column = columns[cell?.column ?? 0];
  const verdicts = new Map(decisions.map((d) => [d.line, d.allowed]));
  const decision = cell && decisions[column.verdicts[cell.url]];
  const before = cell && column.before && beforeDecisions[column.before[cell.url]];
  editor.setMarks({ verdicts, groupLines: column?.lines ?? [], chosenLine: decision?.line ?? 0 });
  byId("why").replaceChildren(...(decision ? whyNodes(answers.urls[cell.url], column, decision, before) : []));
  byId("why").className = `why ${decision ? (decision.allowed ? "allowed" : "disallowed") : ""}`;
}

function whyNodes(url, column, decision, before) {
  const changed = before && before.allowed !== decision.allowed;
  return [
    el("span", { class: "symbol", "aria-hidden": "true" }, decision.allowed ? "✓" : "✕"),
    el("span", {}, el("bdi", { class: "witness" }, url), ` for ${nameOf(column.agent)}`, readAs(column), ". ", el("b", {}, decision.why), changed ? ` Before: ${before.why}` : ""),
  ];
}

const readAs = (column) => (column.token && column.token !== column.agent ? `, read as ${column.token}` : "");

// nameOf returns what to call a crawler.
const nameOf = (agent) => (agent === "*" ? "any other crawler" : agent);

function drawAgents() {
  byId("agents").replaceChildren(...state.agents.map((agent, i) => {
    const column = answers.decide.columns[i];
    const token = column?.agent === agent && column.token !== agent ? column.token : "";
    return el(
      "li",
      { title: agent },
      el("span", {}, nameOf(agent)),
      token ? el("small", {}, `read as ${token}`) : null,
      el("button", { type: "button", "aria-label": `Remove ${nameOf(agent)}`, onclick: () => removeAgent(i) }, "×"),
    );
  }));
}

// drawNames fills the names that the field for crawlers offers.
function drawNames() {
  const named = namedAgents().map((token) => el("option", { value: token }, "in the file"));
  const known = crawlers.map((c) => el("option", { value: c.token }, c.about));
  byId("crawlers").replaceChildren(...named, ...known);
}

// announce tells screen readers about the verdicts, once nobody types.
let announcing = 0;
function announce() {
  clearTimeout(announcing);
  announcing = setTimeout(announceNow, 900);
}

function announceNow() {
  const { columns, decisions } = answers.decide;
  byId("live").textContent = answers.urls.length
    ? `${plural(answers.urls.length, "URL")}. ` + columns.slice(0, 5).map((c) => {
      const n = c.verdicts.filter((i) => !decisions[i].allowed).length;
      return `${n} disallowed for ${c.token || nameOf("*")}`;
    }).join(", ")
    : "";
}

// Crawlers.

const namedAgents = () => answers.review.groups.flatMap((group) => group.tokens);

function setAgents(agents) {
  state.agents = agents.length ? [...new Set(agents)] : ["*"];
  decide();
  saveLater();
}

const removeAgent = (i) => {
  setAgents(state.agents.filter((_, k) => k !== i));
  byId("agent").focus();
};

function addWitness(url, agent) {
  const urls = byId("urls");
  urls.value = `${url}\n${urls.value}`;
  if (!state.agents.includes(agent)) setAgents([...state.agents, agent]);
  showTab(tabNames[0]);
  list();
  saveLater();
  byId("live").textContent = `${url} is now among the URLs`;
}

// What the page holds, and its link.

const snapshot = () => ({ text: editor.value(), urls: byId("urls").value, ...state });

// show shows what a link holds. SetText is how the editor is to take the text.
async function show(next, setText = editor.open) {
  const strings = (list) => (Array.isArray(list) ? list.filter((s) => typeof s === "string") : null);
  const string = (s, otherwise) => (typeof s === "string" ? s : otherwise);
  state.agents = strings(next.agents) ?? ["*"];
  setBefore(string(next.before, null));
  byId("urls").value = string(next.urls, "");
  setText(string(next.text, ""));
  showTab(tabNames.includes(next.tab) ? next.tab : tabNames[0]);
  await list();
  changed();
}

function setBefore(before) {
  state.before = before;
  byId("before").value = before ?? "";
  byId("restore").disabled = byId("forget").disabled = before === null;
}

let lastFragment = null;

// save puts what the page holds into its address, so that a reload keeps it.
async function save() {
  lastFragment = await toFragment(snapshot());
  try {
    history.replaceState(null, "", lastFragment);
  } catch {
    return false; // longer than the browser lets an address be
  }
  return true;
}

async function load() {
  if (location.hash === lastFragment) return true;
  try {
    const next = await fromFragment(location.hash);
    warn("link", "");
    if (next) await show(next);
    return Boolean(next);
  } catch {
    warn("link", "The link is damaged: what it holds cannot be read.");
    return false;
  }
}

// say shows on a button, for a moment, what it has done.
function say(button, text) {
  const label = button.dataset.label ?? button.textContent;
  button.dataset.label = label;
  button.textContent = text;
  byId("live").textContent = text;
  setTimeout(() => (button.textContent = label), 1500);
}

async function copyFrom(button, text) {
  say(button, (await copy(text)) ? "Copied" : "Copying failed");
}

// Listeners.

editor.onInput(changed);
editor.onLine((line) => {
  chosenLine = line;
  drawTable();
});
table.onChoose(
  () => {
    drawMarks();
    const line = chosenDecision()?.line;
    if (line) editor.show(line);
  },
  () => chosenDecision()?.line && editor.goTo(chosenDecision().line),
);

function chosenDecision() {
  const cell = table.chosenCell();
  return cell && answers.decide.decisions[answers.decide.columns[cell.column].verdicts[cell.url]];
}

onTab((name) => {
  state.tab = name;
  saveLater();
});
byId("urls").addEventListener("input", () => {
  listLater();
  saveLater();
});
byId("filter").addEventListener("change", (event) => {
  filter = event.target.value;
  drawTable();
});
byId("add-agent").addEventListener("submit", (event) => {
  event.preventDefault();
  const name = byId("agent").value.trim();
  if (name) setAgents([...state.agents, name]);
  byId("agent").value = "";
});
byId("add-named").addEventListener("click", () => setAgents([...state.agents, ...namedAgents()]));
byId("add-ai").addEventListener("click", () => setAgents([...state.agents, ...answers.review.ai.filter((row) => row.status === "documented").map((row) => row.agent)]));
byId("clear-agents").addEventListener("click", () => setAgents([]));
byId("ai-url").addEventListener("input", reviewLater);

byId("keep").addEventListener("click", () => {
  setBefore(editor.value());
  changed();
});
byId("restore").addEventListener("click", () => editor.setText(state.before));
byId("forget").addEventListener("click", () => {
  setBefore(null);
  changed();
});
byId("before").addEventListener("input", () => {
  state.before = byId("before").value;
  byId("restore").disabled = byId("forget").disabled = false;
  changed();
});

byId("share").addEventListener("click", async (event) => {
  const button = event.currentTarget;
  if (await save()) await copyFrom(button, location.href);
  else say(button, "Too long for a link");
});
for (const [id, format] of [["copy-csv", toCSV], ["copy-json", toJSON]]) {
  byId(id).addEventListener("click", (event) => copyFrom(event.currentTarget, format(answers.urls, table.shownRows(), answers.decide)));
}

for (const id of ["example", "empty-example"]) {
  byId(id).addEventListener("click", () => show({ ...snapshot(), ...example }, editor.setText));
}
byId("skip").addEventListener("click", (event) => {
  event.preventDefault(); // the fragment is the link's
  byId("text").focus();
});
addEventListener("hashchange", load);

// The start.

offerFetch(engine.fetchSite, editor.setText);
ask({ op: "crawlers" }).then((answer) => {
  crawlers = answer?.crawlers ?? [];
  drawNames();
});
if (!(await load())) {
  const first = await engine.start().catch(() => ({ text: "" }));
  await show({ ...snapshot(), text: first.text });
}
document.documentElement.dataset.ready = "";
