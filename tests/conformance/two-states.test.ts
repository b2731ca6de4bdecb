import { sandboxSnapshots } from "../../emulator";
import type { JsonObject } from "../../provider/base/json";
import { Ownership } from "../../provider/lifecycle/identity/ownership";
import { startAgentServer } from "../support/agent-server";
import { EngineModel } from "../support/engine-model";
import { failureOf } from "../support/platform-under-test";
import { OnAgent } from "./on-agent";
import { ofSuite, ofTest } from "../support/of-suite";

// Two states that know the same URN: two backends with one project and stack name, or a resource that was moved from one to the other.

const on = ofSuite(OnAgent.prototype, () => OnAgent.start());

const URN = "urn:pulumi:dev::p::agent-platform:index:It::it";
const KINDS = ["Assistant", "Cron", "SandboxSnapshot"] as const;
type Kind = (typeof KINDS)[number];

const program = (kind: Kind, over: JsonObject = {}): JsonObject => ({
  __progressUrn: URN,
  ...(kind === "Assistant" && { ...on.place, name: "triage", graphId: "agent" }),
  ...(kind === "Cron" && { ...on.place, assistantId: "agent", schedule: "@daily" }),
  ...(kind === "SandboxSnapshot" && { name: "py", dockerImage: "registry.example/py:1", fsCapacityBytes: 1000 }),
  ...over,
});
const snapshots = () => on.platform.emulator.outOfBand(sandboxSnapshots).list();
const idsOf = (kind: Kind): string[] => {
  if (kind === "SandboxSnapshot") return snapshots().map(({ id }) => id);
  if (kind === "Cron") return [...on.agent.crons.keys()];
  return [...on.agent.assistants.values()]
    .filter(({ metadata }) => metadata["created_by"] !== "system")
    .map(({ assistant_id: id }) => id);
};
/** A stack of the native plugin has a key of its own, one of dynamic resources none. Each is a process of its own. */
async function stack(kind: Kind, stackKey?: string): Promise<EngineModel> {
  const ownership = new Ownership();
  const handler = await on.platform.handler(kind, stackKey === undefined ? {} : { stackKey }, ownership);
  return new EngineModel(handler, kind, () => Object.assign(ownership, new Ownership()));
}
/** More time passes than a run that was cut off is waited for. */
function grow(kind: Kind): void {
  const old = new Date(Date.now() - 16 * 60_000).toISOString();
  if (kind === "SandboxSnapshot") on.platform.clock.advance(16 * 60_000);
  for (const each of [...on.agent.assistants.values(), ...on.agent.crons.values()])
    Object.assign(each, { created_at: old });
}

describe.each(KINDS)("%s", (kind) => {
  test("two stacks of the native plugin with one name have each their own, and destroy their own", async () => {
    const other = kind === "SandboxSnapshot" ? { tag: "theirs" } : {};
    const [one, two] = [await stack(kind, "a"), await stack(kind, "b")];
    await one.up(program(kind));
    await two.up(program(kind, other));
    expect(new Set(idsOf(kind))).toEqual(new Set([one.current.id, two.current.id]));
    expect(one.current.id).not.toBe(two.current.id);
    await two.destroy();
    expect(idsOf(kind)).toEqual([one.current.id]);
  });

  test("a run of the same stack that was cut off is gone on with, and the row says so", async () => {
    const cut = await stack(kind, "a");
    await cut.up(program(kind));
    const next = await stack(kind, "a");
    await next.up(program(kind));
    expect(idsOf(kind)).toEqual([next.current.id]);
    expect(on.platform.told.map(({ message }) => message)).toEqual([
      expect.stringContaining("by a run of this resource that was cut off, and is taken over"),
    ]);
  });

  test.each([
    ["the native plugin, whose resource was moved to another stack (`pulumi state move`)", "a"],
    ["dynamic resources, whose key another backend may have", undefined],
  ])("of %s, nothing that is older is taken: the error names its id", async (_whose, stackKey) => {
    const moved = await stack(kind, stackKey);
    await moved.up(program(kind));
    grow(kind);
    const left = await stack(kind, stackKey);
    const failure = await failureOf(left.up(program(kind)));
    expect(failure).toContain(`Otherwise take it over with \`adopt: "${moved.current.id}"\``);
    expect(left.hasState).toBe(false);
    expect(idsOf(kind)).toEqual([moved.current.id]);
    await left.up(program(kind, { adopt: moved.current.id }));
    expect(left.current.id).toBe(moved.current.id);
  });
});

test.each<[of: string, keys: string[]]>([
  ["the native plugin", ["a", "b"]],
  ["dynamic resources, once it is older than a run that was cut off", []],
])("another stack of that name does not lose its snapshot's tag to another image: %s", async (_of, [first, second]) => {
  const [one, two] = [await stack("SandboxSnapshot", first), await stack("SandboxSnapshot", second)];
  await one.up(program("SandboxSnapshot"));
  if (first === undefined) grow("SandboxSnapshot");
  const failure = await failureOf(two.up(program("SandboxSnapshot", { dockerImage: "registry.example/py:2" })));
  expect(failure).toMatch(/already exists .* take it over with `adopt: true`/);
  expect(snapshots()).toMatchObject([{ id: one.current.id, tags: ["latest"] }]);
});

test("a server that does not know the filter of its crons shows all: only that with our mark is ours", async () => {
  const old = ofTest(await startAgentServer({ filtersCrons: false }));

  const place = { url: old.url, customUrl: old.url };
  const make = async () => {
    const body = JSON.stringify({ assistant_id: "agent", schedule: "@hourly" });
    await fetch(`${old.url}/runs/crons`, { method: "POST", body });
  };
  // Ours is on the second page.
  const cut = await stack("Cron", "a");
  await cut.up(program("Cron", place));
  for (let count = 0; count < 101; count++) await make();
  const [next, another] = [await stack("Cron", "a"), await stack("Cron", "b")];
  await next.up(program("Cron", place));
  expect(next.current.id).toBe(cut.current.id);
  await another.up(program("Cron", place));
  expect(old.crons.size).toBe(103);
  for (const each of [next, another]) await each.destroy();
  expect(old.crons.size).toBe(101);
});

describe.each(["Assistant", "Cron"] as const)("%s: a name that another resource gave up (`aliases`)", (kind) => {
  const renamed = `${URN}-renamed`;

  test("is free where the program declares the renamed one first", async () => {
    const handler = await on.platform.handler(kind);
    const [sorter, triage] = [new EngineModel(handler, kind), new EngineModel(handler, kind)];
    await sorter.up(program(kind));
    on.platform.newProcess();
    expect(await sorter.up(program(kind, { __progressUrn: renamed }))).toMatch(/same|update/);
    await triage.up(program(kind));
    expect(triage.current.id).not.toBe(sorter.current.id);
    expect(idsOf(kind)).toHaveLength(2);
  });

  test("is refused before that, and the advice (`dependsOn`) is right", async () => {
    const handler = await on.platform.handler(kind);
    const [sorter, triage] = [new EngineModel(handler, kind), new EngineModel(handler, kind)];
    await sorter.up(program(kind));
    grow(kind);
    on.platform.newProcess();
    expect(await failureOf(triage.up(program(kind)))).toContain("name that one in the option `dependsOn`");
    expect(idsOf(kind)).toEqual([sorter.current.id]);
    on.platform.newProcess();
    await sorter.up(program(kind, { __progressUrn: renamed }));
    await triage.up(program(kind));
    expect(idsOf(kind)).toHaveLength(2);
  });
});

test.each(["Assistant", "Cron"] as const)("%s: a replacement that is made first is another object", async (kind) => {
  const model = await stack(kind);
  await model.up(program(kind));
  const { id } = model.current;
  // As `replaceOnChanges` makes the engine do: a diff, and then a create beside the old one.
  const { outputs } = model.current;
  const ownership = new Ownership();
  const handler = await on.platform.handler(kind, {}, ownership);
  const deploymentId = `${on.deploymentId}-other`;
  const { replaces } = await handler.diff(id, outputs, program(kind, { deploymentId }));
  expect(replaces).toEqual(["deploymentId"]);
  const made = await handler.create(program(kind));
  expect(made.id).not.toBe(id);
  await handler.delete(id, outputs);
  expect(idsOf(kind)).toEqual([made.id]);
});
