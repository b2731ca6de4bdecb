import { ok, FRONT, typeInState, type CliStack } from "../support/cli-stack";
import { describeWithEngine } from "../support/with-engine";
import { onEmulator } from "./on-emulator";

const platform = onEmulator({ buildSeconds: 1.2 });

/** Two agents, one of which calls the other. */
const program = (tag: string, more = ""): string => `
  const token = new pulumi.Config().requireSecret("token");
  const from = (imageUri, more) => ({ source: "external_docker", sourceRevisionConfig: { imageUri }, ...more });
  const desk = new platform.Deployment("desk", from("registry.example/desk:${tag}", { secrets: { TOKEN: token }, ${more} }));
  new platform.Deployment("caller", from("registry.example/caller:1", { environmentVariables: { DESK: desk.url } }));
`;
const secrets = { "test:token": "canary-token" };

/** What of a resource is for us alone. */
const INTERNAL = /progressUrn|followsPushes|\borigin\b|keyMark|\badoption\b|durationsMs|followedRevisionId/;
const urnOf = (stack: CliStack, kind: "Deployment" | "Rollout"): string => {
  const one = stack.resources().find(({ urn, type }) => type === typeInState(kind) && urn.endsWith("::desk"));
  return one?.urn ?? `there is no ${kind} desk`;
};
const rollouts = (stack: CliStack) =>
  stack
    .resources()
    .filter(({ type }) => type === typeInState("Rollout"))
    .map(({ inputs }) => inputs);

describeWithEngine("what a person sees of a stack", () => {
  test("no command shows what is for us alone, and a wait ends by saying how long the rollout took", async () => {
    const stack = await platform.stackOf(program("1"), secrets);
    const seen = [ok(await stack.preview()), ok(await stack.up("--diff"))];
    const before = rollouts(stack);
    seen.push(ok(await stack.refresh("--diff")));
    // A refresh finds nothing that the program would say in another way.
    expect(rollouts(stack)).toEqual(before);

    stack.write(program("2"));
    seen.push(ok(await stack.preview()));
    const updated = ok(await stack.up());
    seen.push(updated);
    expect(seen.filter((output) => INTERNAL.test(output))).toEqual([]);
    // In a log, no line of the wait is left but how it ended, which a plugin of dynamic resources has no time to say.
    expect(updated).not.toMatch(/BUILDING|Ctrl-C/);
    if (FRONT === "native") expect(updated).toMatch(/^ +DEPLOYED: desk in \d+s$/m);
    const after = rollouts(stack);
    seen.push(ok(await stack.refresh("--diff")));
    expect(rollouts(stack)).toEqual(after);
    seen.push(ok(await stack.destroy("--diff")));
    expect(seen.filter((output) => INTERNAL.test(output))).toEqual([]);
  });

  test("a new image leaves alone what only uses the address; a new address does not", async () => {
    const stack = await platform.upOf(program("1"), secrets);
    stack.write(program("2"));
    const previewed = ok(await stack.preview());
    // A dynamic provider is not asked at preview what it knows: everything of the rollout is then unknown.
    expect(/caller/.test(previewed)).toBe(FRONT === "dynamic");
    const before = platform.emulator.requests.length;
    const updated = ok(await stack.up());
    expect(updated).not.toMatch(/caller updated/);
    const writes = platform.emulator.requests.slice(before).filter(({ method }) => method === "PATCH");
    expect(writes).toHaveLength(1);

    stack.write(program("2", 'sourceConfig: { customUrl: "https://desk.example" }'));
    expect(ok(await stack.preview())).toMatch(/caller/);
    expect(ok(await stack.up())).toMatch(/Deployment caller updated/);
  });

  test("a run that leaves the rollout out says that nothing waited, and how to have it", async () => {
    const leftOut =
      FRONT === "native"
        ? /no Rollout of this run waits for Deployment "desk": .* --target-dependents/
        : /the rollout was left out of this run, so nothing waits until the revision is DEPLOYED/;
    const stack = await platform.stackOf(program("1"), secrets);
    const urnOfDesk = `urn:pulumi:test::test::${typeInState("Deployment")}::desk`;
    expect(ok(await stack.up("--target", urnOfDesk))).toMatch(leftOut);
    expect(ok(await stack.up())).not.toMatch(leftOut);

    stack.write(program("2"));
    expect(urnOf(stack, "Deployment")).toBe(urnOfDesk);
    const target = ["--target", urnOfDesk];
    expect(ok(await stack.preview(...target))).toMatch(leftOut);
    const output = ok(await stack.up(...target));
    expect(output).toMatch(leftOut);
    if (FRONT === "dynamic") expect(output).toContain(`--target '${urnOf(stack, "Rollout")}'`);
    expect(output.match(/^ +warning: /gm)).toHaveLength(1);

    for (const remedy of [["--target-dependents"], ["--target", urnOf(stack, "Rollout")]]) {
      stack.write(program(`3-${remedy.length}`));
      // On the native plugin: provider/resources/rollout/unawaited.test.ts.
      if (FRONT === "dynamic") expect(ok(await stack.preview(...target, ...remedy))).not.toMatch(leftOut);
      expect(ok(await stack.up(...target, ...remedy))).not.toMatch(leftOut);
    }
    expect(ok(await stack.up())).not.toMatch(leftOut);
  });
});
