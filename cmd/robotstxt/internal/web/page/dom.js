// Helpers for the document. They never parse HTML, so text from files and URLs cannot act as
// markup.

export const byId = (id) => document.getElementById(id);

// el makes an element. Properties that start with "on" are listeners; all others are
// attributes. Children are nodes or strings; null is skipped.
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

// urlNode returns an element for a URL, or a part of one. It reads from left to right, even if its first letters do
// not: otherwise, the path would seem to be a part of the host.
export const urlNode = (text, kind = "witness") => el("bdi", { dir: "ltr", class: kind }, text);

export const button = (label, run, properties = {}) => el("button", { type: "button", onclick: run, ...properties }, label);

// plural returns a number and a noun, such as "1 line" or "2 lines".
export const plural = (n, noun) => `${n.toLocaleString("en")} ${noun}${n === 1 ? "" : "s"}`;

// busy adds change, which is 1 or -1, to the number of tasks in progress. Tests read this
// number from the attribute data-busy of the document.
function busy(change) {
  const root = document.documentElement;
  root.dataset.busy = Number(root.dataset.busy ?? 0) + change;
}

// whileBusy calls work, an asynchronous function. The page counts as busy until work is done.
export async function whileBusy(work) {
  busy(1);
  try {
    return await work();
  } finally {
    busy(-1);
  }
}

// debounce returns a function that calls run after a delay. Another call of that function during
// the delay restarts the delay. If isWork is true, the page counts as busy from the first call
// until run is done.
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

// latest returns a function, start, that calls the asynchronous function run. If start is
// called while run is in progress, run is called once more afterwards. The result of start is
// a promise, which is resolved when run has ended and no other call of run is due.
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

// onFrame returns a function that calls draw before the browser's next paint. Several calls
// before this paint cause only one call of draw.
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

// typeInto replaces the text between two indexes of a field as if the user had typed newText,
// so that the browser's undo brings back the old text. A long newText is set directly, because
// typing it would take the browser seconds.
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

// copy puts text on the clipboard and reports whether that worked. First, copy tries
// navigator.clipboard, which does not exist if the page comes from another machine over http. If
// this fails, copy selects the text in a temporary field and executes the command "copy".
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
