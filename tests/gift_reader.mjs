// Reads GIFT with gift-pegjs and writes what it found as JSON: node gift_reader.mjs FILE
// The second argument is the folder in which `npm install gift-pegjs` was said.
import { createRequire } from "node:module";
import { readFileSync } from "node:fs";
const { parse } = createRequire(process.argv[3] + "/")("gift-pegjs");
console.log(JSON.stringify(parse(readFileSync(process.argv[2], "utf8"))));
