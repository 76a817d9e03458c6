// The notices at the top of the page. They report problems and changes, and have buttons
// for what the user can do.

import { button, byId, el } from "./dom.js";

// setNotice sets the notice about a topic. An empty text removes the notice. Each action is a
// pair: the label of a button, and the function that the button calls. Every button also
// removes the notice. A notice without actions is a warning.
export function setNotice(topic, text, ...actions) {
  const old = byId(`notice-${topic}`);
  if (!text) return old?.remove();
  if (old && !actions.length && old.textContent === text) return;
  const node = el("div", { id: `notice-${topic}`, class: actions.length ? "notice" : "notice warning" }, el("p", {}, text));
  for (const [label, run] of actions) {
    node.append(button(label, () => {
      node.remove();
      byId("text").focus();
      run?.();
    }));
  }
  if (old) old.replaceWith(node);
  else byId("notices").append(node);
}
