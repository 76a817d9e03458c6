// Helpers for the document. They never parse HTML, so text from files and URLs cannot act as
// markup.

export const byId = (id) => document.getElementById(id);

// el makes an element. A property that starts with "on" is a listener, "class" is the
// class, and all others are attributes. Children are nodes or strings; null is skipped.
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

export const button = (label, run, properties = {}) => el("button", { type: "button", onclick: run, ...properties }, label);

// plural returns "1 line" or "2 lines".
export const plural = (n, noun) => `${n.toLocaleString("en")} ${noun}${n === 1 ? "" : "s"}`;

// busy counts the tasks in progress: change is 1 when a task starts, and -1 when it ends. Tests
// read the count from the attribute data-busy of the document.
function busy(change) {
  const root = document.documentElement;
  root.dataset.busy = Number(root.dataset.busy ?? 0) + change;
}

// whileBusy runs work, an asynchronous function, and counts it as busy until it is done.
export async function whileBusy(work) {
  busy(1);
  try {
    return await work();
  } finally {
    busy(-1);
  }
}

// debounce returns a function that calls run after a delay. Another call during the delay
// starts the delay again. From the first call until run is done, the page counts as busy,
// unless isWork is false.
export function debounce(milliseconds, run, isWork = true) {
  const count = isWork ? busy : () => {};
  let timer = 0;
  return () => {
    if (timer) clearTimeout(timer);
    else count(1);
    timer = setTimeout(async () => {
      timer = 0;
      try {
        await run();
      } finally {
        count(-1);
      }
    }, milliseconds);
  };
}

// latest returns a function that calls run, an asynchronous function, but never while another
// call of run is in progress. All calls during a run together cause one more run. Each call
// returns a promise, which is resolved after the last run that is due.
export function latest(run) {
  let running = null;
  let again = false;
  const loop = async () => {
    try {
      while (again) {
        again = false;
        await run();
      }
    } finally {
      running = null;
    }
  };
  return () => {
    again = true;
    return (running ??= whileBusy(loop));
  };
}

// onFrame returns a function that calls draw just before the browser paints next. Several
// calls before that moment cause only one call of draw.
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

// typeInto replaces the text of a field from the index start to the index end with newText. The
// browser treats newText as typed, so its undo brings the old text back. A long text is set
// directly instead, because the browser would take seconds to type it.
export function typeInto(field, start, end, newText) {
  const focused = document.activeElement;
  field.focus({ preventScroll: true });
  field.setSelectionRange(start, end);
  const command = newText === "" ? "delete" : "insertText";
  const isTyped = newText.length < 50_000 && (start < end || newText !== "") && document.activeElement === field && document.execCommand(command, false, newText);
  if (!isTyped) {
    field.setRangeText(newText, start, end, "end");
    field.dispatchEvent(new Event("input"));
  }
  if (focused !== document.body) focused?.focus({ preventScroll: true });
}

// copy puts text on the clipboard and reports whether that worked. If the page was loaded from
// another machine over http, there is no navigator.clipboard.
export async function copy(text) {
  try {
    await navigator.clipboard.writeText(text);
    return true;
  } catch {
    const area = el("textarea", { class: "visually-hidden", "aria-hidden": "true" });
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
