import { readdirSync, statSync } from "node:fs";
import { join } from "node:path";
import { newFolder, writeInto } from "./new-folder";
import { runProcess } from "./run-process";

const HOOK = `--require=${join(__dirname, "compiled-once.js")}`;
const MAIN = `#!/usr/bin/env node
const { basename } = require("node:path");
const other = require("./other");
console.log(other.name, basename(require.resolve("./other")), require.main === module, module.children.length);
console.log(Object.keys(require.cache).map((file) => basename(file)).filter((name) => !name.startsWith("compiled-once")).join());
console.log(typeof require.extensions[".js"], require.resolve.paths("any")[0] === __dirname + "/node_modules", this === exports);
for (const name of ["typed", "untyped"]) {
  try {
    console.log(require("./" + name).name);
  } catch (error) {
    console.log(error.code, error.name);
  }
}
other.load().then(({ default: text }) => console.log(text));
`;
const other = (name: string): string => `exports.name = "${name}"; exports.load = require("./load");`;

test("a script runs as without it, each time; what was compiled is taken, and that of another text is not", async () => {
  const folder = newFolder();
  writeInto(folder, "main.js", MAIN);
  writeInto(folder, "other.js", other("one"));
  writeInto(folder, "load.js", 'module.exports = () => import("./module.mjs");');
  writeInto(folder, "typed/package.json", '{ "type": "module" }');
  writeInto(folder, "untyped/package.json", "{}");
  for (const name of ["typed", "untyped"]) writeInto(folder, `${name}/index.js`, `export const name = "${name}";`);
  writeInto(folder, "module.mjs", 'export default "imported";');
  const run = async (options = HOOK): Promise<string> => {
    const environment = { PATH: process.env["PATH"], TMPDIR: folder, NODE_OPTIONS: options };
    const { code, stdout, stderr } = await runProcess(process.execPath, ["main.js"], folder, { environment });
    return `${code}: ${stdout}${code === 0 ? "" : stderr}`;
  };
  const cache = join(folder, "compiled-once");
  const kept = () => readdirSync(cache, { recursive: true, encoding: "utf8" }).map((file) => `${file} ${statSync(join(cache, file)).mtimeMs}`); // prettier-ignore

  const plain = await run("");
  expect(plain).toMatch(/^0: one other\.js true 1\n/);
  expect(await run()).toBe(plain);
  const first = kept();
  expect(first.length).toBeGreaterThan(1);
  expect(await run()).toBe(plain);
  expect(kept()).toEqual(first);

  // Of the same length, which is all that V8 compares.
  writeInto(folder, "other.js", other("two"));
  expect(await run()).toBe(plain.replace("one", "two"));
});
