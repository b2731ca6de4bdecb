import { readFileSync } from "node:fs";
import { join } from "node:path";
import { RESOURCE_TYPES, dynamicToken, nativeToken } from "../../provider/resources/resource-types";
import { RESOURCES } from "../../provider/resources/registry";
import { SETTINGS } from "../../provider/base/settings";
import { currentVersion, FILES, Recorded } from "./recorded";
import { resourcesOf } from "./state-file";
import { STORIES } from "./stories";

const current = Recorded.all().filter(({ name }) => name.startsWith(`${currentVersion()}/`));

const programs = Object.keys(STORIES).map((name) =>
  readFileSync(join(__dirname, "stories", name, FILES.program), "utf8"),
);
const words = new Set(programs.join("\n").match(/\w+/g));
// A newer kind is in no program yet: it has to be added before the next states are written (write.ts).
test("this version has states of every kind in a program: else run `node tests/upgrade/write-states.js`", () => {
  const types = current.flatMap((recorded) => resourcesOf(recorded.read("state")).map(({ type }) => type));
  // A Deployment makes its Rollout itself.
  const played = RESOURCE_TYPES.filter((kind) => kind === "Rollout" || words.has(kind));
  expect(types).toEqual(expect.arrayContaining([...played.map(dynamicToken), ...played.map(nativeToken)]));
});

/** The others are filled in by the SDK's classes. */
const isGiven = (name: string): boolean => !["__progressUrn", "showData", "assistantVersion"].includes(name);
const accesses = new Set(programs.join("\n").match(/(?<=\.)\w+/g));
test.each<[of: string, names: readonly string[]]>([
  ["Deployment", RESOURCES.Deployment.inputs.properties.filter(isGiven)],
  ["OAuthProvider", RESOURCES.OAuthProvider.inputs.properties.filter(isGiven)],
  ["RunCheck", RESOURCES.RunCheck.inputs.properties.filter(isGiven)],
  ["SandboxTemplate", RESOURCES.SandboxTemplate.inputs.properties],
  ["Platform", SETTINGS],
])("every argument of a %s is in a program, so that the next states have it", (_of, names) => {
  expect(names.filter((name) => !words.has(name))).toEqual([]);
});

/** Outputs that no class has. */
const INTERNAL = /^(__\w+|adoption|origin|keyMark|followedRevisionId|durationsMs)$/;
test("every output that is not an argument is used by a program", () => {
  const outputs = current.flatMap((recorded) =>
    resourcesOf(recorded.read("state"))
      .filter(({ type, external }) => !external && RESOURCE_TYPES.some((kind) => dynamicToken(kind) === type))
      .flatMap(({ inputs, outputs: recordedOutputs }) =>
        Object.keys(recordedOutputs).filter((name) => inputs[name] === undefined),
      ),
  );
  expect([...new Set(outputs)].filter((name) => !INTERNAL.test(name) && !accesses.has(name))).toEqual([]);
});
