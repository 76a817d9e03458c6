// The main module of the page. It asks the engine about the robots.txt file, and passes the
// answers to the modules that draw them. The engine is either the server (server.js) or
// WebAssembly in a worker (wasm.js).

import { addAgents, isShown, offerAgents, showAgents } from "./agents.js";
import { showAI } from "./ai.js";
import { offerChoices, prove } from "./choices.js";
import { startFrom } from "./disk.js";
import { byId, copy, debounce, el, latest, typeInto, whileBusy } from "./dom.js";
import * as editor from "./editor.js";
import { example } from "./example.js";
import { offerFetch } from "./fetched.js";
import { showFindings } from "./findings.js";
import { setNotice } from "./notices.js";
import { offerSitemaps } from "./sitemaps.js";
import { followUndo, isYours, link, load, loses, onShow, redo, replaceState, saveLater, state } from "./state.js";
import { showTab, tabNames } from "./tabs.js";
import { showVerdicts, toCSV } from "./verdicts.js";
import { showChanges } from "./versions.js";

const engine = await import(document.documentElement.dataset.engine === "wasm" ? "./wasm.js" : "./server.js");

// ask asks the engine about the file. If this fails, ask shows the error, marks what the page shows as out of
// date, and returns null. When the engine answers again, ask asks everything again.
async function ask(op, request = {}) {
  const question = { op, text: editor.value(), access: state.access, ...request };
  const answer = await whileBusy(() => engine.ask(question)).catch((error) => ({ error: error.message }));
  const { dataset } = document.documentElement;
  const wasStale = "stale" in dataset;
  setNotice("engine", answer.error && `${answer.error} What the page says about the file is out of date.`);
  if ("error" in answer) {
    dataset.stale = "";
    return null;
  }
  delete dataset.stale;
  if (wasStale) changed();
  return answer;
}

// The questions to the engine.

let entered = []; // the URLs in the field
let witnesses = []; // a URL for each rule, while the field is empty
let urls = entered; // one of the two

// isKnown reports whether there is a file to ask about. If not, the page hides the tabs.
const isKnown = () => state.access !== "unknown";

const decide = latest(async () => {
  byId("unknown").hidden = isKnown();
  if (!isKnown()) return;
  const [asked, { agents }] = [urls, state];
  const answer = await ask("decide", { before: state.before, urls, agents });
  if (!answer || asked !== urls || agents !== state.agents) return;
  showVerdicts({ urls, isEntered: urls === entered, ...answer });
  showAgents(answer);
});

const suggest = latest(async () => {
  if (entered.length) return;
  const answer = editor.value() === "" ? { urls: [] } : await ask("witnesses");
  if (!answer) return;
  witnesses = answer.urls;
  useURLs();
});

const list = latest(async () => {
  const answer = await ask("list", { text: byId("urls").value, site: state.name });
  if (!answer) return;
  entered = answer.urls;
  byId("urls-note").textContent = answer.notes.join(" ");
  useURLs();
  suggest();
});

function useURLs() {
  urls = entered.length ? entered : witnesses;
  decide();
}

const noFile = byId("summary").textContent;

const review = latest(async () => {
  const answer = await ask("review", { url: byId("ai-url").value });
  if (!answer) return;
  const isEmpty = editor.value() === "";
  showFindings(answer.findings, answer.counts, isEmpty);
  const summary = isEmpty && !state.access ? noFile : answer.summary;
  byId("summary").textContent = isKnown() ? summary : "";
  showAI(answer.ai);
});

const compare = latest(async () => {
  const { before } = state;
  const answer = before === null ? null : await ask("compare", { before });
  if (before === state.before && (answer || before === null)) showChanges(answer, addURL);
});

const reviewLater = debounce(200, review);
const suggestLater = debounce(300, suggest);
const compareLater = debounce(300, compare);
const proveLater = debounce(300, prove);
const listLater = debounce(100, list);

// changed is called after the file or its old version has changed.
function changed() {
  showFile();
  decide();
  suggestLater();
  reviewLater();
  compareLater();
  proveLater();
  saveLater();
}

// showFile shows the name of the file above it.
function showFile() {
  const isEmpty = editor.value() === "";
  byId("file-name").textContent = state.name || (isEmpty ? "No file yet" : "Your file");
  byId("edited").hidden = !state.name || !state.isEdited;
  byId("copy-file").disabled = byId("download").disabled = isEmpty;
  byId("keep").disabled = editor.value() === (state.before ?? "");
  byId("forget").disabled = state.before === null;
  byId("restore").disabled = state.before === null || byId("keep").disabled;
}

function download() {
  const url = URL.createObjectURL(new Blob([editor.value()], { type: "text/plain" }));
  el("a", { href: url, download: "robots.txt" }).click();
  URL.revokeObjectURL(url);
}

// takeFetched shows a fetched file. If there is none, it removes a file that was fetched before, but
// never a file of the user: in that case, it returns a sentence that says so.
function takeFetched({ text, name, access }) {
  if (access && isYours()) return "The file below and what is said about it stay as they were.";
  replaceState({ text: text ?? "", name: name ?? "", isEdited: false, access }, "The fetched file has replaced the earlier one.");
}

function addURL(url, agent) {
  showTab(tabNames[0]);
  typeInto(byId("urls"), 0, 0, `${url}\n`);
  if (!isShown(agent)) addAgents(agent);
  byId("live").textContent = `Added ${url} to the URLs`;
}

// flashLabel shows another label on a button for a moment, such as "Copied".
function flashLabel(button, text) {
  const label = (button.dataset.label ??= button.textContent);
  button.textContent = text;
  byId("live").textContent = text;
  setTimeout(() => (button.textContent = label), 1500);
}

const copyFrom = async (button, text) => flashLabel(button, (await copy(text)) ? "Copied" : "Copying failed");

onShow(async () => {
  await list();
  changed();
});
editor.onInput((event) => {
  if (event.inputType !== "historyUndo" || !followUndo()) Object.assign(state, { access: "", isEdited: true });
  if (editor.value() === "") state.name = "";
  changed();
});
byId("text").addEventListener("beforeinput", (event) => event.inputType === "historyRedo" && redo(event));
for (const [id, ask] of [["urls", listLater], ["ai-url", reviewLater], ["site", () => {}]]) {
  byId(id).addEventListener("input", () => {
    ask();
    saveLater();
  });
}

byId("keep").addEventListener("click", () => replaceState({ before: editor.value() }, "The file has replaced the old version."));
byId("restore").addEventListener("click", () => replaceState({ text: state.before }, "This is the old version again."));
byId("forget").addEventListener("click", () => replaceState({ before: null }, "The old version was removed."));
byId("before").addEventListener("input", () => {
  state.before = byId("before").value;
  changed();
});

const longLink = 8 << 10; // bytes; many mail and chat programs cut off longer links

byId("share").addEventListener("click", async (event) => {
  const button = event.currentTarget;
  const address = await link();
  if (!address) return flashLabel(button, "Too long for a link");
  await copyFrom(button, address);
  setNotice("long-link", address.length > longLink && `The link is ${Math.ceil(address.length / 1024)} KB long. Mail and chat programs may cut links above 8 KB.`, ["Dismiss"]);
});
byId("copy-csv").addEventListener("click", (event) => copyFrom(event.currentTarget, toCSV()));
byId("copy-file").addEventListener("click", (event) => copyFrom(event.currentTarget, editor.value()));
byId("download").addEventListener("click", download);

// showExample replaces the state of the page with the example. If the user would lose input,
// showExample asks first.
function showExample() {
  const replace = () => replaceState(example, "The example has replaced your file and URLs.");
  if (!loses(example)) return replace();
  setNotice("replaced", "The example would replace your file and URLs.", ["Show the example", replace], ["Keep mine"]);
  byId("notice-replaced").querySelector("button").focus();
}

byId("example").addEventListener("click", showExample);
byId("skip").addEventListener("click", (event) => {
  event.preventDefault(); // keep the state in the fragment of the address
  byId("text").focus();
});

// What the page does when it is loaded.

offerAgents(ask, decide);
offerChoices(ask);
offerSitemaps((text) => ask("list", { text }));
const isLoaded = await load();
const start = await startFrom(engine.readStart, isLoaded);
offerFetch(start.canFetch && engine.fetchSite, takeFetched);
byId("reach").textContent = start.reach ?? "";
document.documentElement.dataset.ready = "";
