import { UNKNOWN, type JsonObject } from "../../base/json";
import type { Registered } from "../../lifecycle/observe/declarations";
import { unawaited } from "./unawaited";

const registered = (kind: string, id: string | undefined, inputs: JsonObject = {}): Registered => ({
  kind,
  urn: `urn:pulumi:dev::desk::agent-platform:index:${kind}::${id ?? ""}`,
  inputs,
  ...(id !== undefined && { id }),
});
const deployment = (id?: string, inputs?: JsonObject) => registered("Deployment", id, inputs);
const rollout = (deploymentId: string, inputs?: JsonObject) =>
  registered("Rollout", undefined, { deploymentId, ...inputs });
const at = (latestRevisionId: string) => ({ ...deployment("d-1"), outputs: { latestRevisionId } });

test.each<[string, Registered[], string[]]>([
  ["a deployment with its Rollout", [deployment("d-1"), rollout("d-1")], []],
  ["one without", [deployment("d-1")], ["d-1"]],
  ["one of two", [deployment("d-1"), deployment("d-2"), rollout("d-1")], ["d-2"]],
  ["the program says that nothing should wait", [deployment("d-1", { awaitRollout: false })], []],
  ["a deployment that this run leaves alone", [deployment()], []],
  ["a preview that makes both", [deployment(UNKNOWN), rollout(UNKNOWN)], []],
  ["a preview that makes only the deployment", [deployment(UNKNOWN)], [UNKNOWN]],
  [
    "a preview that makes two, and one Rollout: whose it is cannot be said",
    [deployment(UNKNOWN), deployment(UNKNOWN), rollout(UNKNOWN)],
    [],
  ],
  ["a preview that makes the Rollout of another one", [deployment("d-1"), rollout(UNKNOWN)], ["d-1"]],
  ["several, told once", [deployment("d-2"), deployment("d-1")], ["d-1", "d-2"]],
  ["a Rollout of the revision that this run makes", [at("r-2"), rollout("d-1", { revisionId: "r-2" })], []],
  ["one that asks the deployment", [at("r-2"), { ...rollout("d-1", { revisionId: null }), id: "d-1" }], []],
  ["one that names no revision, so that none changes it", [at("r-2"), rollout("d-1")], ["d-1"]],
  ["one of an earlier revision, as an import writes it", [at("r-2"), rollout("d-1", { revisionId: "r-1" })], ["d-1"]],
  ["the same at a preview", [at(UNKNOWN), rollout("d-1", { revisionId: "r-1" })], ["d-1"]],
  ["a preview of what declares it well", [at(UNKNOWN), rollout("d-1", { revisionId: UNKNOWN })], []],
  ["another kind", [registered("SandboxTemplate", "t-1")], []],
])("%s", (_what, all, warned) => {
  const names = warned.map((name) => `"${name}"`).join(", ");
  const which = warned.length === 1 ? `Deployment ${names}` : `the Deployments ${names}`;
  expect(unawaited(all)).toEqual(
    warned.length === 0 ? [] : [expect.stringContaining(`no Rollout of this run waits for ${which}: `)],
  );
});

test("the warning says what may happen, and both remedies", () => {
  expect(unawaited([deployment("d-1")])[0]).toMatch(
    /`pulumi up` succeeds .* even if the build fails\. Declare a Rollout .* awaitRollout/,
  );
});
