// The last line of `npm run lint`: how large the project is, beside its last release (tools/released-sizes.json; `node tools/sizes.js --release` writes it).
const { execFileSync } = require("node:child_process");
const { readFileSync, writeFileSync } = require("node:fs");
const { join } = require("node:path");
const ts = require("typescript");

const RELEASED = join(__dirname, "released-sizes.json");
const read = (file) => readFileSync(file, "utf8");
const files = execFileSync("git", ["ls-files"], { encoding: "utf8" }).trim().split("\n");
const isCode = (file) => /\.([cm]?[jt]sx?|css|py)$/.test(file) && !/\.generated\.ts$/.test(file);
const isTest = (file) => /^tests\/|\.test\.ts$|-under-test\.ts$/.test(file);
const linesOf = (file) => read(file).split("\n").length - 1;
const sum = (all) => all.reduce((total, each) => total + each, 0);

const product = files.filter(
  (file) => /^(provider|sdk|cli|emulator|fleet|plugin|tools)\//.test(file) && isCode(file) && !isTest(file),
);
const pages = files.filter((file) => /^docs\/.*\.md$/.test(file));

/** How many members the interfaces have that a type fills in. */
function membersOf(file, name) {
  const source = ts.createSourceFile(file, read(file), ts.ScriptTarget.Latest);
  return source.statements.find((each) => ts.isInterfaceDeclaration(each) && each.name.text === name).members.length;
}

const sizes = {
  "lines of product": sum(product.map(linesOf)),
  "lines of tests": sum(files.filter((file) => isCode(file) && isTest(file)).map(linesOf)),
  "words of docs": sum(pages.map((file) => read(file).split(/\s+/).filter(Boolean).length)),
  "files of at most 30 lines": product.filter((file) => /\.tsx?$/.test(file) && linesOf(file) <= 30).length,
  "members of the contract":
    membersOf("provider/lifecycle/definition.ts", "ResourceDefinition") +
    membersOf("provider/lifecycle/observe/observable.ts", "Observable"),
};
const { version } = JSON.parse(read("package.json"));
if (process.argv.includes("--release")) writeFileSync(RELEASED, `${JSON.stringify({ version, sizes }, null, 2)}\n`);
const last = JSON.parse(read(RELEASED));
const shown = Object.entries(sizes).map(([what, now]) => `${now} ${what} (${last.sizes[what] ?? "?"})`);
console.log(`${shown.join(", ")}; in brackets ${last.version}`);
