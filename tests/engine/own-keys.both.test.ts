import { sandboxSnapshots } from "../../emulator";
import { nativeToken } from "../../provider/resources/resource-types";
import { FRONT, notOk, ok, type CliStack } from "../support/cli-stack";
import { describeWithEngine } from "../support/with-engine";
import { onAgent } from "./on-emulator";
import { deployed } from "../support/agent-under-test";

// What only its resource's own key tells apart. All stacks of these tests have one project and stack name, and a backend each.

const on = onAgent("desk");

const stackOf = (program: string): Promise<CliStack> => on.platform.stackOf(program);

/** What an agent of another stack keeps, and a snapshot. */
const deskOfOthers = (): Promise<string> => deployed(on.platform.emulator, "registry.example/desk:1", "desk");
const onDesk = (id: string): string =>
  `{ deploymentId: "${id}", url: "${on.agent.url}", customUrl: "${on.agent.url}" }`;
const all = (id: string, tag: string, options = "{}"): string => `
  const on = ${onDesk(id)};
  new platform.Assistant("triage", { ...on, graphId: "agent" }, ${options});
  new platform.Cron("digest", { ...on, assistantId: "agent", schedule: "@daily" }, ${options});
  new platform.SandboxSnapshot("py", { dockerImage: "registry.example/py:1", fsCapacityBytes: 1000, tag: "${tag}" }, ${options});
`;
const own = () => [...on.agent.assistants.values()].filter(({ metadata }) => metadata["created_by"] !== "system");
const ids = (): string[] => [
  ...own().map(({ assistant_id: id }) => id),
  ...on.agent.crons.keys(),
  ...on.platform.kept(sandboxSnapshots).map(({ id }) => id),
];

describeWithEngine("what has no name that only one can have", () => {
  test("is each stack's own, or is named: two backends with one project and stack name", async () => {
    const id = await deskOfOthers();
    const [one, two] = [await stackOf(all(id, "one")), await stackOf(all(id, "two"))];
    ok(await one.up());
    const theirs = ids();
    const second = await two.up();
    if (FRONT === "native") {
      ok(second);
      expect(ids()).toHaveLength(6);
      ok(await two.destroy());
      expect(ids()).toEqual(theirs);
      return;
    }
    // No row of dynamic resources can keep a key: what is young is taken for that of a run that was cut off, and the row says so.
    expect(second.output).toMatch(/was made .* by a run of this resource that was cut off, and is taken over/);
    expect(own()).toHaveLength(1);
  });

  test("is really replaced, or the error names the option that does it", async () => {
    const id = await deskOfOthers();
    const stack = await stackOf(all(id, "one"));
    ok(await stack.up());
    const before = ids();
    const urns = ["Assistant::triage", "Cron::digest", "SandboxSnapshot::py"].map((each) => {
      const [kind = "", name = ""] = each.split("::");
      return stack.resources().find(({ urn }) => urn.includes(`:${kind}::`) && urn.endsWith(`::${name}`))?.urn ?? each;
    });
    const targets = urns.flatMap((urn) => ["--target-replace", urn]);
    // The classes of what an agent keeps set the option; that of a snapshot does not.
    expect(notOk(await stack.up(...targets))).toMatch(
      /SandboxSnapshot .* was not replaced: .* set the option `deleteBeforeReplace: true`/s,
    );
    const [assistant, cron, snapshot] = before;
    expect(ids()).toContain(snapshot);
    // The advice is followed, and nothing is lost on the way.
    stack.write(all(id, "one", "{ deleteBeforeReplace: true }"));
    ok(await stack.up());
    expect(ids()).toContain(snapshot);
    ok(await stack.up(...targets));
    const after = ids();
    expect(after).toHaveLength(3);
    expect([cron, snapshot].filter((each) => after.includes(each ?? ""))).toEqual([]);
    expect(own()[0]?.assistant_id).toBe(assistant);
    ok(await stack.preview("--expect-no-changes"));
    ok(await stack.destroy());
    expect(ids()).toEqual([]);
  });
});

if (FRONT === "native")
  describeWithEngine("the key of a stack on the native plugin", () => {
    const keysOf = (stack: CliStack): string[] => [
      ...new Set([...stack.stateText().matchAll(/"stackKey": ?"([^"]*)"/g)].map(([, key]) => key ?? "")),
    ];

    test("is in the provider's row before the first create, and no preview, up or refresh shows it", async () => {
      const id = await deskOfOthers();
      const stack = await stackOf(all(id, "one"));
      ok(await stack.up());
      const [key] = keysOf(stack);
      expect(key).toMatch(/^[0-9a-f]{24}$/);
      ok(await stack.preview("--expect-no-changes"));
      ok(await stack.refresh("--expect-no-changes"));
      ok(await stack.up("--expect-no-changes"));
      expect(keysOf(stack)).toEqual([key]);
    });

    test("comes to a stack that an earlier version wrote without a change that anybody sees", async () => {
      const id = await deskOfOthers();
      const { url, apiKey } = on.platform.emulator;
      const explicit = `new platform.Platform("own", { baseUrl: "${url}", apiKey: pulumi.secret("${apiKey}") });`;
      const stack = await stackOf(explicit + all(id, "one"));
      ok(await stack.up());
      stack.putState(stack.stateText().replaceAll(/,"stackKey": ?"[0-9a-f]*"|"stackKey": ?"[0-9a-f]*",?/g, ""));
      expect(keysOf(stack)).toEqual([]);
      ok(await stack.preview("--expect-no-changes"));
      ok(await stack.up("--expect-no-changes"));
      expect(keysOf(stack)).toHaveLength(2);
    });

    test("a snapshot whose wait Ctrl-C ends is in state: another program replaces it, and destroy leaves none", async () => {
      const snapshot = (image: string): string =>
        `new platform.SandboxSnapshot("py", { dockerImage: "registry.example/${image}", fsCapacityBytes: 1000 });`;
      const stack = await stackOf(snapshot("emulator-stuck:1"));
      let pid = 0;
      const cut = stack.run(["up", "--yes", "--skip-preview"], { started: (started) => (pid = started) });
      while (ids().length === 0) await new Promise((resolve) => setTimeout(resolve, 50));
      process.kill(pid, "SIGINT");
      notOk(await cut);
      const [stuck] = ids();
      expect(stack.resources().map(({ id }) => id)).toEqual([stuck]);
      stack.write(snapshot("py:1"));
      ok(await stack.up());
      expect(ids()).toEqual(stack.resources().map(({ id }) => id));
      expect(ids()).not.toContain(stuck);
      ok(await stack.preview("--expect-no-changes"));
      ok(await stack.destroy());
      expect(ids()).toEqual([]);
    });

    test("an error hook has a create called again that made something: it goes on with that", async () => {
      on.platform.emulator.faults.add({ kind: "status", status: 422, method: "PATCH", count: 1 });
      const hook = 'const retry = new pulumi.ErrorHook("retry", () => true);';
      const fields =
        'source: "external_docker", sourceRevisionConfig: { imageUri: "a:1" }, displayName: "The desk", awaitRollout: false';
      const stack = await stackOf(
        `${hook} new platform.Deployment("desk", { ${fields} }, { hooks: { onError: [retry] } });`,
      );
      ok(await stack.up());
      const urn = `urn:pulumi:test::test::${nativeToken("Deployment")}::desk`;
      expect(stack.resources().map((each) => each.urn)).toContain(urn);
    });
  });
