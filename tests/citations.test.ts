import { existsSync, readdirSync, readFileSync, statSync } from "node:fs";
import { dirname, extname, join, relative } from "node:path";
import { z } from "zod";

/**
 * A citation is the path of a document, alone or followed by a comma and a place. The place goes on to the next `.`, `;`, `:`, `)`, quote, backtick or end of the line.
 * It is a heading of that document in any case of letters, or a numbered trap or promise.
 */
const CITATION = /\bdocs\/((?:internals\/)?[\w-]+\.md)(?:, ?([^.;:)"`\n]*))?/g;
/** A trap or a promise without its document. */
const HOMELESS = /(?<!docs\/internals\/[\w-]+\.md, )\b(?:trap|promise) \d+\b/gi;

const root = join(__dirname, "..");
const CITING = ["provider", "sdk", "emulator", "cli", "tools", "tests", "bench", "examples"];
const SHIPPED = ["provider", "sdk", "emulator", "cli"];
/** The documents that a comment cites with a place, since they are long and explain why the code is as it is. */
const SOURCES = new Set(["internals/design.md", "internals/engine.md", "internals/platform.md"]);
const EXTENSIONS = new Set([".ts", ".tsx", ".js", ".mjs", ".go", ".md"]);

const read = (file: string): string => readFileSync(join(root, file), "utf8");

/** All files of these folders that may cite, but for this one, which has examples of wrong citations. */
function filesIn(folders: readonly string[]): string[] {
  const files = folders.flatMap((folder) =>
    readdirSync(join(root, folder), { recursive: true, encoding: "utf8" })
      .filter((file) => EXTENSIONS.has(extname(file)) && !file.includes("node_modules"))
      .map((file) => join(folder, file)),
  );
  return files.filter((file) => file !== relative(root, __filename) && statSync(join(root, file)).isFile());
}

const DOCUMENTS = readdirSync(join(root, "docs"), { recursive: true, encoding: "utf8" }).filter((file) =>
  file.endsWith(".md"),
);
const PAGES = [
  "README.md",
  "CONTRIBUTING.md",
  "CHANGELOG.md",
  "SECURITY.md",
  ...DOCUMENTS.map((file) => join("docs", file)),
];

const withoutCode = (markdown: string): string => markdown.replace(/^```[^]*?^```/gm, "");
const plain = (heading: string): string => heading.replace(/[`*\\]/g, "").trim();
const headingsOf = (markdown: string): string[] =>
  [...withoutCode(markdown).matchAll(/^#+ +(.+)$/gm)].map(([, heading = ""]) => plain(heading));

/** The anchors that a page sets itself, as for its traps. */
const ownAnchorsOf = (markdown: string): string[] =>
  [...withoutCode(markdown).matchAll(/<a id="([^"]+)"><\/a>/g)].map(([, anchor = ""]) => anchor);

/** The places of a document that can be cited, in lower case. */
function placesOf(markdown: string): Set<string> {
  const headings = headingsOf(markdown);
  const traps = ownAnchorsOf(markdown).flatMap((anchor) => {
    const [, number] = /^trap-(\d+)$/.exec(anchor) ?? [];
    return number === undefined ? [] : `trap ${number}`;
  });
  const [, promises = ""] = markdown.split(/^## Promises$/m);
  const numbers = [...(promises.split(/^## /m)[0] ?? "").matchAll(/^(\d+)\. /gm)];
  const all = [...headings, ...traps, ...numbers.map(([, number = ""]) => `promise ${number}`)];
  return new Set(all.map((place) => place.toLowerCase()));
}

const places = new Map(DOCUMENTS.map((file) => [file, placesOf(read(join("docs", file)))]));

/** The wrong citations of a text, each with the reason. @param needsPlace A document of {@link SOURCES} is not cited without a place. */
function problemsOf(text: string, needsPlace: boolean): string[] {
  const wrong = [...text.matchAll(CITATION)].flatMap(([citation, document = "", place]) => {
    const known = places.get(document);
    if (known === undefined) return [`${citation}: there is no such document`];
    const wanted = plain(place?.replace(/\*\/\s*$/, "") ?? "").toLowerCase();
    if (place === undefined) return needsPlace && SOURCES.has(document) ? [`${citation}: which heading?`] : [];
    return known.has(wanted) ? [] : [`${citation.trim()}: there is no such heading`];
  });
  const homeless = needsPlace ? [...text.matchAll(HOMELESS)].map(([cited]) => `${cited}: of which document?`) : [];
  return [...wrong, ...homeless];
}

describe("citations", () => {
  test.each<[why: string, text: string]>([
    ["no such document", "// See docs/dreams.md."],
    ["no such heading", "// See docs/internals/design.md, Destination."],
    ["more than the heading", "// (docs/internals/platform.md, Stream modes, rule 2)"],
    ["no such trap", "// (docs/internals/engine.md, trap 99)"],
    ["a part of a number", "// (docs/internals/engine.md, trap 2 9)"],
    ["no such promise", "// (docs/internals/design.md, promise 12)"],
    ["a trap of the wrong document", "// (docs/internals/design.md, trap 1)"],
    ["no place", "// (docs/internals/platform.md)"],
    ["no document", "// refused there (promise 6)"],
  ])("a check that can fail: %s", (_why, text) => {
    expect(problemsOf(text, true)).toHaveLength(1);
  });

  const files = filesIn(CITING);

  test("there are many", () => {
    expect(files.flatMap((file) => [...read(file).matchAll(CITATION)]).length).toBeGreaterThan(100);
  });

  test("in sources name a place that is there", () => {
    expect(files.flatMap((file) => problemsOf(read(file), true).map((problem) => `${file}: ${problem}`))).toEqual([]);
  });

  test("in pages name a place that is there", () => {
    expect(PAGES.flatMap((file) => problemsOf(read(file), false).map((problem) => `${file}: ${problem}`))).toEqual([]);
  });

  test("in the package's files name documents that the package holds", () => {
    const cited = filesIn(SHIPPED).flatMap((file) =>
      [...read(file).matchAll(CITATION)].map(([, document = ""]) => `docs/${document}`),
    );
    expect([...new Set(cited)].filter((document) => !isShipped(document))).toEqual([]);
  });
});

/** The entries of the package's `files`: what begins with `!` stays out. */
const FILES = z.object({ files: z.array(z.string()) }).parse(JSON.parse(read("package.json"))).files;
const isShipped = (path: string): boolean =>
  ["README.md", "LICENSE", "package.json", ...FILES].some((entry) => path === entry || path.startsWith(`${entry}/`));

describe("what ships", () => {
  /** A file or a folder of the repository that stays there. */
  const hidden = /(?<![\w/.-])(?:tests|tools|bench)\/[\w*-]+|\bREADME, [A-Z]\w+/g;

  test.each<[why: string, text: string, wrong: number]>([
    ["a file of the tests", "// See tests/structure.test.ts", 1],
    ["a folder of the tools", "/** Written by tools/generate. */", 1],
    ["a heading of the README", "`see README, The native plugin`", 1],
    ["a page", "// See docs/waiting.md", 0],
    ["a part of another path", "https://example.com/tests/a", 0],
  ])("a check that can fail: %s", (_why, text, wrong) => {
    expect(text.match(hidden) ?? []).toHaveLength(wrong);
  });

  test("no comment and no message of the package names a file that the package lacks", () => {
    const sources = filesIn(SHIPPED).filter((file) => /\.(ts|js)$/.test(file) && !file.endsWith(".test.ts"));
    const wrong = sources.flatMap((file) => (read(file).match(hidden) ?? []).map((path) => `${file}: ${path}`));
    expect(wrong).toEqual([]);
  });

  test("a page of the package links to nothing that the package lacks", () => {
    const wrong = PAGES.filter(isShipped).flatMap((page) =>
      linksOf(read(page)).flatMap(({ path }) => {
        const target = path === "" ? page : join(dirname(page), path);
        return isShipped(target) ? [] : [`${page}: ${target}`];
      }),
    );
    expect(wrong).toEqual([]);
  });
});

/** The relative links of a page: a path, empty for the page itself, and a heading's anchor. */
function linksOf(markdown: string): { readonly path: string; readonly anchor: string }[] {
  const links = [...withoutCode(markdown).matchAll(/\]\(([^)\s]+)\)/g)].map(([, target = ""]) => target);
  return links
    .filter((target) => !/^[a-z]+:/i.test(target))
    .map((target) => {
      const [path = "", anchor = ""] = target.split("#");
      return { path, anchor };
    });
}

/** The anchors that a page's headings have, as code hosts make them. */
function anchorsOf(markdown: string): Set<string> {
  const seen = new Map<string, number>();
  const anchors = headingsOf(markdown).map((heading) => {
    const slug = heading
      .toLowerCase()
      .replace(/[^\p{L}\p{N}\s_-]/gu, "")
      .replace(/\s/g, "-");
    const before = seen.get(slug) ?? 0;
    seen.set(slug, before + 1);
    return before === 0 ? slug : `${slug}-${before}`;
  });
  return new Set([...anchors, ...ownAnchorsOf(markdown)]);
}

function brokenLinks(page: string, markdown: string): string[] {
  return linksOf(markdown).flatMap(({ path, anchor }) => {
    const file = join(dirname(page), path);
    if (path !== "" && !existsSync(join(root, file))) return [`${page}: ${path} is not there`];
    if (anchor === "") return [];
    const there = anchorsOf(path === "" ? markdown : read(file));
    return there.has(anchor) ? [] : [`${page}: ${path} has no heading #${anchor}`];
  });
}

describe("relative links", () => {
  test.each<[why: string, markdown: string]>([
    ["no such trap", "[a](internals/engine.md#trap-99)"],
    ["no such file", "[a](dreams.md)"],
    ["no such heading", "[a](internals/design.md#destination)"],
  ])("a check that can fail: %s", (_why, markdown) => {
    expect(brokenLinks("docs/page.md", markdown)).toHaveLength(1);
  });

  test.each(PAGES)("in %s lead somewhere", (page) => {
    expect(brokenLinks(page, read(page))).toEqual([]);
  });
});

describe("the traps of the engine", () => {
  const [, list = ""] = read("docs/internals/engine.md").split("\n## Traps\n");
  const traps = list.split(/\n(?=- )/).slice(1);

  test("are numbered in their order, and each has the anchor of its number", () => {
    const heads = traps.map((trap) => /^- <a id="trap-\d+"><\/a>\*\*\d+\.\*\*/.exec(trap)?.[0]);
    expect(heads).toEqual(traps.map((_, index) => `- <a id="trap-${index + 1}"></a>**${index + 1}.**`));
    expect(traps.length).toBeGreaterThan(50);
  });

  test("each names a test that is there, or says that it has none", () => {
    const silent = traps.filter((trap) => {
      const [, file] = /\s`([\w/.-]+\.test\.ts)`\s*$/.exec(trap) ?? [];
      return file === undefined
        ? !/\sNo test\b[^.]*?(?:; `[^`]+` does so)?\.\s*$/.test(trap)
        : !existsSync(join(root, file));
    });
    expect(silent).toEqual([]);
  });
});
