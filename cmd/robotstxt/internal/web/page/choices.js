// Rules from choices, on the tab "AI": two rows of buttons for what the user wants, the proof of what that
// changes, and a button that changes the file.

import { byId, el, latest } from "./dom.js";
import * as editor from "./editor.js";
import { replaceState } from "./state.js";

const form = byId("choices");
let ask = null;
let text = ""; // the changed file

// offerChoices stores the function that asks the engine.
export function offerChoices(askEngine) {
  ask = askEngine;
}

// prove shows what the choices would change in the file.
export const prove = latest(async () => {
  const choices = ["training", "search"].filter((name) => form[name].value).map((name) => `${name}=${form[name].value}`).join();
  const answer = choices && await ask("choose", { choices, preferences: form.preferences.checked });
  text = answer?.text ?? "";
  byId("proof").replaceChildren(...(answer?.proof ?? []).map((sentence) => el("li", {}, sentence)));
  byId("choose").disabled = !answer || text === editor.value();
});

form.addEventListener("change", prove);
form.addEventListener("submit", async (event) => {
  event.preventDefault();
  await prove(); // the file may have changed since the last proof
  if (text) replaceState({ text }, "Your choices have changed the file.");
});
