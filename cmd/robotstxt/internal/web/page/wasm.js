// The engine as WebAssembly, in workers so that typing never waits for it. There are two,
// so that verdicts do not wait for a review or a comparison either.

const verdicts = newEngine();
const reviews = newEngine();

export function ask(request) {
  const engine = request.op === "decide" || request.op === "list" ? verdicts : reviews;
  return engine(request);
}

// Browsers let no page read the robots.txt of another site.
export const fetchSite = null;

export const start = async () => ({ text: "" });

// newEngine starts a worker and returns the function that asks it.
function newEngine() {
  const worker = new Worker("worker.js");
  const waiting = new Map();
  let count = 0;

  worker.onmessage = ({ data: { id, answer, error } }) => {
    const { resolve, reject } = waiting.get(id);
    waiting.delete(id);
    if (error) reject(new Error(error));
    else resolve(JSON.parse(answer));
  };
  worker.onerror = () => {
    for (const { reject } of waiting.values()) reject(new Error("The engine does not start in this browser."));
    waiting.clear();
  };

  return (request) => {
    const id = count++;
    worker.postMessage({ id, request: JSON.stringify(request) });
    return new Promise((resolve, reject) => waiting.set(id, { resolve, reject }));
  };
}
