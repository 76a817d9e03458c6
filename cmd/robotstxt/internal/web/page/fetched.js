// The form that fetches a site's robots.txt. The server of the page sends the request to the
// site, because browsers do not let the page read the file of another site.

import { byId, el } from "./dom.js";

// offerFetch calls take with each answer. If take returns a sentence, the form shows it after what the server
// says. If there is no function fetchSite, offerFetch hides the form.
export function offerFetch(fetchSite, take) {
  const form = byId("fetch");
  form.hidden = !fetchSite;
  form.addEventListener("submit", async (event) => {
    event.preventDefault();
    const button = form.querySelector("button");
    button.disabled = true;
    showStatus(el("p", {}, "Fetching…"));
    const answer = await fetchFrom(fetchSite, byId("site").value.trim()).catch((error) => ({ meaning: error.message, access: "unknown" }));
    const addition = answer.meaning && take(answer);
    showStatus(answer.response && el("p", {}, answer.response), el("p", { class: answer.access && "disallowed" }, answer.meaning), addition && el("p", {}, addition));
    byId("fetched").hidden = !answer.meaning; // the server of the page does not answer
    button.disabled = false;
  });
}

async function fetchFrom(fetchSite, site) {
  const [, scheme] = /^([^/?#]*):\/\//.exec(site) ?? [];
  if (scheme && !/^https?$/i.test(scheme)) throw new Error("Only http and https URLs can be fetched.");
  return fetchSite(site);
}

function showStatus(...nodes) {
  byId("fetched").replaceChildren(...nodes.filter(Boolean));
  byId("fetched").hidden = false;
}
