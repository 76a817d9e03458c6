// The state of the page. The address of the page contains the state, so that people can share
// it as a link.

import { byId, debounce, latest } from "./dom.js";
import * as editor from "./editor.js";
import { setNotice } from "./notices.js";
import { fromFragment, toFragment } from "./share.js";
import { onTab, showTab, tabNames } from "./tabs.js";

// The state of a page on which nothing was entered.
const defaults = {
  text: "",
  name: "", // of the file: the URL that it was fetched from, or its name on disk
  isEdited: false, // whether the text may differ from the file of that name
  access: "", // why the last fetch found no file; otherwise empty (see engine.Access)
  before: null, // the old version of the file
  urls: "",
  agents: [], // that the user has chosen; if there are none, the engine chooses
  site: "",
  aiURL: "/",
  tab: tabNames[0],
};

// The members of the state that people enter. The others follow from what they do.
const entered = ["text", "before", "urls", "agents", "site", "aiURL"];

// The part of the page's state that is not in its input fields.
export const state = pick(defaults, ["name", "isEdited", "access", "before", "agents", "tab"]);

// The version and text of the file on disk, as the server last sent them.
export const disk = { version: "", text: null };

// What save stored before the page was reloaded; null if the page was not reloaded.
export const kept = history.state;

function pick(from, names) {
  return Object.fromEntries(names.map((name) => [name, from[name]]));
}

// snapshot returns the whole state, including what is in the input fields.
export const snapshot = () => ({ ...state, text: editor.value(), urls: byId("urls").value, site: byId("site").value, aiURL: byId("ai-url").value });

// isYours reports whether the user has typed or changed the text, or has it on disk. A text that was
// fetched and not changed can be fetched again.
export const isYours = () => editor.value() !== "" && !(state.name.includes("://") && !state.isEdited);

let listener = () => {};

// onShow sets the function that showState calls after it has shown a state.
export function onShow(listen) {
  listener = listen;
}

function isValid(name, value) {
  if (name === "before") return value === null || typeof value === "string";
  if (name === "agents") return Array.isArray(value) && value.every((agent) => typeof agent === "string");
  return typeof value === typeof defaults[name];
}

// showState replaces the current state with the state next, and shows it. A member that next lacks
// gets its default value. The function setText puts the text of the file into the editor.
export function showState(next, setText = editor.openText) {
  const valid = { ...defaults };
  for (const name in defaults) {
    if (isValid(name, next[name])) valid[name] = next[name];
  }
  byId("urls").value = valid.urls;
  byId("site").value = valid.site;
  byId("ai-url").value = valid.aiURL;
  byId("before").value = valid.before ?? "";
  setText(valid.text);
  Object.assign(state, pick(valid, Object.keys(state))); // after setText, because a change of the text resets access
  showTab(tabNames.includes(valid.tab) ? valid.tab : tabNames[0]);
  return listener();
}

// Replacing the state. Each replacement that loses something can be undone with a button, also after a
// reload. The browser's undo restores only the text; followUndo and redo do the rest.

const mostUndos = 5;

let undos = kept?.undos ?? []; // the replacements that the button undoes, the last one last
let last = null; // the last replacement, for the browser's undo: what was there before and after it

const isEntered = (name, value) => value && ![String(defaults[name]), "*"].includes(String(value)) && (name !== "text" || isYours());

// loses reports whether replaceState(next) would replace something that the user entered.
export function loses(next) {
  const now = snapshot();
  return entered.some((name) => name in next && isEntered(name, now[name]) && String(now[name]) !== String(next[name]));
}

// replaceState sets the members of the state that next contains, and keeps the other members. If
// the user thereby loses input, a notice shows the message and a button that undoes the replacement.
export function replaceState(next, message) {
  const now = snapshot();
  if ("text" in next) next = { name: now.name, isEdited: true, access: "", ...next };
  last = { before: pick(now, Object.keys(next)), after: next, message };
  if (loses(next)) undos = [...undos, last].slice(-mostUndos);
  offerUndo();
  return showState({ ...now, ...next }, editor.replaceText);
}

function offerUndo() {
  const dismiss = () => {
    undos = [];
    saveLater();
  };
  setNotice("replaced", undos.at(-1)?.message, ["Undo", undo], ["Dismiss", dismiss]);
}

// undo restores what was there before the last replacement. If the user has changed it since, that can be
// undone, too.
function undo() {
  const { before, after } = undos.at(-1);
  const now = snapshot();
  undos = undos.slice(0, -1);
  if (entered.some((name) => name in after && String(now[name]) !== String(after[name]))) return replaceState(before, "This is what you had before.");
  last = null;
  offerUndo();
  return showState({ ...now, ...before }, editor.replaceText);
}

// isAt reports whether the state has the members of another state, except those that a change of the
// text resets.
function isAt(other) {
  const now = snapshot();
  return entered.every((name) => !(name in other) || String(now[name]) === String(other[name]));
}

// followUndo is called after each undo in the browser. The browser restores only the text. If that
// brings back the text from before the last replaceState, followUndo restores the rest of the state,
// and returns true.
export function followUndo() {
  if (!last || !isAt({ ...last.after, text: last.before.text })) return false;
  undos = undos.filter((change) => change !== last);
  offerUndo();
  showState({ ...snapshot(), ...last.before }, editor.replaceText);
  return true;
}

// redo is called before each redo in the browser. If the last undo reverted replaceState, redo
// brings back the state that replaceState made. In that case, redo also prevents the browser's own
// redo, because Chromium would lose the first line of the text.
export function redo(event) {
  if (!last || !("text" in last.before) || !isAt(last.before)) return;
  event.preventDefault();
  replaceState(last.after, last.message);
}

// Saving the state in the address of the page.

const longest = 1 << 20; // bytes; all browsers support an address of this length

let lastFragment = null;
let isKept = true; // whether a reload keeps the state

// save stores the state in the address of the page, so that a reload keeps it. A reload also keeps
// what Undo brings back, and which file on disk the text is from; links do not contain that.
export const save = latest(async () => {
  const keep = { version: disk.version, edited: editor.value() !== disk.text, undos }; // at the same moment as the snapshot
  const fragment = await toFragment(snapshot());
  isKept = fragment.length < longest;
  if (isKept) {
    lastFragment = fragment;
    history.replaceState(keep, "", fragment);
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
// returns false. Unless isOwn is true, the address is a link from somebody else, who may have changed the
// text of the file.
export async function load(show = showState, isOwn = kept !== null) {
  if (location.hash === lastFragment) return true;
  let next = null;
  try {
    next = await fromFragment(location.hash);
    setNotice("link", "");
  } catch {
    setNotice("link", "The link is damaged: its content cannot be read.");
  }
  if (next) await show(isOwn ? next : { ...next, isEdited: true });
  offerUndo();
  return Boolean(next);
}

onTab((name) => {
  state.tab = name;
  saveLater();
});
addEventListener("hashchange", () => load((next) => replaceState({ ...defaults, ...next }, "The link has replaced what was here."), false));
addEventListener("beforeunload", (event) => {
  if (!isKept) event.preventDefault();
});
