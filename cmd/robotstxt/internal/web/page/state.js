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
  agents: ["Googlebot", "bingbot", "GPTBot", "*"],
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

// Replacing the state. The browser's undo restores only the text; the functions below restore the
// rest of the state, too.

let replaced = kept?.replaced ?? null; // what the last replacement changed: before, after, and the message about it

const isEntered = (name, value) => value && ![String(defaults[name]), "*"].includes(String(value));
const losesAny = (before, after) => entered.some((name) => name in after && isEntered(name, before[name]) && String(before[name]) !== String(after[name]));

// loses reports whether replaceState(next) would replace something that the user entered.
export const loses = (next) => losesAny(snapshot(), next);

// replaceState sets the members of the state that next contains, and keeps the other members. If
// the user thereby loses input, a notice shows the message and a button that undoes the replacement.
// If next.text replaces a text that is not the user's, the button restores the user's last text.
export function replaceState(next, message) {
  const now = snapshot();
  if ("text" in next) next = { name: now.name, isEdited: true, access: "", ...next };
  const change = { before: pick(now, Object.keys(next)), after: next };
  if ("text" in next && !isYours() && replaced && "text" in replaced.before) {
    Object.assign(change.before, replaced.before);
    change.after = { ...replaced.after, ...next };
  }
  replaced = { ...change, message: losesAny(change.before, change.after) ? message : "" };
  offerUndo();
  return showState({ ...now, ...next }, editor.replaceText);
}

function offerUndo() {
  const dismiss = () => {
    replaced.message = "";
    saveLater();
  };
  setNotice("replaced", replaced?.message, ["Undo", undo], ["Dismiss", dismiss]);
}

function undo() {
  const { before } = replaced;
  replaced = null;
  replaceState(before, "This is what you had before.");
}

// isAt reports whether the state has the members of another state, except those that a change of the
// text resets.
function isAt(other) {
  const now = snapshot();
  return Object.keys(other).every((name) => ["name", "isEdited", "access"].includes(name) || String(now[name]) === String(other[name]));
}

// followUndo is called after each undo in the browser. The browser restores only the text. If that
// brings back the text from before the last replaceState, followUndo restores the rest of the state,
// and returns true.
export function followUndo() {
  if (!replaced || !isAt({ ...replaced.after, text: replaced.before.text })) return false;
  setNotice("replaced", "");
  showState({ ...snapshot(), ...replaced.before }, editor.replaceText);
  return true;
}

// redo is called before each redo in the browser. If the last undo reverted replaceState, redo
// brings back the state that replaceState made. In that case, redo also prevents the browser's own
// redo, because Chromium would lose the first line of the text.
export function redo(event) {
  if (!replaced || !("text" in replaced.before) || !isAt(replaced.before)) return;
  event.preventDefault();
  showState({ ...snapshot(), ...replaced.after }, editor.replaceText);
}

// Saving the state in the address of the page.

const longest = 1 << 20; // bytes; all browsers support an address of this length

let lastFragment = null;
let isKept = true; // whether a reload keeps the state

// save stores the state in the address of the page, so that a reload keeps it. A reload also keeps
// what Undo brings back, and which file on disk the text is from; links do not contain that.
export const save = latest(async () => {
  const keep = { version: disk.version, edited: editor.value() !== disk.text, replaced }; // at the same moment as the snapshot
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
  offerUndo();
  return Boolean(next);
}

onTab((name) => {
  state.tab = name;
  saveLater();
});
addEventListener("hashchange", () => load((next) => replaceState({ ...defaults, ...next }, "The link has replaced what was here.")));
addEventListener("beforeunload", (event) => {
  if (!isKept) event.preventDefault();
});
