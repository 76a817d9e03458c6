// The form that fetches a site's robots.txt. The server of the page sends the request to the
// site, because browsers do not let the page read the file of another site.

import { byId, el } from "./dom.js";

// offerFetch shows the form, and calls onFetched with each answer.
export function offerFetch(fetchSite, onFetched) {
  const form = byId("fetch");
  form.hidden = false;
  form.addEventListener("submit", async (event) => {
    event.preventDefault();
    const button = form.querySelector("button");
    button.disabled = true;
    showStatus(el("p", {}, "Fetching…"));
    try {
      const answer = await fetchSite(byId("site").value.trim());
      showStatus(hopList(answer.hops), el("p", {}, answer.meaning));
      onFetched(answer);
    } catch (error) {
      showStatus(el("p", { class: "disallowed" }, error.message));
    } finally {
      button.disabled = false;
    }
  });
}

function showStatus(...nodes) {
  byId("fetched").replaceChildren(...nodes);
  byId("fetched").hidden = false;
}

const hopList = (hops) => el("ol", { class: "hops" }, ...hops.map((hop) =>
  el("li", {}, el("b", {}, hop.status ? String(hop.status) : "–"), " ", el("bdi", {}, hop.url), " ", el("small", {}, hop.note))));
