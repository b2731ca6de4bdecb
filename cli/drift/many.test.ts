import { readFileSync, writeFileSync } from "node:fs";
import { delimiter, join } from "node:path";
import type { JsonObject } from "../../provider/base/json";
import { commandLine } from "../../tests/support/command-line";
import { newFolder } from "../../tests/support/new-folder";
import { compareAll, compareOne, namedStacks } from "./many";
import { stepTo } from "./read";

const both = ["acme/shop/prod", "other/shop/prod"];

test.each<[why: string, fullNames: string[], isWide: boolean, names: string[]]>([
  ["short within a project", ["acme/shop/dev", "acme/shop/prod"], false, ["dev", "prod"]],
  ["full where two organizations have one project", both, false, both],
  ["full beyond a project", ["acme/shop/prod"], true, ["acme/shop/prod"]],
])("the names of stacks in a report are %s", (_why, fullNames, isWide, names) =>
  expect(namedStacks(fullNames, isWide).map(({ name }) => name)).toEqual(names),
);

test("each of two stacks of one name has its row, and its own engine", async () => {
  const folder = newFolder();
  const log = join(folder, "log");
  writeFileSync(join(folder, "pulumi"), `#!/bin/sh\necho "$@" >> '${log}'\nexit 1\n`, { mode: 0o755 });
  const environment = { ...process.env, PATH: `${folder}${delimiter}${process.env["PATH"] ?? ""}` };
  const unreadable = () => Promise.reject(new Error("no"));
  const target = { folder, environment };
  const { stacks } = await compareAll(namedStacks(both, false), unreadable, 1, target, () => undefined);
  expect(stacks.map(({ stack }) => stack)).toEqual(both);
  const compared = readFileSync(log, "utf8").match(/^refresh .*--stack=\S+/gm) ?? [];
  expect(compared.map((line) => line.split("--stack=")[1])).toEqual(both);
});

test.each<[why: string, pulumiYaml: string | undefined, stacks: string[]]>([
  ["of the folder's project alone", "runtime: yaml\nname: shop\n", ["desk/test", "shop/dev"]],
  ["of every project where the folder has none", undefined, ["desk/dev", "desk/test", "shop/dev"]],
])("a pattern without a slash names stacks %s, also beside one with a slash", async (_why, pulumiYaml, stacks) => {
  const folder = newFolder();
  if (pulumiYaml !== undefined) writeFileSync(join(folder, "Pulumi.yaml"), pulumiYaml);
  const names = ["desk/dev", "desk/test", "shop/dev"].map((each) => ({ name: `organization/${each}` }));
  const engine = `#!/bin/sh\n[ "$1 $2" = "stack ls" ] && echo '${JSON.stringify(names)}' && exit\necho no >&2\nexit 1\n`;
  writeFileSync(join(folder, "pulumi"), engine, { mode: 0o755 });
  const patterns = ["--stacks", "dev", "--stacks", "desk/t*"];
  const { out } = await commandLine(["drift", "--cwd", folder, ...patterns], {
    PATH: `${folder}${delimiter}${process.env["PATH"] ?? ""}`,
  });
  expect([...new Set(out.match(/(?<=organization\/)\w+\/\w+/g))]).toEqual(stacks);
});

test("that nothing but the revision differs is only said of what was compared whole", async () => {
  const step = (kind: string, op: string, inputs: JsonObject, live = inputs) => {
    const type = `agent-platform:index:${kind}`;
    const resource = { urn: `urn:pulumi:dev::desk::${type}::desk`, type, id: "d-1", provider: "" };
    return stepTo({ resource, inputs, outputs: inputs }, op, { inputs: live, outputs: live });
  };
  const rollout = { deploymentId: "d-1", revisionId: "r-1" };
  const steps = [
    step("Deployment", "same", { name: "desk" }),
    step("Rollout", "update", rollout, { ...rollout, revisionId: "r-2" }),
  ];
  const nextWith = async (fields: readonly string[]): Promise<unknown> => {
    const encrypted = steps.slice(0, 1).map(({ urn, type }) => ({ urn, type, name: "desk", id: "d-1", fields }));
    const compared = { outcomes: steps, warnings: [], errors: [], ...(fields.length > 0 && { encrypted }) };
    const { row } = await compareOne("dev", () => Promise.resolve(compared));
    return row.outcome === "failed" ? row.reason : row.drifted.map(({ next }) => next);
  };
  expect(await nextWith([])).toEqual([
    expect.stringMatching(/keeps it: of what the platform shows, nothing that is declared differs$/),
  ]);
  expect(await nextWith(["secrets"])).toEqual([
    "another revision serves: `drift --stack <name>` tells whether what is encrypted here differs, too",
  ]);
});
