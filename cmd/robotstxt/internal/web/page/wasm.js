// The engine as WebAssembly. It runs in two workers: one for verdicts, and one for reviews and
// comparisons, which take longer. So verdicts never wait for a review.

const verdicts = newEngine();
const reviews = newEngine();

// ask sends the text separately, because quoting a large text in JSON is slow.
export function ask({ text, ...request }) {
  const engine = request.op === "decide" || request.op === "list" ? verdicts : reviews;
  return engine(JSON.stringify(request), text);
}

// Browsers do not let the page read the robots.txt files of other sites, and the page has no server
// that could fetch them.
export const fetchSite = null;

export const readStart = async () => ({ text: "", version: "", canFetch: false });

// newEngine starts a worker. It returns a function that asks the worker a question.
function newEngine() {
  const worker = new Worker("worker.js");
  const waiting = new Map();
  let count = 0;
  let failure = null;

  worker.onmessage = ({ data: { id, answer, error } }) => {
    const asked = waiting.get(id);
    waiting.delete(id);
    if (error) asked?.reject(new Error(error));
    else asked?.resolve(JSON.parse(answer));
  };
  worker.onerror = () => {
    failure = new Error("The engine does not start in this browser.");
    for (const { reject } of waiting.values()) reject(failure);
    waiting.clear();
  };

  return (request, text = "") => new Promise((resolve, reject) => {
    if (failure) return reject(failure);
    const id = count++;
    waiting.set(id, { resolve, reject });
    worker.postMessage({ id, request, text });
  });
}
