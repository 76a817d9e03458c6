// The crawlers that have a column in the table. Each is shown as a chip with a button that
// removes the crawler. An input field adds crawlers, and suggests names.

import { button, byId, el } from "./dom.js";
import { replaceState, saveLater, state } from "./state.js";
import { nameOf } from "./verdict.js";

let shown = []; // the crawlers in the table
let ask = null;
let listener = () => {};

// offerAgents stores two functions for this module. The module calls askEngine to ask the engine a
// question, and calls listen whenever the crawlers in the table have changed.
export function offerAgents(askEngine, listen) {
  ask = askEngine;
  listener = listen;
}

// setAgents replaces the crawlers in the table. The engine replaces sets such as @ai with their
// crawlers, and drops duplicates.
export function setAgents(agents) {
  state.agents = agents.length ? agents : ["*"];
  listener();
  saveLater();
}

// addAgents adds crawlers to the table, before the others, so that they are in sight.
export const addAgents = (...agents) => setAgents([...agents, ...shown]);

// isShown reports whether the table has a column for the crawler.
export const isShown = (agent) => shown.includes(agent);

const fewAgents = 4; // more chips would leave too little room for the table

// showAgents shows the crawlers of the engine's answer to a "decide" request, and its notes about names. For a
// User-Agent header, such as "FooBot/2.1", the chip also shows the product token, "FooBot".
export function showAgents({ agents, notes, moreNamed }) {
  shown = agents.map(({ agent }) => agent);
  if (state.agents.length) state.agents = shown;
  byId("add-named").disabled = !moreNamed;
  byId("clear-agents").disabled = String(shown) === "*";
  byId("agent-note").textContent = notes.join(" ");
  const chips = agents.map(chipOf);
  const rest = chips.length > fewAgents ? chips.splice(fewAgents - 1) : [];
  const open = byId("agents").querySelector("details")?.open;
  const more = rest.length && el("li", { class: "chips-more" }, el("details", { open }, el("summary", {}, `${rest.length} more`), el("ul", { class: "chips" }, ...rest)));
  byId("agents").replaceChildren(...chips, more || "");
}

const chipOf = ({ agent, token }, i) => el(
  "li",
  { title: agent },
  el("span", {}, nameOf(agent)),
  token && token !== agent ? el("small", {}, `read as ${token}`) : null,
  button("×", () => removeAgent(i), { "aria-label": `Remove ${nameOf(agent)}` }),
);

function removeAgent(i) {
  setAgents(shown.filter((_, k) => k !== i));
  byId("agent").focus();
}

// drawNames fills the list of names that the input field suggests.
async function drawNames() {
  const answer = await ask("crawlers");
  if (!answer) return;
  byId("crawlers").replaceChildren(
    ...answer.named.map((token) => el("option", { value: token }, "in the file")),
    ...answer.crawlers.map((c) => el("option", { value: c.token }, c.about)),
    ...["@ai", "@search", "@all"].map((set) => el("option", { value: set }, "a set of crawlers")),
  );
}

byId("add-agent").addEventListener("submit", (event) => {
  event.preventDefault();
  const name = byId("agent").value.trim();
  if (name) addAgents(name);
  byId("agent").value = "";
});
byId("agent").addEventListener("focus", drawNames);
byId("add-named").addEventListener("click", async () => {
  const answer = await ask("crawlers");
  if (answer) addAgents(...answer.named);
});
byId("add-ai").addEventListener("click", () => addAgents("@ai"));
byId("clear-agents").addEventListener("click", () => replaceState({ agents: ["*"] }, "All crawlers were removed."));
