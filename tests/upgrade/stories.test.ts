import { execFileSync } from "node:child_process";
import { existsSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { RESOURCE_TYPES, dynamicToken } from "../../provider/resources/resource-types";
import { RESOURCES } from "../../provider/resources/registry";
import { SETTINGS } from "../../provider/base/settings";
import { inputRows } from "../../provider/lifecycle/fields/table";
import { FILES, Recorded, STATES, versions } from "./recorded";
import { resourcesOf } from "./state-file";
import { STORIES } from "./stories";
import { refuseRewriting } from "./write";

const programs = Object.keys(STORIES).map((name) =>
  readFileSync(join(__dirname, "stories", name, FILES.program), "utf8"),
);
const words = new Set(programs.join("\n").match(/\w+/g));
const KINDS = RESOURCE_TYPES.filter((kind) => kind !== "Rollout" && kind !== "Listener");
test("every kind is in a program, so that the next states have it", () => {
  expect(KINDS.filter((kind) => !words.has(kind))).toEqual([]);
});

test("a state keeps a program of its own only if its story has another one now", () => {
  const stored = Recorded.all("dynamic")
    .map(({ name }) => join(STATES, name, FILES.program))
    .filter(existsSync);
  expect(stored.filter((file) => programs.includes(readFileSync(file, "utf8")))).toEqual([]);
  for (const recorded of Recorded.all()) expect(recorded.read("program")).toMatch(/platform/);
});

test.each(versions())("the package of %s is recorded", (version) => {
  const list = execFileSync("tar", ["-tzf", join(STATES, version, FILES.package)], { encoding: "utf8" });
  expect(list.split("\n")).toEqual(expect.arrayContaining(["package/package.json", "package/plugin/server.js"]));
});

test("the states of a released version are never rewritten", () => {
  expect(() => refuseRewriting("1.0.0", "unreleased", true)).toThrow("1.0.0 is released");
  expect(() => refuseRewriting("1.0.0", "1.0.0", false)).toThrow("--again");
  expect(() => refuseRewriting("1.0.0", "1.0.0", true)).not.toThrow();
});

/** The others are filled in by the SDK's classes. */
const isGiven = (name: string): boolean => !["__progressUrn", "showData", "assistantVersion"].includes(name);
const accesses = new Set(programs.join("\n").match(/(?<=\.)\w+/g));
test.each<[of: string, names: readonly string[]]>([
  ...KINDS.map((kind): [string, string[]] => [
    kind,
    inputRows(RESOURCES[kind].table.fields)
      .map(([name]) => name)
      .filter(isGiven),
  ]),
  ["Platform", SETTINGS],
])("every argument of a %s is in a program, so that the next states have it", (_of, names) => {
  expect(names.filter((name) => !words.has(name))).toEqual([]);
});

/** Outputs that no class has. */
const INTERNAL = /^(__\w+|adoption|origin|keyMark|followedRevisionId|durationsMs)$/;
test("every output that is not an argument is used by a program", () => {
  const outputs = Recorded.all().flatMap((recorded) =>
    resourcesOf(recorded.read("state"))
      .filter(({ type, external }) => !external && RESOURCE_TYPES.some((kind) => dynamicToken(kind) === type))
      .flatMap(({ inputs, outputs: recordedOutputs }) =>
        Object.keys(recordedOutputs).filter((name) => inputs[name] === undefined),
      ),
  );
  expect([...new Set(outputs)].filter((name) => !INTERNAL.test(name) && !accesses.has(name))).toEqual([]);
});
