// The adapter of robots-parser, a library for JavaScript.
//
// usage: NODE_PATH=FOLDER/node_modules node robots_parser.cjs

const { createInterface } = require("node:readline");
const parser = require("robots-parser");

const text = (octets) => typeof octets === "string" ? octets : Buffer.from(octets.base64, "base64").toString();

// answer answers a question. The library needs the location of the file, and returns
// undefined for a URL that the file does not cover.
function answer(q) {
  if ((q.status ?? 200) !== 200) return { skip: "takes no status" };
  const url = text(q.url);
  const absolute = URL.canParse(url) ? url : new URL(url, "https://www.example.com").href;
  const allowed = parser(new URL("/robots.txt", absolute).href, text(q.robots)).isAllowed(absolute, text(q.agent));
  return { verdict: allowed === false ? "disallow" : "allow" };
}

createInterface({ input: process.stdin }).on("line", (line) => {
  const q = JSON.parse(line);
  let a;
  try {
    a = answer(q);
  } catch (error) {
    a = { error: String(error) };
  }
  process.stdout.write(JSON.stringify({ id: q.id, ...a }) + "\n");
});
