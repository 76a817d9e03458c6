// Sitemaps that the user drops beside the field for URLs, or chooses. The engine reads pasted ones itself.

import { byId, typeInto, whileBusy } from "./dom.js";
import { setNotice } from "./notices.js";
import { readAll } from "./share.js";

const field = byId("urls");
const limit = 50 << 20; // bytes of an unpacked sitemap (sitemaps.org)

// offerSitemaps makes the tab with the field take files. The function list returns the engine's answer to a "list"
// request with a text.
export function offerSitemaps(list) {
  byId("sitemap").addEventListener("change", (event) => {
    add(event.target.files);
    event.target.value = ""; // so that the same file can be chosen again
  });
  const tab = byId("verdicts"); // not only the field: if a file misses it, the browser would leave the page
  tab.addEventListener("dragover", (event) => event.dataTransfer.types.includes("Files") && event.preventDefault());
  tab.addEventListener("drop", (event) => {
    if (!event.dataTransfer.files.length) return; // the browser inserts dropped text
    event.preventDefault();
    add(event.dataTransfer.files);
  });

  const add = (files) => whileBusy(async () => {
    const texts = await Promise.all([...files].map(read)).catch(() => null);
    const answers = (await Promise.all((texts ?? []).map(list))).filter(Boolean);
    const notes = texts ? answers.flatMap((answer) => answer.notes) : ["The sitemap is damaged, or larger than 50 MB."];
    setNotice("sitemap", notes.join(" "), ["Dismiss"]);
    const urls = answers.flatMap((answer) => answer.urls);
    const separator = field.value === "" || field.value.endsWith("\n") ? "" : "\n";
    if (urls.length) typeInto(field, field.value.length, field.value.length, `${separator}${urls.join("\n")}\n`);
  });
}

// read returns the text of a file, unpacked if it is compressed with gzip.
async function read(file) {
  const start = new Uint8Array(await file.slice(0, 2).arrayBuffer());
  const isPacked = start[0] === 0x1f && start[1] === 0x8b;
  const stream = isPacked ? file.stream().pipeThrough(new DecompressionStream("gzip")) : file.stream();
  return new TextDecoder().decode(await readAll(stream, limit));
}
