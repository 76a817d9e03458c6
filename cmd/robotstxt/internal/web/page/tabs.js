// The tabs: arrow keys go from one to the next, as the ARIA pattern has it.

const tabs = [...document.querySelectorAll("[role=tab]")];
let listener = () => {};

// onTab calls listen with the name of the tab that is chosen.
export function onTab(listen) {
  listener = listen;
}

export const tabNames = tabs.map((tab) => tab.getAttribute("aria-controls"));

export function showTab(name) {
  for (const tab of tabs) {
    const selected = tab.getAttribute("aria-controls") === name;
    tab.setAttribute("aria-selected", String(selected));
    tab.tabIndex = selected ? 0 : -1;
    document.getElementById(tab.getAttribute("aria-controls")).hidden = !selected;
  }
  listener(name);
}

for (const [i, tab] of tabs.entries()) {
  tab.addEventListener("click", () => showTab(tabNames[i]));
  tab.addEventListener("keydown", (event) => {
    const step = { ArrowRight: 1, ArrowLeft: -1 }[event.key];
    if (!step) return;
    const next = (i + step + tabs.length) % tabs.length;
    showTab(tabNames[next]);
    tabs[next].focus();
  });
}
