import { existsSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { z } from "zod";
import { holdTheRules, Workflows } from "./rules";

const ROOT = join(__dirname, "..", "..");
const workflows = new Workflows(".github/workflows");
const { names } = workflows;
const read = (file: string): string => readFileSync(join(ROOT, file), "utf8");

holdTheRules(workflows);

test("each job may do no more than this", () => {
  const may = names.flatMap((name) => {
    const { jobs, permissions } = workflows.of(name);
    return Object.entries(jobs).map(([job, { permissions: own = permissions, environment = "" }]) => [
      `${name} ${job}`,
      own,
      environment,
    ]);
  });
  const readsCode = { contents: "read" };
  expect(may).toEqual([
    ["release.yml build", readsCode, ""],
    ["release.yml sign", { attestations: "write", "id-token": "write" }, "release"],
    ["release.yml npm", { "id-token": "write" }, "npm"],
    ["release.yml pypi", { "id-token": "write" }, "pypi"],
    ["release.yml publish", { contents: "write" }, "release"],
    ["test.yml test", readsCode, ""],
    ["weekly.yml compat", readsCode, ""],
    ["weekly.yml long", readsCode, ""],
    ["weekly.yml report", { issues: "write" }, ""],
  ]);
});

test("no secret is needed, and no code of ours or of a package runs where a token may write", () => {
  for (const name of names) {
    expect(workflows.text(name)).not.toContain("secrets.");
    const { jobs, permissions } = workflows.of(name);
    for (const { permissions: own = permissions, steps } of Object.values(jobs)) {
      if (!Object.values(own).includes("write")) continue;
      expect(steps.filter(({ uses }) => uses?.startsWith("actions/checkout") === true)).toEqual([]);
      expect(steps.flatMap(({ run = "" }) => oursIn(run))).toEqual([]);
    }
  }
});

test.each(names)("%s: an action is pinned by its digest, with its version beside it", (name) => {
  const lines = workflows.text(name).match(/^.*\buses: .*$/gm) ?? [];
  expect(lines).toHaveLength(workflows.stepsOf(name).filter(({ uses }) => uses !== undefined).length);
  for (const line of lines) {
    expect(line).toMatch(/uses: [\w-]+\/[\w-]+@[0-9a-f]{40} # v\d+\.\d+\.\d+$/);
  }
});

test("an action is the same everywhere", () => {
  const used = names.flatMap((name) => workflows.stepsOf(name).flatMap(({ uses }) => uses ?? []));
  const digests = new Map(used.map((uses) => [uses.split("@")[0], uses]));
  expect([...new Set(used)].sort()).toEqual([...digests.values()].sort());
});

test("what only a forge can run is marked so, and nothing else is", () => {
  const onForgeAlone = names.flatMap((name) =>
    Object.entries(workflows.of(name).jobs).flatMap(([job, { steps }]) =>
      steps.some(({ run = "", uses = "" }) => /\b(?:gh|cosign) |npm publish/.test(run) || /pypi-publish/.test(uses))
        ? [`${name} ${job}`]
        : [],
    ),
  );
  const marked = names.flatMap((name) =>
    [...workflows.text(name).matchAll(/^ {2}# not run here: .+\n {2}([\w-]+):$/gm)].map(([, job]) => `${name} ${job}`),
  );
  expect(marked).toEqual(onForgeAlone);
});

/** Our commands in a script: those of the package's scripts, of its programs, and of CI. */
function oursIn(script: string): string[] {
  const begun =
    /(?:^|&&|\|\||;)\s*((?:npm (?:run|test|ci|start|exec|pack)|npx|node|python3?|go|\.ci\/\w+)\b[^\n|>&;]*)/gm;
  return [...script.matchAll(begun)].map(([, command = ""]) => command.trim());
}

/** Who runs each of our commands here: a file, and a text in it that names or does the same. */
const RUN_BY: Readonly<Record<string, readonly [file: string, text: string]>> = {
  ".ci/run": [".ci/run", "npm run test:all"],
  "npm ci": [".ci/run", "npm ci"],
  "npm run test:all": [".ci/run", "npm run test:all"],
  "npm run test:weekly": ["tests/jest/config.test.ts", 'played("weekly")'],
  "npm run compat": ["tests/compat/compat.weekly.test.ts", "await report("],
  "npm run models": ["tests/player/programs.test.ts", "await judge(programOf("],
  "npm run interleavings": ["tests/player/suite.ts", "explore(play, MOST)"],
  "npm run upgrades": ["tests/upgrade/player.both.test.ts", "played("],
  "npm run chaos:engine": ["tests/engine/player.native.test.ts", "played("],
  "npm run release -- --dry-run": ["tests/release/artefacts.ts", "await makeRelease("],
};

describe("every command of ours is run by a test, or by CI", () => {
  const ours = [...new Set(names.flatMap((name) => workflows.stepsOf(name).flatMap(({ run = "" }) => oursIn(run))))];

  test("each has a row, and no row is left", () => expect(ours.sort()).toEqual(Object.keys(RUN_BY).sort()));

  test.each(Object.entries(RUN_BY))("%s", (command, [file, text]) => {
    const { scripts } = z.object({ scripts: z.record(z.string(), z.string()) }).parse(JSON.parse(read("package.json")));
    const script = /^npm run (?:-s )?([\w:]+)/.exec(command)?.[1];
    if (script !== undefined) expect(Object.keys(scripts)).toContain(script);
    expect(existsSync(join(ROOT, file)) && read(file).includes(text)).toBe(true);
  });
});
