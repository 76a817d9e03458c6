// A link to the page contains the state of the page in its fragment, as compressed JSON. The
// state stays in the browser, because browsers never send a fragment to a server.

const prefix = "#1.";
const longest = 32 << 20; // bytes of JSON in a link, so that no link fills the memory

export async function toFragment(state) {
  const text = new TextEncoder().encode(JSON.stringify(state));
  const packed = await readAll(new Blob([text]).stream().pipeThrough(new CompressionStream("deflate-raw")), longest);
  return prefix + toBase64(packed);
}

// fromFragment returns the state that a fragment contains, or null if it contains none.
export async function fromFragment(fragment) {
  if (!fragment.startsWith(prefix)) return null;
  const packed = fromBase64(fragment.slice(prefix.length));
  const text = await readAll(new Blob([packed]).stream().pipeThrough(new DecompressionStream("deflate-raw")), longest);
  return JSON.parse(new TextDecoder().decode(text));
}

// readAll returns the bytes of a stream. If there are more than limit, it throws an error.
export async function readAll(stream, limit) {
  const chunks = [];
  let length = 0;
  for (const reader = stream.getReader(); ; ) {
    const { done, value } = await reader.read();
    if (done) break;
    chunks.push(value);
    length += value.length;
    if (length > limit) throw new Error("the stream is too long");
  }
  return new Uint8Array(await new Blob(chunks).arrayBuffer());
}

function toBase64(bytes) {
  let binary = "";
  for (let i = 0; i < bytes.length; i += 1 << 15) {
    binary += String.fromCharCode(...bytes.subarray(i, i + (1 << 15)));
  }
  return btoa(binary).replaceAll("+", "-").replaceAll("/", "_").replaceAll("=", "");
}

function fromBase64(text) {
  const binary = atob(text.replaceAll("-", "+").replaceAll("_", "/"));
  return Uint8Array.from(binary, (c) => c.charCodeAt(0));
}
