// What the page holds. It is kept in the address of the page, and a link is that address.

import { byId, debounce, latest } from "./dom.js";
import * as editor from "./editor.js";
import { setNotice } from "./notices.js";
import { fromFragment, toFragment } from "./share.js";
import { onTab, showTab, tabNames } from "./tabs.js";

// What the fields do not hold themselves.
export const state = {
  agents: ["*"],
  before: null, // the old version of the file
  access: "", // what a fetch that found no file means: see engine.Request
  tab: tabNames[0],
};

// The file that the server follows on disk: its version and text as last seen.
export const disk = { version: "", text: null };

// snapshot returns all that the page holds.
export const snapshot = () => ({ ...state, text: editor.value(), urls: byId("urls").value, site: byId("site").value, aiURL: byId("ai-url").value });

let listener = () => {};

// onShow calls listen when another state is shown.
export function onShow(listen) {
  listener = listen;
}

// showState shows what next holds, and the defaults for what it lacks. SetText is the
// way in which the editor takes the text.
export function showState(next, setText = editor.openText) {
  const string = (s, otherwise) => (typeof s === "string" ? s : otherwise);
  state.agents = Array.isArray(next.agents) ? next.agents.filter((s) => typeof s === "string") : ["*"];
  setBefore(string(next.before, null));
  byId("urls").value = string(next.urls, "");
  byId("site").value = string(next.site, "");
  byId("ai-url").value = string(next.aiURL, "/");
  setText(string(next.text, ""));
  state.access = string(next.access, ""); // after the text, whose change resets it
  showTab(tabNames.includes(next.tab) ? next.tab : tabNames[0]);
  return listener();
}

export function setBefore(before) {
  state.before = before;
  byId("before").value = before ?? "";
  byId("restore").disabled = byId("forget").disabled = before === null;
}

// Replacing. Whatever takes the place of somebody's work can be undone as a whole.

let replaced = null; // the states before and after

// loses reports whether next would replace something that somebody has put in.
export function loses(next) {
  const now = snapshot();
  return Object.entries(next).some(([name, value]) => now[name] && String(now[name]) !== "*" && String(now[name]) !== String(value));
}

// replaceState shows another state in place of this one. A notice with the message offers
// to undo it.
export function replaceState(next, message) {
  const before = snapshot();
  replaced = { before, after: { ...before, ...next } };
  setNotice("replaced", loses(next) && message, ["Undo", () => replaceState(before, "This is what you had before.")], ["Dismiss"]);
  return showState(replaced.after, editor.replaceText);
}

const others = ({ text, tab, ...rest }) => JSON.stringify(rest);

// followUndo completes the browser's own undo, which knows only the text.
export function followUndo() {
  if (!replaced || editor.value() !== replaced.before.text || others(snapshot()) !== others(replaced.after)) return;
  setNotice("replaced", "");
  showState({ ...replaced.before, tab: state.tab }, editor.replaceText);
}

// redo takes the place of the browser's own redo after followUndo. Chromium would lose the
// first line.
export function redo(event) {
  if (!replaced || editor.value() !== replaced.before.text || others(snapshot()) !== others(replaced.before)) return;
  event.preventDefault();
  showState({ ...replaced.after, tab: state.tab }, editor.replaceText);
}

// Keeping.

const longest = 1 << 20; // what all browsers let an address be

let lastFragment = null;
let isKept = true; // whether a reload keeps what is here

// save puts what the page holds into its address, so that a reload keeps it. It reports
// whether there is room for it.
export const save = latest(async () => {
  const kept = { version: disk.version, edited: editor.value() !== disk.text }; // of the same moment
  const fragment = await toFragment(snapshot());
  isKept = fragment.length < longest;
  if (isKept) {
    lastFragment = fragment;
    history.replaceState(kept, "", fragment);
  }
  setNotice("save", isKept ? "" : "This is too much for the address of the page, so there is no link to it, and reloading the page loses your changes.");
});

export const saveLater = debounce(300, save);

// link returns the address of what the page holds, or null if it is too long for one.
export async function link() {
  await save();
  return isKept ? location.href : null;
}

// load shows what the address holds, and reports whether it holds anything.
export async function load(show = showState) {
  if (location.hash === lastFragment) return true;
  let next = null;
  try {
    next = await fromFragment(location.hash);
    setNotice("link", "");
  } catch {
    setNotice("link", "The link is damaged: its content cannot be read.");
  }
  if (next) await show(next);
  return Boolean(next);
}

onTab((name) => {
  state.tab = name;
  saveLater();
});
addEventListener("hashchange", () => load((next) => replaceState(next, "The link has replaced what was here.")));
addEventListener("beforeunload", (event) => {
  if (!isKept) event.preventDefault();
});
