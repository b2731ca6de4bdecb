import type { JsonObject } from "../../provider/base/json";
import { Ownership } from "../../provider/lifecycle/identity/ownership";
import { assistantIdOf, type Layer } from "../../emulator";
import { agentAssistants, agentCrons } from "../../emulator/platform/agent-records";
import { startAgentServer, type KeptAssistant } from "../support/agent-server";
import { EngineModel } from "../support/engine-model";
import { failureOf, PlatformUnderTest } from "../support/platform-under-test";
import { OnAgent } from "./on-agent";
import { ofSuite, ofTest } from "../support/of-suite";

const on = ofSuite(OnAgent.prototype, () => OnAgent.start());

const URN = "urn:pulumi:dev::p::agent-platform:index:Assistant::triage";
const program = (over: JsonObject = {}, place = on.place): JsonObject => ({
  ...place,
  name: "triage",
  graphId: "agent",
  context: { tone: "brief" },
  metadata: { team: "desk" },
  __progressUrn: URN,
  ...over,
});
/** Those that are not the server's own. */
const kept = (): KeptAssistant[] =>
  [...on.agent.assistants.values()].filter(({ metadata }) => metadata["created_by"] !== "system");
function only(): KeptAssistant {
  const [one, ...others] = kept();
  if (one === undefined || others.length > 0) throw new Error(`there are ${kept().length} assistants`);
  return one;
}
async function made(over: JsonObject = {}, at = on): Promise<EngineModel> {
  const model = await at.model("Assistant");
  await model.up(program(over, at.place));
  at.changing();
  return model;
}

describe("at most once", () => {
  test("it is made under an id of its own, and then nothing differs", async () => {
    const model = await made();
    expect(only()).toMatchObject({
      assistant_id: model.current.id,
      name: "triage",
      version: 1,
      metadata: { team: "desk" },
    });
    expect(model.current.outputs).toMatchObject({ version: 1, deploymentId: on.deploymentId, url: on.agent.url });
    expect(await model.refresh()).toBe(false);
    expect(await model.up(program())).toBe("same");
    expect(on.changing()).toEqual([]);
  });

  test("after a lost answer of the POST it is looked for, and not made again", async () => {
    on.agent.faults.add({ kind: "reset-after-commit", method: "POST", count: 1 });
    const model = await on.model("Assistant");
    await model.up(program());
    expect(only().assistant_id).toBe(model.current.id);
    expect(on.changing()).toEqual(["POST /assistants"]);
  });

  test("what has its key and is not as declared is taken over only if the program says so", async () => {
    const { current } = await made();
    const model = await on.model("Assistant");
    const other = program({ context: { tone: "long" } });
    expect(await failureOf(model.up(other))).toMatch(
      `already exists on the platform (created ${only().created_at}) and differs from this declaration in context. ` +
        "A run that was cut off may have made it, or another stack or resource has it by now. " +
        "If another stack has it (`npx pulumi-agent-platform inventory` shows which), give this one another Pulumi name; if another resource of " +
        "this program has it, name that one in the option `dependsOn`. " +
        `Otherwise take it over with \`adopt: "${current.id}"\` on the Assistant`,
    );
    expect(on.changing()).toEqual([]);
    await model.up({ ...other, adopt: current.id });
    expect([on.changing(), only().version]).toEqual([["PATCH /assistants/:id"], 2]);
  });

  test("two rows, and two deployments, have each their own", async () => {
    await made();
    await made({ __progressUrn: `${URN}-2` });
    await made({ deploymentId: "another" });
    expect(kept()).toHaveLength(3);
  });

  test("half of a forced replacement finds its own object, and its other half says that nothing was replaced", async () => {
    const ownership = new Ownership();
    const old = await made();
    const handler = await on.platform.handler("Assistant", {}, ownership);
    const half = new EngineModel(handler, "Assistant");
    await half.up(program());
    const { __progressUrn, ...unnamed } = old.current.outputs;
    for (const outputs of [{ ...unnamed, __progressUrn }, unnamed])
      expect(await failureOf(handler.delete(old.current.id, outputs))).toMatch(
        /was not replaced: .*`replacementTrigger`.*`replaceWith`.*set the option `deleteBeforeReplace: true` on the resource/,
      );
    expect(kept()).toHaveLength(1);
  });
});

test("an object that a new row has taken over from one that leaves, as in a rename, stays with the new one", async () => {
  const ownership = new Ownership();
  const old = await made();
  const handler = await on.platform.handler("Assistant", {}, ownership);
  const renamed = new EngineModel(handler, "Assistant");
  await renamed.up(program());
  await handler.delete(old.current.id, { ...old.current.outputs, __progressUrn: `${URN}-before` });
  expect(on.platform.warnings).toEqual([
    expect.stringMatching(/now belongs to another resource of this program, so it stays on the platform/),
  ]);
  expect(kept()).toHaveLength(1);
});

describe("each change makes one version", () => {
  test.each<[what: string, over: JsonObject, sent: JsonObject]>([
    ["a name", { name: "sorter" }, { name: "sorter" }],
    ["a graph", { graphId: "other" }, { graph_id: "other" }],
    ["a description", { description: "Sorts" }, { description: "Sorts" }],
    ["a context, as a whole", { context: { depth: 2 } }, { context: { depth: 2 } }],
    [
      "settings, with the context, which they would replace",
      { config: { tags: ["a"] } },
      { config: { tags: ["a"] }, context: { tone: "brief" } },
    ],
    ["metadata: only what changed is sent", { metadata: { team: "desk", tier: 2 } }, { metadata: { tier: 2 } }],
  ])("%s", async (_what, over, sent) => {
    const model = await made();
    expect(await model.up(program(over))).toBe("update");
    const bodies = on.agent.requests.filter(({ method }) => method === "PATCH").map(({ body }) => body);
    expect(bodies).toEqual([sent]);
    expect([only().version, model.current.outputs["version"]]).toEqual([2, 2]);
    expect(await model.refresh()).toBe(false);
  });

  test("a description that is taken out is emptied, and a context, too", async () => {
    const model = await made({ description: "Sorts" });
    await model.up(program({ context: undefined }));
    expect(only()).toMatchObject({ description: "", context: {}, version: 2 });
    expect(await model.refresh()).toBe(false);
  });

  test.each<[what: string, before: JsonObject, after: JsonObject, left: object]>([
    ["a context that is taken out", {}, { context: undefined }, { config: { configurable: {} }, context: {} }],
    [
      "one beside settings",
      { config: { tags: ["a"] } },
      { config: { tags: ["a"] }, context: undefined },
      { context: {} },
    ],
    [
      "a configurable that is emptied",
      { context: undefined, config: { configurable: { tone: "brief" } } },
      { context: undefined, config: { configurable: {} } },
      { config: { configurable: {} }, context: {} },
    ],
    [
      "one in whose place there is an empty context",
      { context: undefined, config: { configurable: { tone: "brief" }, tags: ["a"] } },
      { context: {}, config: { tags: ["a"] } },
      { config: { tags: ["a"] }, context: {} },
    ],
  ])("neither as the context nor in the settings does a server keep %s", async (_what, before, after, left) => {
    const model = await made(before);
    expect(await model.up(program(after))).toBe("update");
    expect(only()).toMatchObject(left);
    expect(JSON.stringify([only().config, only().context])).not.toContain("tone");
    expect(await model.refresh()).toBe(false);
  });

  test("a context that others have given stays when the settings change, although a server would drop a half of it", async () => {
    const model = await made({ context: undefined });
    const theirs = { tone: "theirs" };
    Object.assign(only(), { context: theirs, config: { configurable: theirs } });
    await model.up(program({ context: undefined, config: { tags: ["a"] } }));
    expect(only()).toMatchObject({ context: theirs, config: { tags: ["a"], configurable: theirs } });
  });

  test("what the program says of the address or the key is no change of the assistant", async () => {
    const model = await made();
    expect(await model.up(program({ apiKey: "another-key" }))).toBe("update");
    expect([on.changing(), only().version]).toEqual([[], 1]);
    expect(model.current.outputs).toMatchObject({ apiKey: "another-key", version: 1 });
  });

  test("a lost answer of the PATCH makes no second version", async () => {
    const model = await made();
    on.agent.faults.add({ kind: "reset-after-commit", method: "PATCH", count: 1 });
    await model.up(program({ name: "sorter" }));
    expect([on.changing(), only().version]).toEqual([["PATCH /assistants/:id"], 2]);
  });

  test.each<[what: string, which: { readonly method: string; readonly count: number }]>([
    ["each request", { method: "*", count: 12 }],
    ["the look alone", { method: "GET", count: 8 }],
  ])("a gateway that answers 503 to %s for a while stops no create and no update", async (_what, which) => {
    on.agent.faults.add({ kind: "status", status: 503, ...which });
    const model = await made();
    on.agent.faults.add({ kind: "status", status: 503, ...which });
    expect(await model.up(program({ name: "sorter" }))).toBe("update");
    expect(only()).toMatchObject({ name: "sorter", version: 2 });
  });

  test("a PATCH that a gateway answers with 503 is looked after as long as a POST", async () => {
    const took = async (method: string, act: () => Promise<unknown>): Promise<number> => {
      on.agent.faults.add({ kind: "status", status: 503, method, count: 2 });
      const began = on.platform.clock.now();
      await act();
      return on.platform.clock.now() - began;
    };
    const model = await on.model("Assistant");
    expect(await took("POST", () => model.up(program()))).toBeGreaterThanOrEqual(14_000);
    expect(await took("PATCH", () => model.up(program({ name: "sorter" })))).toBeGreaterThanOrEqual(14_000);
  });

  test("after a lost answer, somebody else's change in between is not overwritten", async () => {
    const model = await made();
    const held = on.agent.faults.add({ kind: "hold", method: "PATCH" });
    on.agent.faults.add({ kind: "reset-after-commit", method: "PATCH", count: 1 });
    const update = failureOf(model.up(program({ name: "sorter" })));
    await held.reached;
    held.release();
    Object.assign(only(), { name: "theirs", updated_at: "2031-01-01T00:00:00+00:00" });
    const failure = await update;
    // Either order of the two is possible; what they leave is not lost.
    if (only().name === "theirs") expect(failure).toMatch(/somebody else has changed it since. Run `pulumi up` again/);
  });

  test("settings that others have given stay when the context changes, although a server would drop them", async () => {
    const model = await made();
    Object.assign(only(), { config: { tags: ["theirs"], configurable: { tone: "brief" } } });
    await model.up(program({ context: { tone: "long" } }));
    expect(only()).toMatchObject({ context: { tone: "long" }, config: { tags: ["theirs"] } });
  });
});

describe("drift", () => {
  test.each<[what: string, change: (live: KeptAssistant) => void, isDrift: boolean]>([
    ["another name", (live) => (live.name = "theirs"), true],
    ["a key in the context", (live) => (live.context = { tone: "brief", depth: 1 }), true],
    ["another value of our metadata", (live) => (live.metadata = { team: "theirs" }), true],
    ["our metadata without one of its keys", (live) => (live.metadata = {}), true],
    ["metadata of others", (live) => (live.metadata = { team: "desk", owner: "them" }), false],
    ["a description that the program leaves out", (live) => (live.description = "Theirs"), false],
    ["a version more that changes nothing", (live) => (live.version = 7), false],
  ])("%s", async (_what, change, isDrift) => {
    const model = await made();
    change(only());
    expect(await model.refresh()).toBe(isDrift);
    await model.up(program());
    expect(only()).toMatchObject({ name: "triage", context: { tone: "brief" }, metadata: { team: "desk" } });
    expect(await model.refresh()).toBe(false);
  });

  test("an older version that was set as the latest is named, and the next up puts ours back", async () => {
    const model = await made();
    await model.up(program({ name: "sorter" }));
    Object.assign(only(), { version: 1, name: "triage" });
    expect(await model.refresh()).toBe(true);
    expect(model.current.inputs["problem"]).toBe("version 1 was set as the latest, after this stack made version 2");
    on.changing();
    await model.up(program({ name: "sorter" }));
    expect([on.changing(), only().name]).toEqual([["PATCH /assistants/:id"], "sorter"]);
    expect(await model.refresh()).toBe(false);
  });

  test("one that was deleted is made again, under the same id", async () => {
    const model = await made();
    const { id } = model.current;
    on.agent.assistants.delete(id);
    on.changing();
    expect(await model.refresh()).toBe(true);
    expect(model.hasState).toBe(false);
    // Its server, which has all of them at hand, is asked once by id, and twice for a list: nothing is late there.
    expect(on.agent.requests).toHaveLength(3);
    await model.up(program());
    expect(only().assistant_id).toBe(id);
  });

  test("of config.configurable, which a server shows as the context, too, there is none", async () => {
    const model = await made({ context: undefined, config: { configurable: { tone: "brief" }, tags: ["a"] } });
    expect(only().context).toEqual({ tone: "brief" });
    expect(await model.refresh()).toBe(false);
  });
});

describe("an agent that is silent", () => {
  const silence = (): RegExp =>
    new RegExp(
      `the agent of Deployment "desk" \\(${on.deploymentId}.*\\), whose latest revision is ${on.revisionId}, gives no usable answer at`,
    );

  test("drops nothing from state: a refresh warns, and names the deployment and its revision", async () => {
    const model = await made();
    await on.agent.stop();
    expect(await model.refresh()).toBe(false);
    expect(on.platform.warnings).toEqual([expect.stringMatching(silence())]);
    expect(model.current.outputs).toHaveProperty("__unread");
  });

  test("is told once, whatever it keeps", async () => {
    const model = await made();
    const others = await made({ __progressUrn: `${URN}-2` });
    // Its status stays as it is from now on.
    on.platform.clock.advance(3_600_000);
    await on.agent.stop();
    const { handler } = model;
    for (const { current } of [model, others]) await handler.read(current.id, current.outputs);
    expect(on.platform.warnings).toEqual([expect.stringMatching(/: no answer: .*ECONNREFUSED/)]);
  });

  test.each<[verb: string, act: (model: EngineModel) => Promise<unknown>, says: string]>([
    ["an update, with the way to its log", (model) => model.up(program({ name: "sorter" })), ""],
    [
      "a delete, with what to do where the deployment goes as well",
      (model) => model.destroy(),
      `It stays, and so does its row in the state. If its deployment is deleted, it goes with that: take it out of the state first (\`pulumi state delete --target-dependents ${URN}\`)`,
    ],
  ])("fails %s", async (_verb, act, says) => {
    const model = await made();
    await on.agent.stop();
    const failure = await failureOf(act(model));
    expect(failure).toMatch(silence());
    expect(failure).toContain(`pulumi-agent-platform logs ${on.deploymentId}`);
    expect(failure).toContain(says);
    expect(model.hasState).toBe(true);
  });

  test.each<[program: string, over: JsonObject, end: object]>([
    ["declares it still", { name: "sorter" }, { name: "sorter" }],
    ["has reverted it", {}, { name: "triage" }],
  ])(
    "leaves open whether an update was made, and no refresh settles that: the next up does, if the program %s",
    async (_program, over, end) => {
      const model = await made();
      on.agent.faults.add({ kind: "status", status: 503, method: "PATCH", count: 3 });
      await failureOf(model.up(program({ name: "sorter" })));
      expect(model.current.outputs).toHaveProperty("__doubted");
      await on.agent.stop();
      await model.refresh();
      await on.agent.start();
      await model.up(program(over));
      expect(only()).toMatchObject(end);
      expect(model.current.outputs).not.toHaveProperty("__doubted");
    },
  );

  test("after the PATCH, so that the look fails as well, leaves as much open: the next up undoes what the program has reverted", async () => {
    const model = await made();
    // Not the look before the PATCH, and every try of the one after it.
    on.agent.faults.add({ kind: "reset-after-commit", method: "PATCH", count: 1 });
    on.agent.faults.add({ kind: "status", status: 503, method: "GET", nth: 2, count: 19 });
    expect(await failureOf(model.up(program({ name: "sorter" })))).toMatch(silence());
    expect(only()).toMatchObject({ name: "sorter" });
    await model.up(program());
    expect(only()).toMatchObject({ name: "triage" });
  });

  test("fails a creation before its POST", async () => {
    await on.agent.stop();
    const model = await on.model("Assistant");
    expect(await failureOf(model.up(program()))).toMatch(silence());
  });

  test("at its old address, and has not taken everything along to the new one: the error says how to go on, which a refresh would not", async () => {
    const model = await made({ apiKey: "its-own" });
    const { url } = ofTest(await startAgentServer());
    await on.agent.stop();
    const moved = program({ url, customUrl: url, apiKey: "its-own" });
    expect(await failureOf(model.up(moved))).toContain(
      `is not at the agent's new address, ${url}. If that one should not have it yet, take it out of the state (\`pulumi state delete --target-dependents ${URN}\`), and run \`pulumi up\``,
    );
    expect(await model.refresh()).toBe(false);
    model.state = undefined;
    expect(await model.up(moved)).toBe("create");
  });

  const slowly = ofSuite(OnAgent.prototype, () => OnAgent.start(30));
  test.each([
    ["is being deleted", slowly],
    ["is gone", on],
  ])("has taken everything with it where its deployment %s", async (_how, at) => {
    const [read, deleted] = [await made({}, at), await made({ __progressUrn: `${URN}-2` }, at)];
    await at.platform.ask("DELETE", `/v2/deployments/${at.deploymentId}`);
    await at.agent.stop();
    expect(await read.refresh()).toBe(true);
    expect(read.hasState).toBe(false);
    await deleted.destroy();
    expect(at.platform.warnings).toEqual([]);
  });
});

describe("an address in the state to which the key must not go, as after a move of the platform", () => {
  const moved = { customUrl: "http://127.0.0.1:9" };

  test("gets no request, and a refresh keeps the state and warns", async () => {
    const { handler, current } = await made();
    const { id, props } = await handler.read(current.id, { ...current.outputs, ...moved });
    expect([id, "__unread" in props]).toEqual([current.id, true]);
    expect(on.platform.warnings).toEqual([
      expect.stringMatching(/no address of the platform.*The state stays as it was/),
    ]);
  });

  test("drops it from state if its deployment is gone", async () => {
    const { handler, current } = await made();
    await on.platform.ask("DELETE", `/v2/deployments/${on.deploymentId}`);
    expect(await handler.read(current.id, { ...current.outputs, ...moved })).toMatchObject({
      id: "",
    });
  });
});

describe("before any request", () => {
  test("metadata that is taken out is refused", async () => {
    const model = await made();
    const reason = "metadata.team: cannot be taken out: the server merges metadata";
    expect(await failureOf(model.up(program({ metadata: {} })))).toContain(reason);
    expect(on.changing()).toEqual([]);
  });

  test("configurable that is taken out of the settings is refused with the way to do it", async () => {
    const model = await made({ context: undefined, config: { configurable: { tone: "brief" }, tags: ["a"] } });
    expect(await failureOf(model.up(program({ context: undefined, config: { tags: ["a"] } })))).toMatch(
      /^config\.configurable: cannot be taken out, since the server keeps it as the context: give context in its place/,
    );
    expect(on.changing()).toEqual([]);
  });

  test("settings that are taken out are refused with the reason", async () => {
    const model = await made({ config: { tags: ["a"] } });
    expect(await failureOf(model.up(program()))).toMatch(
      /config: cannot be taken out, since the server keeps it: .*`pulumi up --target-replace`.*`deleteBeforeReplace: true`.*`replacementTrigger`/,
    );
  });
});

describe("a deployment without an address", () => {
  test("fails a creation, and the error names it and its revision", async () => {
    const model = await on.model("Assistant");
    expect(await failureOf(model.up(program({ url: null })))).toMatch(
      new RegExp(
        `^Deployment "desk" \\(${on.deploymentId}.*\\), whose latest revision is ${on.revisionId}, has no address yet`,
      ),
    );
  });

  test("drops nothing that it had before", async () => {
    const model = await made();
    expect(await failureOf(model.up(program({ url: null })))).toContain("has no address yet");
    expect(model.current.outputs["url"]).toBe(on.agent.url);
  });

  test("that has one by now says how the state learns it", async () => {
    on.platform.clock.advance(3_600_000);
    const model = await on.model("Assistant");
    expect(await failureOf(model.up(program({ url: null })))).toMatch(
      `url: is null, but the agent is at ${on.platform.emulator.url}/agents/${on.deploymentId} by now: run \`pulumi up --refresh\``,
    );
  });
});

test.each([
  ["Assistant", { name: "triage", graphId: "agent" }],
  ["Cron", { assistantId: "agent", schedule: "@daily" }],
] as const)(
  "%s: an agent of the emulator keeps it, as long as its deployment is there, whose end a destroy finds well",
  async (kind, inputs) => {
    const platform = ofTest(await PlatformUnderTest.start({ buildSeconds: 0, deleteSeconds: 0 }));
    const desk = await platform.resource("Deployment");
    await desk.up({
      name: "desk",
      source: "external_docker",
      sourceRevisionConfig: { imageUri: "registry.example/desk:1" },
    });
    const place = { deploymentId: desk.current.id, url: `${platform.emulator.url}/agents/${desk.current.id}` };
    const keptNow = () => [
      ...agentAssistants.in(platform.emulator.store).all(),
      ...agentCrons.in(platform.emulator.store).all(),
    ];
    const model = await platform.resource(kind);
    await model.up({ ...place, ...inputs, __progressUrn: URN });
    expect(keptNow()).toMatchObject([{ deployment_id: desk.current.id }]);
    const { faults } = platform.emulator;
    faults.add({ kind: "status", status: 404, path: "/agents/**" });
    expect(await failureOf(model.destroy())).toMatch(/gives no usable answer .* It stays, and so does its row/);
    faults.clear();
    await desk.destroy();
    expect(keptNow()).toEqual([]);
    await model.destroy();
    expect(platform.warnings).toEqual([]);
  },
);

test("a RunCheck on it calls it as the program does", async () => {
  const assistant = new EngineModel(await on.platform.handler("Assistant"), "Assistant");
  const check = new EngineModel(await on.platform.handler("RunCheck"), "RunCheck");
  await assistant.up(program());
  const failure = await failureOf(check.up({ ...on.place, assistantId: assistant.current.id, attempts: 1 }));
  expect(failure).toMatch(/assistant "triage" at http/);
});

test("a graph that does not exist: the error has the server's list", async () => {
  const model = await on.model("Assistant");
  const failure = await failureOf(model.up(program({ graphId: "nope" })));
  expect(failure).toMatch(
    /^Assistant "triage": create failed: .*Graph 'nope' not found\. Expected one of: \['agent', 'boom', 'other'\]/,
  );
  expect(kept()).toEqual([]);
});

test("what a server repeats of a request is not shown", async () => {
  const model = await made();
  const context = { token: "canary-of-the-context" };
  on.agent.faults.add({ kind: "status", status: 503, echo: true, method: "PATCH", count: 9 });
  expect(await failureOf(model.up(program({ context })))).not.toContain("canary-of-the-context");
});

test("the server's own assistants are never taken over", async () => {
  const model = await on.model("Assistant");
  const failure = await failureOf(model.up(program({ adopt: assistantIdOf("agent") })));
  expect(failure).toMatch(/is the server's own assistant of graph "agent", which is never adopted, changed or deleted/);
  expect(on.changing()).toEqual([]);
});

test("another deployment has another database: the assistant is made there, and the old one goes", async () => {
  const model = await made();
  const { id } = model.current;
  expect(await model.up(program({ deploymentId: "another" }))).toBe("replace");
  expect(on.changing().sort()).toEqual(["DELETE /assistants/:id", "POST /assistants"]);
  expect([only().assistant_id, only().assistant_id === id]).toEqual([model.current.id, false]);
});

test("one id on two deployments is two assistants: each is deleted with its own resource", async () => {
  const other = ofTest(await startAgentServer());

  const ownership = new Ownership();
  const handler = await on.platform.handler("Assistant", {}, ownership);
  const [one, two] = [new EngineModel(handler, "Assistant"), new EngineModel(handler, "Assistant")];
  const id = "11111111-1111-5111-8111-111111111111";
  for (const { url } of [on.agent, other]) {
    const body = JSON.stringify({ assistant_id: id, graph_id: "agent", name: "triage" });
    await fetch(`${url}/assistants`, { method: "POST", body });
  }
  await one.up(program({ adopt: id }));
  await two.up(program({ adopt: id, deploymentId: "another", url: other.url, customUrl: other.url }));
  await one.destroy();
  expect([kept().length, other.assistants.has(id)]).toEqual([0, true]);
  await two.destroy();
  expect([on.platform.warnings, other.assistants.has(id)]).toEqual([[], false]);
});

test("destroy deletes it, and finds it well if it is gone already", async () => {
  const [one, other] = [await made(), await made({ __progressUrn: `${URN}-2` })];
  on.agent.assistants.delete(other.current.id);
  await one.destroy();
  await other.destroy();
  expect(kept()).toEqual([]);
});

test("a gateway's 200 deletes nothing: it stays in the state, and the next destroy deletes it", async () => {
  let isThere = true;
  const beforeRoute: Layer["beforeRoute"] = ({ request }) =>
    Promise.resolve(request.method === "DELETE" && isThere ? new Response("[]") : undefined);
  const agent = ofTest(await startAgentServer({ layers: [{ beforeRoute }] }));
  const model = await made({ url: agent.url, customUrl: agent.url });
  const { id } = model.current;
  expect(await failureOf(model.destroy())).toContain(`Assistant "triage" (${id})`);
  isThere = false;
  await model.destroy();
  expect(agent.assistants.size).toBe(0);
});

test("the connection's key goes to the agent, or the key of its own", async () => {
  await made();
  expect(new Set(on.agent.requests.map(({ key }) => key))).toEqual(new Set([]));
  const model = await on.model("Assistant");
  await model.up(program({ __progressUrn: `${URN}-2` }));
  expect(new Set(on.agent.requests.map(({ key }) => key))).toEqual(new Set([on.platform.emulator.apiKey]));
  on.changing();
  await model.up(program({ __progressUrn: `${URN}-2`, apiKey: "its-own", name: "sorter" }));
  expect(new Set(on.agent.requests.map(({ key }) => key))).toEqual(new Set(["its-own"]));
});
