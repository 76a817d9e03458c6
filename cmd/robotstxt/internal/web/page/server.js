// The engine for the page of "robotstxt serve". Each function sends a request to the server.

import { setNotice } from "./notices.js";

// post says here, and nowhere else, that the server does not answer. The error then has no message.
async function post(path, body) {
  const response = await fetch(path, {
    method: "POST",
    headers: { "Content-Type": "application/json" },
    body: JSON.stringify(body),
  }).catch(() => null);
  setNotice("server", !response && "The program that serves this page does not answer. Was it stopped? Until it answers, the page cannot follow what you change.");
  if (!response) throw new Error("");
  if (!response.ok) throw new Error((await response.text()).trim());
  return response.json();
}

export const ask = (request) => post("api/answer", request);

export const fetchSite = (site) => post("api/fetch", { site });

// readStart asks the server for the file on disk (its name, version and text), and for other data
// that the page needs when it opens. The page calls readStart again to learn whether the file has
// changed. If version is the file's current version, the answer contains no text.
export const readStart = (version = "") => post("api/start", { version });
