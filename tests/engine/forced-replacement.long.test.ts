import { deployments, listeners, oauthProviders, sandboxTemplates } from "../../emulator";
import { notOk, ok } from "../support/cli-stack";
import { describeWithEngine } from "../support/with-engine";
import { nativeToken, MANAGED_TYPES, type ManagedType } from "../../provider/resources/resource-types";
import { onEmulator } from "./on-emulator";

// YAML and Python have none of our classes, which set deleteBeforeReplace: their resources are as these are.

const platform = onEmulator({ buildSeconds: 0.2, deleteSeconds: 0.2 });

// Without SandboxSnapshot: it is found by the key of its resource, so a forced replacement keeps it (docs/internals/design.md, Creating once).
const KINDS = {
  SandboxTemplate: {
    args: (value: string) => `{ name: "it", image: "a", resources: { cpu: "1" }, extra: { note: "${value}" } }`,
    path: "extra",
    id: () => platform.emulator.outOfBand(sandboxTemplates).get("it").id,
  },
  OAuthProvider: {
    args: (value: string) =>
      `{ providerId: "it", name: "${value}", clientId: "c", clientSecret: "s", authUrl: "https://a.example/a", tokenUrl: "https://a.example/t" }`,
    path: "name",
    id: () => platform.emulator.outOfBand(oauthProviders).get("it").id,
  },
  Listener: {
    args: (value: string) => `{ computeId: "it", computeConfig: { k8sNamespaces: ["${value}"] } }`,
    path: "computeConfig",
    id: () => platform.emulator.outOfBand(listeners).get("it").id,
  },
  Deployment: {
    args: (value: string) =>
      `{ name: "it", source: "external_docker", sourceRevisionConfig: { imageUri: "a:${value}" }, secrets: { TOKEN: "s" } }`,
    path: "sourceRevisionConfig",
    id: () => platform.emulator.outOfBand(deployments).get("it").id,
  },
} satisfies Partial<
  Record<ManagedType, { readonly args: (value: string) => string; readonly path: string; readonly id: () => string }>
>;
type Replaced = keyof typeof KINDS;
const REPLACED = MANAGED_TYPES.filter((managedType): managedType is Replaced => managedType in KINDS);

const program = (value: string, optionsOf: (kind: Replaced) => string): string =>
  REPLACED.map(
    (kind) =>
      `new pulumi.CustomResource("${nativeToken(kind)}", "it", ${KINDS[kind].args(value)}, ${optionsOf(kind)});`,
  ).join("\n");
const urnOf = (kind: Replaced) => `urn:pulumi:test::test::${nativeToken(kind)}::it`;
const ids = () => REPLACED.map((kind) => KINDS[kind].id());
const allNew = (before: readonly string[]) => ids().every((id) => !before.includes(id));
const ONE_OPTION = "{ deleteBeforeReplace: true }";

describeWithEngine("resources of a program without our classes are replaced", () => {
  test("by replaceOnChanges, though they could be updated", async () => {
    const options = (kind: Replaced) => `{ replaceOnChanges: ["${KINDS[kind].path}"] }`;
    const stack = await platform.stackOf(program("1", options), {}, "native");
    ok(await stack.up());
    const before = ids();
    stack.write(program("2", options));
    ok(await stack.up());
    expect(allNew(before)).toBe(true);
    ok(await stack.preview("--expect-no-changes"));
  });

  test("by --target-replace and by a taint, with the option deleteBeforeReplace; without it, the error names the option", async () => {
    const stack = await platform.stackOf(
      program("1", () => "{}"),
      {},
      "native",
    );
    ok(await stack.up());
    const before = ids();
    const targets = REPLACED.flatMap((kind) => ["--target-replace", urnOf(kind)]);
    expect(notOk(await stack.up(...targets))).toMatch(
      /already exists .* set the option `deleteBeforeReplace: true` on the resource/,
    );
    expect(ids()).toEqual(before);
    stack.write(program("1", () => ONE_OPTION));
    ok(await stack.up());
    ok(await stack.up(...targets));
    expect(allNew(before)).toBe(true);
    const tainted = ids();
    for (const kind of REPLACED) await stack.succeed("state", "taint", urnOf(kind), "--yes");
    ok(await stack.up());
    expect(allNew(tainted)).toBe(true);
    ok(await stack.preview("--expect-no-changes"));
  });
});
