// The fetching of a site's robots.txt, which the server does.

import { byId, el } from "./dom.js";

// offerFetch shows the form if fetchSite is there. Use is called with a file that a
// crawler would read.
export function offerFetch(fetchSite, use) {
  const form = byId("fetch");
  form.hidden = !fetchSite;
  form.addEventListener("submit", async (event) => {
    event.preventDefault();
    const button = form.querySelector("button");
    button.disabled = true;
    show(el("p", {}, "Fetching…"));
    try {
      const result = await fetchSite(byId("site").value.trim());
      showResult(result);
      if (result.isFile) use(result.text);
    } catch (error) {
      show(el("p", { class: "disallowed" }, error.message));
    } finally {
      button.disabled = false;
    }
  });
}

function show(...nodes) {
  byId("fetched").replaceChildren(...nodes);
  byId("fetched").hidden = false;
}

function showResult(result) {
  show(
    el("ol", { class: "hops" }, ...result.hops.map((hop) =>
      el("li", {}, el("b", {}, hop.status ? String(hop.status) : "–"), " ", el("bdi", {}, hop.url), " ", el("small", {}, hop.note)))),
    el("p", {}, result.meaning),
  );
}
