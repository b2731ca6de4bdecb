import { readdirSync, readFileSync } from "node:fs";
import { join, relative } from "node:path";
import { pages, ROOT } from "./pages";

// tests/citations.test.ts checks the other direction, from comments to pages, and the relative links of pages.
const FOLDERS = ["bench", "cli", "docs", "emulator", "examples", "plugin", "provider", "sdk", "tests", "tools"];
const MORE = ["CONTRIBUTING.md", "SECURITY.md", "emulator/README.md", "provider/README.md"];
const PATH = new RegExp(`(?<![\\w./@<-])(?:${FOLDERS.join("|")})/(?:[\\w./*-]|<[^>]*>|\\{[^}]*\\})*`, "g");
const GENERATED = /(^|\/)(node_modules|venv|dist|\.state)(\/|$)/;
const there = FOLDERS.flatMap((folder) =>
  readdirSync(join(ROOT, folder), { recursive: true, encoding: "utf8" }).map((path) => join(folder, path)),
).filter((path) => !GENERATED.test(path));

/** A command may leave out the end of a name, from a dot on: `npx jest tests/docs/paths`. */
function isThere(path: string): boolean {
  const glob = path.replace(/[./]+$/, "").replaceAll(".", "\\.");
  const pattern = new RegExp(`^${glob.replace(/\*+|<[^>]*>|\{[^}]*\}/g, ".*")}(\\..*)?$`);
  return GENERATED.test(path) || there.some((each) => pattern.test(each));
}
const missing = (page: string): string[] =>
  [...page.matchAll(/`[^`\n]+`|\]\([^)\s]+\)/g)]
    .flatMap(([span]) => span.match(PATH) ?? [])
    .filter((path) => !isThere(path));

test("a check that can fail", () =>
  expect(missing("`tests/no.ts` [a](cli/none) `docs/*.md` `tests/docs/...`")).toEqual(["tests/no.ts", "cli/none"]));

const all = [...pages().map((page) => relative(ROOT, page)), ...MORE];
const read = (file: string): string => readFileSync(join(ROOT, file), "utf8");
test.each(all)("%s names paths that are there", (page) => expect(missing(read(page))).toEqual([]));

test("each hop of docs/internals/one-update.md is a function that its file declares", () => {
  const hops = [...read("docs/internals/one-update.md").matchAll(/`([\w/-]+\.ts)`\s+`((?:\w+\.)?\w+)\(\)`/g)];
  expect(hops.length).toBeGreaterThan(20);
  const declares = (file: string, name: string): boolean =>
    new RegExp(`(?:function|class|const) ${name}\\b|^ +(?:async )?${name}[(<]`, "m").test(read(file));
  const lost = hops.filter(([, file = "", name = ""]) => !name.split(".").every((each) => declares(file, each)));
  expect(lost.map(([hop]) => hop)).toEqual([]);
});
