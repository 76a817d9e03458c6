// The state of the page. The address of the page contains the state, so that people can share
// it as a link.

import { byId, debounce, latest } from "./dom.js";
import * as editor from "./editor.js";
import { setNotice } from "./notices.js";
import { fromFragment, toFragment } from "./share.js";
import { onTab, showTab, tabNames } from "./tabs.js";

// The part of the page's state that is not in its input fields.
export const state = {
  agents: ["*"],
  before: null, // the old version of the file
  access: "", // why the last fetch found no file; otherwise empty (see engine.Access)
  tab: tabNames[0],
};

// The version and text of the file on disk, as the server last sent them.
export const disk = { version: "", text: null };

// snapshot returns the whole state, including what is in the input fields.
export const snapshot = () => ({ ...state, text: editor.value(), urls: byId("urls").value, site: byId("site").value, aiURL: byId("ai-url").value });

let listener = () => {};

// onShow sets the function that showState calls after it has shown a state.
export function onShow(listen) {
  listener = listen;
}

// showState replaces the current state with the state next, and shows it. A member that next lacks
// gets its default value. The function setText puts the text of the file into the editor.
export function showState(next, setText = editor.openText) {
  const string = (s, otherwise) => (typeof s === "string" ? s : otherwise);
  state.agents = Array.isArray(next.agents) ? next.agents.filter((s) => typeof s === "string") : ["*"];
  setBefore(string(next.before, null));
  byId("urls").value = string(next.urls, "");
  byId("site").value = string(next.site, "");
  byId("ai-url").value = string(next.aiURL, "/");
  setText(string(next.text, ""));
  state.access = string(next.access, ""); // after setText, because a change of the text resets access
  showTab(tabNames.includes(next.tab) ? next.tab : tabNames[0]);
  return listener();
}

export function setBefore(before) {
  state.before = before;
  byId("before").value = before ?? "";
  byId("restore").disabled = byId("forget").disabled = before === null;
}

// Replacing the state. The browser's undo restores only the text; the functions below restore the
// rest of the state, too.

let replaced = null; // the states before and after the last replacement

// loses reports whether replaceState(next) would replace something that the user entered: a value
// that is neither empty nor "*".
export function loses(next) {
  const now = snapshot();
  return Object.entries(next).some(([name, value]) => now[name] && String(now[name]) !== "*" && String(now[name]) !== String(value));
}

// replaceState sets the members of the state that next contains, and keeps the other members. If
// the user thereby loses input, a notice shows the message and a button that undoes the replacement.
export function replaceState(next, message) {
  const before = snapshot();
  replaced = { before, after: { ...before, ...next } };
  setNotice("replaced", loses(next) && message, ["Undo", () => replaceState(before, "This is what you had before.")], ["Dismiss"]);
  return showState(replaced.after, editor.replaceText);
}

const others = ({ text, tab, ...rest }) => JSON.stringify(rest);

// followUndo is called after each undo in the browser. The browser restores only the text. If that
// brings back the text from before the last replaceState, followUndo restores the rest of the state.
export function followUndo() {
  if (!replaced || editor.value() !== replaced.before.text || others(snapshot()) !== others(replaced.after)) return;
  setNotice("replaced", "");
  showState({ ...replaced.before, tab: state.tab }, editor.replaceText);
}

// redo is called before each redo in the browser. If the last undo reverted replaceState, redo
// brings back the state that replaceState made. In that case, redo also prevents the browser's own
// redo, because Chromium would lose the first line of the text.
export function redo(event) {
  if (!replaced || editor.value() !== replaced.before.text || others(snapshot()) !== others(replaced.before)) return;
  event.preventDefault();
  showState({ ...replaced.after, tab: state.tab }, editor.replaceText);
}

// Saving the state in the address of the page.

const longest = 1 << 20; // bytes; all browsers support an address of this length

let lastFragment = null;
let isKept = true; // whether a reload keeps the state

// save stores the state in the address of the page, so that a reload keeps it.
export const save = latest(async () => {
  const kept = { version: disk.version, edited: editor.value() !== disk.text }; // at the same moment as the snapshot
  const fragment = await toFragment(snapshot());
  isKept = fragment.length < longest;
  if (isKept) {
    lastFragment = fragment;
    history.replaceState(kept, "", fragment);
  }
  setNotice("save", isKept ? "" : "The address of the page cannot hold all of this, so there is no link, and reloading the page loses your changes.");
});

export const saveLater = debounce(300, save);

// link returns the address that contains the state, or null if the state is too long for it.
export async function link() {
  await save();
  return isKept ? location.href : null;
}

// load shows the state in the address, and returns true. If the address contains no state, load
// returns false.
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
