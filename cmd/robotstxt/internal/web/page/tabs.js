// The tabs: arrow keys, Home and End move between them, as in the ARIA pattern for tabs.

const tabs = [...document.querySelectorAll("[role=tab]")];
let listener = () => {};

// onTab sets the function that is called with the name of a tab when the page shows the tab.
export function onTab(listen) {
  listener = listen;
}

export const tabNames = tabs.map((tab) => tab.getAttribute("aria-controls"));

export function showTab(name) {
  for (const [i, tab] of tabs.entries()) {
    const selected = tabNames[i] === name;
    tab.setAttribute("aria-selected", String(selected));
    tab.tabIndex = selected ? 0 : -1;
    document.getElementById(tabNames[i]).hidden = !selected;
  }
  listener(name);
}

for (const [i, tab] of tabs.entries()) {
  tab.addEventListener("click", () => showTab(tabNames[i]));
  tab.addEventListener("keydown", (event) => {
    const next = { ArrowRight: i + 1, ArrowLeft: i - 1, Home: 0, End: -1 }[event.key];
    if (next === undefined) return;
    event.preventDefault(); // Home and End would scroll
    const k = (next + tabs.length) % tabs.length;
    showTab(tabNames[k]);
    tabs[k].focus();
  });
}
