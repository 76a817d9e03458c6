// With "robotstxt serve FILE", the page shows a file from the disk. When the file changes, the page
// shows the new version. If the user has edited the text, the page asks before it replaces the text.

import * as editor from "./editor.js";
import { setNotice } from "./notices.js";
import { disk, kept, replaceState, saveLater, showState, snapshot } from "./state.js";

let readStart = null;

// startFrom gets the file on disk from the server, shows it, and returns the server's answer. The
// function read asks the server. If read fails, startFrom shows the error and returns an answer
// without a file. If the server has a file, the page then checks every second whether the file has
// changed on disk.
//
// If isLoaded is true, the page already shows a text from its address, and this text stays. There is
// one exception: if the user has reloaded the page, and the file on disk has changed since the page
// last read it, then startFrom calls update with the file.
export async function startFrom(read, isLoaded) {
  readStart = read;
  const start = await readStart().catch((error) => {
    setNotice("disk-error", error.message);
    return { text: "" };
  });
  if (!isLoaded) await showState({ ...snapshot(), text: start.text, name: start.name ?? "" });
  disk.version = isLoaded && kept ? kept.version : start.version;
  disk.text = isLoaded && kept?.edited ? null : editor.value();
  if (start.version) {
    setNotice("note", start.note);
    update(start);
    setTimeout(poll, 1000);
  }
  return start;
}

async function poll() {
  if (document.visibilityState !== "hidden") {
    try {
      update(await readStart(disk.version));
      setNotice("disk-error", "");
    } catch (error) {
      setNotice("disk-error", error.message);
    }
  }
  setTimeout(poll, 1000);
}

// update takes a new version of the file on disk. If the user has changed the text, update asks
// whether to replace it. Otherwise, update shows the new version.
function update({ name, version, text, note }) {
  if (version === disk.version) return;
  const isEdited = editor.value() !== disk.text;
  disk.version = version;
  disk.text = text;
  setNotice("note", note);
  saveLater();
  const show = () => replaceState({ text, name, isEdited: false }, `This is ${name} as it is on disk now.`);
  if (editor.value() === text) return;
  if (!isEdited) show();
  else setNotice("disk", `${name} has changed on disk, and you have changed it here.`, ["Show the file on disk", show], ["Keep mine"]);
}
