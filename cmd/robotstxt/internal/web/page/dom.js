// Small helpers for the document. Text from files and URLs always goes through
// these, as text: nothing on the page is ever parsed as HTML.

export const byId = (id) => document.getElementById(id);

// el makes an element. Properties that start with "on" are listeners, those with a
// dash, "role", "title" and the like are attributes; children are nodes or strings.
export function el(tag, properties = {}, ...children) {
  const node = document.createElement(tag);
  for (const [name, value] of Object.entries(properties)) {
    if (value === undefined || value === null || value === false) continue;
    if (name.startsWith("on")) node.addEventListener(name.slice(2), value);
    else if (name === "class") node.className = value;
    else node.setAttribute(name, value === true ? "" : value);
  }
  node.append(...children.filter((child) => child !== null && child !== undefined));
  return node;
}

// plural returns "1 line" or "2 lines".
export const plural = (n, noun) => `${n.toLocaleString("en")} ${noun}${n === 1 ? "" : "s"}`;

// busy counts what is still to be done. The document says how much that is, for tests.
function busy(change) {
  const root = document.documentElement;
  root.dataset.busy = Number(root.dataset.busy ?? 0) + change;
}

// later returns a function that calls run once it has not been called for a while.
export function later(milliseconds, run) {
  let timer = 0;
  return () => {
    if (timer) clearTimeout(timer);
    else busy(1);
    timer = setTimeout(async () => {
      timer = 0;
      try {
        await run();
      } finally {
        busy(-1);
      }
    }, milliseconds);
  };
}

// newest returns a function that calls the asynchronous run, once more if it is
// called while that is under way, and never twice at a time.
export function newest(run) {
  let running = false;
  let again = false;
  return async () => {
    again = true;
    if (running) return;
    running = true;
    busy(1);
    try {
      while (again) {
        again = false;
        await run();
      }
    } finally {
      running = false;
      busy(-1);
    }
  };
}

// onFrame returns a function that calls draw before the browser next paints, however
// often it is called until then.
export function onFrame(draw) {
  let waiting = false;
  return () => {
    if (waiting) return;
    waiting = true;
    busy(1);
    requestAnimationFrame(() => {
      waiting = false;
      busy(-1);
      draw();
    });
  };
}

// copy puts text on the clipboard and reports whether that worked. Pages that do
// not come over https have no navigator.clipboard.
export async function copy(text) {
  try {
    await navigator.clipboard.writeText(text);
    return true;
  } catch {
    const area = el("textarea", { class: "hidden", "aria-hidden": "true" });
    const focused = document.activeElement;
    area.value = text;
    document.body.append(area);
    area.select();
    const done = document.execCommand("copy");
    area.remove();
    focused?.focus();
    return done;
  }
}
