import { execFileSync } from "node:child_process";
import { readdirSync, readFileSync } from "node:fs";
import { join, relative, resolve } from "node:path";
import { KINDS, providerString } from "../provider/kinds";

const root = join(__dirname, "..");

function sources(folder: string): string[] {
  return readdirSync(join(root, folder), { recursive: true, encoding: "utf8" })
    .filter((file) => file.endsWith(".ts") && !file.endsWith(".test.ts") && !file.includes("node_modules"))
    .map((file) => join(folder, file));
}

/** What a file imports: folders of this repository, and names of packages. */
function importsOf(file: string): string[] {
  const text = readFileSync(join(root, file), "utf8");
  const names = [...text.matchAll(/(?:from|import|require)\s*\(?\s*"([^"]+)"/g)].map((match) => match[1] ?? "");
  return names.map((name) =>
    name.startsWith(".") ? (relative(root, resolve(root, file, "..", name)).split("/")[0] ?? "") : name,
  );
}

/** The arrows between folders: each may import itself and these, and no other folder of the repository. */
const ARROWS: Readonly<Record<string, readonly string[]>> = {
  emulator: [],
  provider: [],
  sdk: ["provider"],
  cli: ["emulator", "provider"],
  tools: [],
};
const FOLDERS = [...Object.keys(ARROWS), "tests", "examples", "bench"];

describe("arrows between folders", () => {
  test.each(Object.entries(ARROWS))("%s imports no other folder than %j", (folder, allowed) => {
    const files = sources(folder);
    expect(files.length).toBeGreaterThan(0);
    const wrong = files.flatMap((file) =>
      importsOf(file)
        .filter((name) => FOLDERS.includes(name) && name !== folder && !allowed.includes(name))
        .map((name) => `${file} imports ${name}`),
    );
    expect(wrong).toEqual([]);
  });

  test("examples import the package by its name alone", () => {
    const names = new Set(sources("examples").flatMap(importsOf));
    expect([...names].filter((name) => FOLDERS.includes(name) && name !== "examples")).toEqual([]);
    expect(names).toContain("pulumi-agent-platform");
  });
});

describe("what is loaded", () => {
  const loadedBy = (script: string): string[] => {
    const code = `${script}; console.log(JSON.stringify(Object.keys(require.cache)))`;
    const output = execFileSync(process.execPath, ["-e", code], { cwd: root, encoding: "utf8" });
    const files: unknown = JSON.parse(output);
    return Array.isArray(files) ? files.map((file) => relative(root, String(file))) : [];
  };
  const packages = (files: string[]): Set<string> =>
    new Set(files.flatMap((file) => /^node_modules\/((?:@[^/]+\/)?[^/]+)/.exec(file)?.[1] ?? []));

  test("by the SDK: neither axios nor zod", () => {
    const loaded = packages(loadedBy('require("./dist/sdk")'));
    expect(loaded).toContain("@pulumi/pulumi");
    expect([...loaded].filter((name) => ["axios", "zod", "hono", "commander"].includes(name))).toEqual([]);
  });

  test("by the provider before its first request: no axios, and never the SDK or the emulator", () => {
    const files = loadedBy('require("./dist/provider").handlers.Deployment');
    expect([...packages(files)].filter((name) => ["axios", "hono", "commander"].includes(name))).toEqual([]);
    expect(files.filter((file) => /^dist\/(sdk|emulator)/.test(file))).toEqual([]);
  });
});

describe("what stands in every state", () => {
  test.each(KINDS)("the code of %s is a short constant", (kind) => {
    expect(providerString(kind).length).toBeLessThanOrEqual(120);
  });

  test("it has never changed: a change would leave every state of an older version without its code", () => {
    expect(KINDS.map(providerString)).toEqual([
      'exports.handler = () => require("pulumi-agent-platform/provider").handlers.Deployment;',
      'exports.handler = () => require("pulumi-agent-platform/provider").handlers.Rollout;',
      'exports.handler = () => require("pulumi-agent-platform/provider").handlers.OAuthProvider;',
      'exports.handler = () => require("pulumi-agent-platform/provider").handlers.SandboxTemplate;',
      'exports.handler = () => require("pulumi-agent-platform/provider").handlers.RunCheck;',
    ]);
  });
});

test("the README has a row for every kind", () => {
  const readme = readFileSync(join(root, "README.md"), "utf8");
  for (const kind of KINDS) expect(readme).toMatch(new RegExp(`^\\| \`${kind}\``, "m"));
  expect(readme.split("\n").length).toBeLessThanOrEqual(250);
});
