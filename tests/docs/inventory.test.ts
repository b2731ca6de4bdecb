import { existsSync, readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { z } from "zod";
import { allBlocks, isWalked, type Block } from "./blocks";
import { pages, read, ROOT } from "./pages";

/** Why a block is not run: the only reasons there are. */
const REASONS = [
  // Its commands are scripts of the repository, which the package does not have; the repository's own tests are behind each of them.
  "a checkout of the repository",
  // Postgres, S3, a collector of traces, an agent: tests/backends, tests/engine and tests/official play the same with servers of their own.
  "a server",
  // Variables that name somebody's proxy or CA: tests/security has one of each.
  "a network of your own",
];
const COMMANDS = ["sh", "bash", "shell", "console"];
const PROGRAMS = ["ts", "typescript", "js", "yaml", "json", "python", "go", "csharp", "java"];
/** Outputs, drawings, and what docs/cli.md says of each command (which a test compares with the commands). */
const TEXTS = ["", "text"];
/** Their programs are excerpts of files, which excerpts.test.ts compares. */
const EXCERPTS = ["docs/internals/adding-a-resource.md"];

const blocks = allBlocks();
const placeOf = ({ page, line, language }: Block): string => `${page}:${line} (${language})`;
const walked = blocks.filter(isWalked);
const examples = readdirSync(join(ROOT, "docs", "examples")).map((file) =>
  readFileSync(join(ROOT, "docs", "examples", file), "utf8"),
);

const converted = z
  .record(z.string(), z.record(z.string(), z.string()))
  .parse(JSON.parse(read(join(ROOT, "docs", "examples", "converted.json"))));
const inTabs = Object.entries(converted).flatMap(([yaml, others]) => [yaml, ...Object.values(others)]);
/** Without indentation: a tab of a function shows the call alone. */
const plain = (code: string): string => code.replace(/\s+/g, " ").trim();

/** How it is known that a block is right; undefined where nobody knows. */
function proofOf({ page, language, code, mark }: Block): string | undefined {
  if (mark !== undefined) return mark.kind;
  if (TEXTS.includes(language)) return /^\$ /m.test(code) ? undefined : "nothing to run";
  if (walked.some((each) => each.code === code)) return "its text is walked elsewhere";
  if (examples.includes(code)) return "an example, run by tests/docs/examples.long.test.ts";
  if (inTabs.some((program) => plain(program).includes(plain(code))))
    return "a tab, compiled by tests/docs/languages.long.test.ts, or in Java by tests/docs/registry-pages.long.test.ts";
  if (!["ts", "typescript"].includes(language)) return undefined;
  return EXCERPTS.includes(page) ? "an excerpt" : "compiled by tests/docs/pages.test.ts";
}

test("every block that is a program or a command is run, compiled, or excused", () => {
  expect(blocks.length).toBeGreaterThan(140);
  const unknown = blocks.filter(({ language }) => ![...COMMANDS, ...PROGRAMS, ...TEXTS].includes(language));
  expect(unknown.map(placeOf)).toEqual([]);
  expect(blocks.filter((block) => proofOf(block) === undefined).map(placeOf)).toEqual([]);
});

test("no block hides in a list or a quote, and no mark stands alone", () => {
  for (const page of pages()) {
    const text = read(page);
    expect([page, /^(?:[ >]+```|[-*] .*```\w*$| {0,3}~~~)/m.test(text)]).toEqual([page, false]);
    const marks = text.match(/<!-- (?:walk|recorded|run by|not run):/g)?.length ?? 0;
    const used = blocks.filter((block) => join(ROOT, block.page) === page && block.mark !== undefined).length;
    expect([page, marks]).toEqual([page, used]);
  }
});

const WALK = join(ROOT, "tests", "docs", "walk");
const walk = readdirSync(WALK).map((file) => readFileSync(join(WALK, file), "utf8"));

test("what is marked as walked is what the walk runs", () => {
  const names = walk.flatMap((text) =>
    [...text.matchAll(/\b(?:run|save|take|declare|inAnotherTerminal)\(\s*"([\w-]+)"/g)].map(([, name]) => name),
  );
  expect([...new Set(walked.map(({ mark }) => mark?.text))].sort()).toEqual([...new Set(names)].sort());
});

test("the pages have each command that the walk types from a sentence", () => {
  const typed = walk.flatMap((text) => {
    const pageNames = new Map([...text.matchAll(/const (\w+) = "(docs\/.*)";/g)].map(([, name, page]) => [name, page]));
    return [...text.matchAll(/\.type\((?:(\w+)|"(.*?)"), "(.*?)"/g)].map(
      ([, name, page = pageNames.get(name) ?? "", command = ""]) => ({ page, command }),
    );
  });
  expect(typed.length).toBeGreaterThan(5);
  const missing = typed.filter(
    ({ page, command }) => !read(join(ROOT, page)).replace(/\s+/g, " ").includes(`\`${command}\``),
  );
  expect(missing).toEqual([]);
});

test("blocks of one step are the same", () => {
  const different = walked.filter(({ mark, code }) =>
    walked.some((other) => other.mark?.text === mark?.text && other.code !== code),
  );
  expect(different.map(placeOf)).toEqual([]);
});

test("the tests that the marks name take their blocks from the pages", () => {
  const named = blocks.flatMap(({ mark }) => (mark?.kind === "run by" ? mark.text : []));
  const silent = [...new Set(named)].filter(
    (file) => !existsSync(join(ROOT, file)) || !readFileSync(join(ROOT, file), "utf8").includes("blocksRunBy("),
  );
  expect(silent).toEqual([]);
});

test("a block is excused for one of these reasons, and each is needed", () => {
  const given = blocks.flatMap(({ mark }) => (mark?.kind === "not run" ? mark.text : []));
  expect([...new Set(given)].sort()).toEqual([...REASONS].sort());
});
