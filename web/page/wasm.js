// The engine as WebAssembly, in a worker so that typing never waits for it.

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

export function ask(request) {
  const id = count++;
  worker.postMessage({ id, request: JSON.stringify(request) });
  return new Promise((resolve, reject) => waiting.set(id, { resolve, reject }));
}

// Browsers let no page read the robots.txt of another site.
export const fetchSite = null;

export const start = async () => ({ text: "", site: "" });
