import { readFileSync } from "node:fs";
import { join, relative } from "node:path";
import { z } from "zod";
import { cliPage } from "../../tools/docs/cli-page";
import { programFor } from "../../cli/program";
import { SOURCE_NAMES } from "../../provider/resources/deployment/sources";
import { sources } from "../support/sources";
import { blocksOf } from "./blocks";
import { problemsOf } from "./compiled";
import { pages, read, recordedBlocks, ROOT } from "./pages";

/** Their blocks are excerpts of files, which tests of their own compare. */
const EXCERPTS = ["docs/internals/adding-a-resource.md", "docs/policies.md"];
const shown = pages().map((file) => ({ page: relative(ROOT, file), text: read(file) }));
const { scripts } = z
  .object({ scripts: z.record(z.string(), z.string()) })
  .parse(JSON.parse(readFileSync(join(ROOT, "package.json"), "utf8")));

/** The blocks of a language. */
const blocks = (text: string, languages: string): string[] =>
  [...text.matchAll(new RegExp(`^\`\`\`(?:${languages})(?: \\[.*\\])?\\n([^]*?)^\`\`\`$`, "gm"))].map(
    ([, block = ""]) => block,
  );

test("docs/cli.md is what `npm run docs` makes of the tree of commands", async () => {
  expect(read(join(ROOT, "docs", "cli.md"))).toBe(await cliPage());
});

test("the program of docs/start.md is the README's", () => {
  const readme = blocksOf("README.md", read(join(ROOT, "README.md"))).find(({ language }) => language === "ts");
  expect(read(join(ROOT, "docs", "start.md"))).toContain(readme?.code);
});

test("docs/start.md destroys what it has made", () => {
  const recorded = new Map(
    recordedBlocks(read(join(ROOT, "docs", "start.md"))).map(({ name, output }) => [name, output]),
  );
  const objects = (step: string, what: string): string[] =>
    [...(recorded.get(step) ?? "").matchAll(new RegExp(`^ [-+] +(\\S+ \\S+) ${what} \\(`, "gm"))].map(
      ([, row = ""]) => row,
    );
  const made = objects("start-up", "created");
  expect(made).toHaveLength(4);
  expect(objects("destroy", "deleted").sort()).toEqual(made.sort());
});

test("the messages in the headings of docs/troubleshooting.md are those of the sources", () => {
  const headings = read(join(ROOT, "docs", "troubleshooting.md")).match(/^### .+$/gm) ?? [];
  const messages = headings.flatMap((heading) =>
    [...heading.matchAll(/`([^`]+)`/g)].map(([, message = ""]) => message),
  );
  const texts = ["provider", "sdk", "cli"]
    .flatMap(sources)
    .map((file) => read(join(ROOT, file)))
    .join("\n")
    // A long text goes on in the next line.
    .replace(/["`] \+\s+["`]/g, "");
  const isThere = (message: string): boolean => message.split("…").every((part) => texts.includes(part.trim()));
  expect(isThere("is in the workspace … of nobody at all")).toBe(false);
  expect(messages.length).toBeGreaterThan(20);
  expect(messages.filter((message) => !isThere(message))).toEqual([]);
});

describe("programs of the pages", () => {
  const programs = shown
    .filter(({ page }) => !EXCERPTS.includes(page))
    .flatMap(({ page, text }) => blocks(text, "ts|typescript").map((code, at) => [`${page} ${at + 1}`, code] as const));

  const wrong = 'import { Deployment } from "pulumi-agent-platform";\nnew Deployment("a", { sauce: "github" });\n';
  let problems: readonly string[];
  // All at once: most of the time of a compiler is its start.
  beforeAll(() => (problems = problemsOf(new Map([...programs, ["wrong", wrong]]))), 300_000);

  test("are many, and compile as a reader's would", () => {
    expect(programs.length).toBeGreaterThan(30);
    expect(problems.filter((problem) => !problem.startsWith("wrong: "))).toEqual([]);
  });

  test("a check that can fail", () => {
    expect(problems.join()).toMatch(/wrong: .*sauce/);
  });
});

describe("docs/examples", () => {
  const page = read(join(ROOT, "docs", "reference", "deployment.md"));
  test.each(["github", "external_docker", "internal_docker"])("the page of deployments has one from %s", (source) => {
    expect(SOURCE_NAMES).toContain(source);
    expect(blocks(page, "ts").some((code) => code.includes(`source: "${source}"`))).toBe(true);
  });

  const names = z.record(z.string(), z.unknown());
  const schema = z
    .object({ resources: names, functions: names })
    .parse(JSON.parse(read(join(ROOT, "plugin", "schema.json"))));
  const snake = (name: string): string => name.replace(/(?<=[a-z])[A-Z]/g, "_$&").toLowerCase();
  const namesIn = (part: object): string[] => Object.keys(part).map((token) => token.split(":").at(-1) ?? "");
  const reference = shown.filter((each) => each.page.startsWith("docs/reference/"));
  const groups = reference.flatMap(({ text }) => text.match(/^::: code-group\n[^]*?^:::$/gm) ?? []);

  test.each(namesIn(schema.resources))("one has %s in each language", (kind) => {
    const forms = {
      ts: `new ${kind}(`,
      python: `.${kind}(`,
      go: `.New${kind}(`,
      yaml: `type: agent-platform:${kind}\n`,
    };
    const isThere = (group: string): boolean =>
      Object.entries(forms).every(([language, form]) => blocks(group, language).join("\n").includes(form));
    expect(groups.some(isThere)).toBe(true);
  });

  test.each(namesIn(schema.functions))("one calls %s in each language", (name) => {
    const inGo = new RegExp(
      `\\.(?:${name.charAt(0).toUpperCase()}${name.slice(1)}|${name.replace("get", "Lookup")})\\(`,
    );
    const forms = { ts: `${name}Output(`, python: `.${snake(name).replace("oauth", "o_auth")}(`, yaml: `:${name}\n` };
    const isThere = (group: string): boolean =>
      inGo.test(blocks(group, "go").join()) &&
      Object.entries(forms).every(([language, form]) => blocks(group, language).join().includes(form));
    expect(groups.some(isThere)).toBe(true);
  });
});

describe("commands of the pages", () => {
  const lines = shown.flatMap(({ page, text }) =>
    blocks(text, "sh|console").flatMap((block) =>
      block.split("\n").map((line) => ({ page, line: line.replace(/^\$ /, "") })),
    ),
  );

  test("of npm are scripts of the package", () => {
    const wrong = lines.filter(({ line }) => {
      const name = /\bnpm run (?:-s )?([\w:-]+)/.exec(line)?.[1];
      return name !== undefined && !(name in scripts);
    });
    expect(wrong).toEqual([]);
  });

  test("of ours have these options", async () => {
    const wrong: string[] = [];
    for (const { page, line } of lines) {
      const [, name, rest = ""] = /\bnpx pulumi-agent-platform ([a-z]+)(.*)/.exec(line) ?? [];
      if (name === undefined) continue;
      const command = (await programFor([name])).commands.find((each) => each.name() === name);
      // What stands in quotes is the value of an option.
      const flags = [...rest.replace(/'[^']*'/g, "").matchAll(/(?<=\s)--[a-z-]+/g)].map(([flag]) => flag);
      const known = command?.options.map(({ long }) => long) ?? [];
      if (command === undefined || flags.some((flag) => !known.includes(flag) && flag !== "--help"))
        wrong.push(`${page}: ${line}`);
    }
    expect(wrong).toEqual([]);
  });

  test("a console block that shows an output was recorded: it names its step, and begins with its command", () => {
    const all = shown.flatMap(({ text }) => blocks(text, "console")).length;
    const recorded = shown.flatMap(({ text }) => recordedBlocks(text));
    expect(recorded).toHaveLength(all);
    expect(recorded.filter(({ output }) => output.trim() === "")).toEqual([]);
  });
});
