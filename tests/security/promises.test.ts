import { existsSync, readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { z } from "zod";

const root = join(__dirname, "..", "..");
const read = (file: string): string => readFileSync(join(root, file), "utf8");

const [, section = ""] = /^## What the package promises\n([^]*?)^## /m.exec(read("SECURITY.md")) ?? [];
const promises = section
  .split(/^- /m)
  .slice(1)
  .map((promise) => [/^\*\*(.*?)\.\*\*/.exec(promise)?.[1] ?? promise, promise] as const);

test("SECURITY.md makes promises", () => expect(promises.length).toBeGreaterThan(3));

test.each(promises)("%s: the promise names the tests that hold it", (_promise, text) => {
  const tests = [...text.matchAll(/`([\w/.-]+\.test\.ts)`/g)].map(([, file = ""]) => file);
  expect(tests).not.toEqual([]);
  expect(tests.filter((file) => !existsSync(join(root, file)))).toEqual([]);
});

/** What Pulumi's SDK brings along. Its script warns of versions, and nothing lacks it. */
const PULUMIS = ["node_modules/protobufjs"];

test("nothing runs at install time, neither of this package nor, but for Pulumi's SDK, of what it depends on", () => {
  const { scripts } = z.object({ scripts: z.record(z.string(), z.string()) }).parse(JSON.parse(read("package.json")));
  expect(Object.keys(scripts).filter((name) => /^(pre|post)?install$/.test(name))).toEqual([]);
  const entry = z.object({
    hasInstallScript: z.boolean().optional(),
    dev: z.boolean().optional(),
    peer: z.boolean().optional(),
  });
  const { packages } = z.object({ packages: z.record(z.string(), entry) }).parse(JSON.parse(read("package-lock.json")));
  const running = Object.entries(packages).filter(([, each]) => each.hasInstallScript === true);
  expect(running.filter(([, { dev, peer }]) => dev !== true && peer !== true).map(([name]) => name)).toEqual(PULUMIS);
});

describe("the examples and the pages do as SECURITY.md says", () => {
  const linesOf = (...folders: string[]): string[] =>
    folders.flatMap((folder) =>
      readdirSync(join(root, folder), { recursive: true, encoding: "utf8" })
        .filter((file) => /\.(?:md|ya?ml)$/.test(file) && !/node_modules|venv|\.state/.test(file))
        .flatMap((file) =>
          read(join(folder, file))
            .split("\n")
            .map((line) => `${folder}/${file}: ${line.trim()}`),
        ),
    );

  test("workflows install without the scripts of packages", () => {
    const installs = linesOf("examples").filter((line) => /run: .*npm (?:ci|i|install)\b/.test(line));
    expect(installs.length).toBeGreaterThan(4);
    expect(installs.filter((line) => !line.endsWith("npm ci --ignore-scripts"))).toEqual([]);
  });

  test("no key is an argument of curl", () => {
    const inArguments = /(?:-H|--header) ["']?(?:X-Api-Key|Authorization):/i;
    expect(linesOf("examples", "docs").filter((line) => inArguments.test(line))).toEqual([]);
  });
});
