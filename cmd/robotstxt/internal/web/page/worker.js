// A worker that runs the engine, robotstxt.wasm. The file wasm_exec.js comes with Go.

importScripts("wasm_exec.js");

const ready = (async () => {
  const go = new Go();
  const response = await fetch("robotstxt.wasm");
  if (!response.ok) throw new Error(`robotstxt.wasm: ${response.status}`);
  const { instance } = await WebAssembly.instantiate(await response.arrayBuffer(), go.importObject);
  go.run(instance);
})();

onmessage = async ({ data: { id, request, text } }) => {
  try {
    await ready;
    postMessage({ id, answer: robotstxtAnswer(request, text) });
  } catch (error) {
    postMessage({ id, error: `The engine does not run in this browser: ${error.message}` });
  }
};
