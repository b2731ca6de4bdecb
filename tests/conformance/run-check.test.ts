import type { ServerResponse } from "node:http";
import { z } from "zod";
import { UNKNOWN, type JsonObject } from "../../provider/base/json";
import type { EngineModel } from "../support/engine-model";
import { capture } from "../support/capture";
import { fakeTimeouts } from "../support/fake-timeouts";
import { failureOf, PlatformUnderTest } from "../support/platform-under-test";
import { ofSuite } from "../support/of-suite";
import { serving, servingRead } from "../support/serving";

type Answer = (response: ServerResponse) => unknown;

const platform = ofSuite(PlatformUnderTest.prototype, () => PlatformUnderTest.start());
let url: string;
/** The answers to the next requests; the last one stays. */
let answers: Answer[];
/** Those to GET /ok. */
let probes: Answer[];
let asked: { readonly body: unknown; readonly key: unknown }[];
let paths: (string | undefined)[];
/** The keys of all requests, those of the probes too. */
let keys: unknown[];

beforeAll(async () => {
  url = await servingRead((response, request, text) => {
    paths.push(request.url);
    keys.push(request.headers["x-api-key"]);
    if (request.method === "GET") return next(probes)?.(response);
    asked.push({ body: JSON.parse(text), key: request.headers["x-api-key"] });
    return next(answers)?.(response);
  });
});
beforeEach(() => {
  [asked, paths, keys] = [[], [], []];
  answers = [recorded("12-subgraphs-values")];
  probes = [(response) => response.end('{"ok":true}')];
});
afterEach(() => jest.useRealTimers());

const next = (list: Answer[]): Answer | undefined => (list.length > 1 ? list.shift() : list[0]);
const recorded =
  (name: string): Answer =>
  (response) =>
    response.writeHead(200, { "content-type": "text/event-stream" }).end(capture(name).body);
const streaming =
  (text: string): Answer =>
  (response) =>
    response.writeHead(200, { "content-type": "text/event-stream" }).end(text);
const event = (name: string, data: unknown): string => `event: ${name}\ndata: ${JSON.stringify(data)}\n\n`;
const METADATA = event("metadata", { run_id: "r-1", attempt: 1 });
const dropped: Answer = (response) => response.destroy();
const refusing =
  (status: number): Answer =>
  (response) =>
    response.writeHead(status, { "content-type": "application/json" }).end('{"detail":"not yet"}');

const program = (over: JsonObject = {}): JsonObject => ({
  url,
  customUrl: over["url"] ?? url,
  assistantId: "agent",
  input: { topic: "cats" },
  ...over,
});
const runCheck = (): Promise<EngineModel> => platform.resource("RunCheck");

test("up runs the assistant once, and keeps the proof of the run, not its output", async () => {
  const check = await runCheck();
  await check.up(program({ revisionId: "r-1" }));
  expect(asked).toEqual([
    {
      body: { assistant_id: "agent", input: { topic: "cats" }, stream_mode: ["values", "updates"] },
      key: platform.emulator.apiKey,
    },
  ]);
  const { id, outputs } = check.current;
  expect(id).toBe(outputs["runId"]);
  expect(outputs).toMatchObject({ tried: 1, attempt: 1, threadId: null, revisionId: "r-1" });
  expect(outputs["digest"]).toMatch(/^[0-9a-f]{64}$/);
  expect(JSON.stringify(outputs)).not.toMatch(/Hi cats/);
});

test.each<[what: string, over: JsonObject, warns: boolean]>([
  ["that names a revision, and not whose it is, warns that any revision may have passed", { revisionId: "r-1" }, true],
  ["that names no revision says nothing of one", { revisionId: null }, false],
])("a check %s", async (_what, over, warns) => {
  const check = await runCheck();
  await check.up(program(over));
  const warning = `assistant "agent" at ${url} passed, and nothing says that revision r-1 answered: to make sure of it, give the check its \`deployment\`, or \`deploymentId\``;
  expect(platform.warnings).toEqual(warns ? [warning] : []);
  await check.up(program(over));
  expect(platform.warnings).toHaveLength(warns ? 1 : 0);
});

/** A deployment that serves. */
async function rolledOut() {
  const deployment = await platform.resource("Deployment");
  await deployment.up({
    name: "desk",
    source: "external_docker",
    sourceConfig: { resourceSpec: {} },
    sourceRevisionConfig: { imageUri: "a:1" },
  });
  const { id, outputs } = deployment.current;
  const rollout = await platform.resource("Rollout");
  await rollout.up({ deploymentId: id, revisionId: outputs["latestRevisionId"] });
  return { id, rollout };
}

test("a check of a revision that does not serve fails, and asks nothing", async () => {
  const { id: deploymentId, rollout } = await rolledOut();
  const check = await runCheck();
  expect(await failureOf(check.up(program({ revisionId: "r-1", deploymentId })))).toMatch(
    /revision r-1, which the program declares, does not serve: revision \S+ does\. Nothing was asked/,
  );
  await check.up(program({ revisionId: rollout.current.outputs["activeRevisionId"], deploymentId }));
  expect([asked.length, platform.warnings]).toEqual([1, []]);
});

test("the last event is kept on request", async () => {
  const check = await runCheck();
  await check.up(program({ keepOutput: true }));
  expect(JSON.stringify(check.current.outputs["output"])).toContain("Hi cats");
});

describe("it runs again", () => {
  test.each<[when: string, over: JsonObject, runs: number]>([
    ["when the revision is another one", { revisionId: "r-2" }, 1],
    ["when the input is another one", { input: { topic: "dogs" } }, 1],
    ["when more is expected", { expect: { nodes: ["last"] } }, 1],
    ["when the address is another one", { assistantId: "boom" }, 1],
    ["not when nothing changes", {}, 0],
    ["not to be more patient", { attempts: 50, interval: "9s", runTimeout: "1h", __progressUrn: "urn:x" }, 0],
    ["not when its messages may show more", { showData: true }, 0],
    ["not when its key is another one", { apiKey: "another" }, 0],
  ])("%s", async (_when, over, runs) => {
    const check = await runCheck();
    await check.up(program({ revisionId: "r-1" }));
    asked = [];
    answers = [recorded("expect" in over ? "12-subgraphs-updates" : "12-subgraphs-values")];
    await check.up(program({ revisionId: "r-1", ...over }));
    expect(asked).toHaveLength(runs);
  });

  test("after it failed, with the next up: a new one is not in state, a changed one is there with its old arguments", async () => {
    const check = await runCheck();
    answers = [recorded("44-err-graph-throws-late"), recorded("12-subgraphs-values")];
    await failureOf(check.up(program()));
    expect(check.state).toBeUndefined();
    expect(await check.up(program())).toBe("create");
    answers = [recorded("44-err-graph-throws-late"), recorded("12-subgraphs-values")];
    await failureOf(check.up(program({ revisionId: "r-2" })));
    expect(await check.up(program({ revisionId: "r-2" }))).toBe("update");
    expect(await check.up(program({ revisionId: "r-2" }))).toBe("same");
  });
});

test("a refresh sends nothing and changes nothing; a destroy sends nothing", async () => {
  const check = await runCheck();
  await check.up(program());
  const before = JSON.stringify(check.state);
  asked = [];
  expect(await check.refresh()).toBe(false);
  expect(JSON.stringify(check.state)).toBe(before);
  await check.destroy();
  expect([asked, platform.changing()]).toEqual([[], []]);
});

test("a run that fails fails up, with its id, the time, the last events and the reason, without the key", async () => {
  answers = [
    (response) =>
      response
        .writeHead(200, { "content-type": "text/event-stream" })
        .end(capture("44-err-graph-throws-late").body.toString().replaceAll("told to fail", platform.emulator.apiKey)),
  ];
  const message = await failureOf((await runCheck()).up(program({ expect: { modes: ["updates"] }, showData: true })));
  expect(message).toMatch(
    /^run [0-9a-f-]{36} of assistant "agent" at http:\S+ did not pass after \d\.\ds: it failed: \w+: \[secret\]: why\nCorrect the agent or the check; the next `pulumi up` runs it again. Its last events:\n {2}updates: \{/,
  );
  expect(message).toContain('updates: {"side":{"log":["side"]}}');
  expect(message).not.toContain(platform.emulator.apiKey);
});

describe("expectations", () => {
  const texts = (over: JsonObject) => ({ values: [{ mode: "messages-tuple", ...over }] });
  const value = (over: JsonObject): JsonObject => ({ values: [{ mode: "values", ...over }] });
  const tuple = ["messages-tuple"];
  const [values, updates, tokens] = ["12-subgraphs-values", "12-subgraphs-updates", "10-stateless-messages-tuple"];
  test.each<[what: string, answer: string, expect: JsonObject, modes: string[], problem?: RegExp]>([
    ["a mode that comes", values, { modes: ["values"] }, ["values"]],
    ["a mode that does not", values, { modes: ["values", "debug"] }, ["values", "debug"], /no event of mode debug/],
    ["nodes, by their updates", updates, { nodes: ["chat", "last"] }, ["updates"]],
    [
      "nodes, beside tokens: a node without a model has none, so updates are requested too",
      "20-list-all",
      { modes: ["messages-tuple"], nodes: ["chat", "last"] },
      ["messages-tuple", "updates"],
    ],
    ["a node never reached", updates, { nodes: ["chat", "nowhere"] }, ["updates"], /node nowhere was not reached/],
    ["a value", values, value({ path: "inner", equals: "ok" }), ["values"]],
    ["a value in a list", values, value({ path: "messages[0].content", matches: "^Hi c" }), ["values"]],
    [
      "a value that is another one",
      values,
      value({ path: "inner", equals: "no" }),
      ["values"],
      /inner of mode values was never "no"/,
    ],
    [
      "a pattern that nothing matches",
      values,
      value({ matches: "zebra" }),
      ["values"],
      /the data of mode values never matched \/zebra\//,
    ],
    ["the whole text of the tokens", tokens, texts({ matches: "Hi cats" }), tuple],
    ["a text that is not there", tokens, texts({ equals: "Hi dogs" }), tuple, /messages-tuple was never "Hi dogs"/],
    ["a text of its metadata", tokens, texts({ matches: "langgraph_node" }), tuple, /messages-tuple never matched/],
    ["a text without a token", tokens, texts({ matches: "^(?![^]*cats)" }), tuple, /messages-tuple never matched/],
    ["enough time", values, { firstEventWithin: "10s", totalWithin: "1m" }, ["values"]],
  ])("%s", async (_what, answer, expected, modes, problem = /^it succeeded$/) => {
    answers = [recorded(answer)];
    const check = await runCheck();
    const outcome = await failureOf(check.up(program({ expect: expected, showData: true })));
    expect(outcome).toMatch(problem);
    expect(asked[0]?.body).toMatchObject({ stream_mode: [...new Set([...modes, "updates"])] });
  });

  test.each([{ path: "channel" }, {}])(
    "a whole number beyond 2^53 was rounded when it was read, so no pattern matches its digits (%j)",
    async (path) => {
      answers = [streaming(METADATA + 'event: values\ndata: {"channel":1795292668348461057}\n\n')];
      const expected = { values: [{ mode: "values", ...path, matches: "1795292668348461000" }] };
      expect(await failureOf((await runCheck()).up(program({ expect: expected })))).toMatch(/did not pass after/);
    },
  );

  test("a run that takes too long, and a first event that comes too late: both are said at once", async () => {
    answers = [
      (response) => {
        platform.clock.advance(7_000);
        recorded("12-subgraphs-values")(response);
      },
    ];
    const check = await runCheck();
    expect(await failureOf(check.up(program({ expect: { firstEventWithin: "5s", totalWithin: "6s" } })))).toMatch(
      /the first event took 7\.0s, more than 5s; the run took 7\.0s, more than 6s/,
    );
  });
});

describe("a run that stops to wait for a person", () => {
  const asks = { __interrupt__: [{ value: { question: "send it?" }, id: "i-1" }] };
  const values = event("values", { answer: "drafted" });
  const token = event("messages", [{ content: "Hi" }, { langgraph_node: "chat" }]);
  // What official servers stream (docs/internals/platform.md, Stream modes).
  const stops: [where: string, over: JsonObject, expect: JsonObject, stream: string][] = [
    ["as the state says", {}, {}, event("values", { answer: "drafted", ...asks })],
    ["as an update says", {}, {}, values + event("updates", asks)],
    ["before a node, without a question", {}, {}, values + event("updates", { __interrupt__: [] })],
    ["in a subgraph", { streamSubgraphs: true }, {}, values + event("updates|sub:1", asks) + event("updates", asks)],
    ["where only tokens are of interest", {}, { modes: ["messages-tuple"] }, token + event("updates", asks)],
    ["where only nodes are", {}, { nodes: ["chat"] }, event("updates", { chat: {} }) + event("updates", asks)],
  ];

  test.each(stops)("fails, and the error says so and what to do: %s", async (_where, over, expected, stream) => {
    for (const interrupt of [undefined, false]) {
      answers = [streaming(METADATA + stream)];
      const check = await runCheck();
      expect(
        await failureOf(check.up(program({ ...over, expect: { ...expected, nodes: ["last"], interrupt } }))),
      ).toMatch(
        /^run r-1 .* did not pass after [\d.]+s: it waits for a person \(an interrupt\).* set expect\.interrupt to true; otherwise .*\nCorrect/,
      );
      expect(check.state).toBeUndefined();
    }
  });

  test.each(stops)("passes where it is expected to stop: %s", async (_where, over, expected, stream) => {
    answers = [streaming(METADATA + stream)];
    const check = await runCheck();
    await check.up(program({ ...over, expect: { ...expected, interrupt: true } }));
    expect(check.current.id).toBe("r-1");
  });

  test("does not stop where the graph answers what a subgraph asks", async () => {
    answers = [streaming(METADATA + event("updates|sub:1", asks) + values)];
    const check = await runCheck();
    await check.up(program({ streamSubgraphs: true }));
    expect(check.current.outputs["events"]).toBe(1);
  });

  test("has shown something, though it is all that it shows", async () => {
    answers = [streaming(METADATA + event("updates", asks))];
    const check = await runCheck();
    await check.up(program({ expect: { modes: undefined, interrupt: true } }));
    expect(check.current.outputs["events"]).toBe(1);
  });

  test("has to show what else is expected of it", async () => {
    answers = [streaming(METADATA + values + event("updates", asks))];
    expect(await failureOf((await runCheck()).up(program({ expect: { interrupt: true, modes: ["debug"] } })))).toMatch(
      /: no event of mode debug\n/,
    );
  });

  test("is missed where it does not stop", async () => {
    answers = [streaming(METADATA + values)];
    expect(await failureOf((await runCheck()).up(program({ expect: { interrupt: true } })))).toMatch(
      /: it came to its end, and did not wait for a person \(an interrupt\)\n/,
    );
  });

  test("is looked for with every server: the updates that come with it count for nothing else", async () => {
    const check = await runCheck();
    const outputs = [];
    for (const updates of [event("updates", { chat: {} }), ""]) {
      answers = [streaming(METADATA + updates + token + updates)];
      await check.up(program({ revisionId: `r-${updates.length}`, expect: { modes: ["messages-tuple"] } }));
      outputs.push(check.current.outputs);
    }
    expect(asked[0]?.body).toMatchObject({ stream_mode: ["messages-tuple", "updates"] });
    const [one, other] = outputs;
    expect([one?.["events"], one?.["digest"]]).toEqual([1, other?.["digest"]]);
  });
});

describe("no run, no pass", () => {
  test.each<[what: string, stream: string, problem: RegExp]>([
    ["an empty stream", "", /the stream named no run .*; the run showed nothing: no event of mode values arrived/],
    ["a run that shows nothing", METADATA, /^run r-1 .*: the run showed nothing: no event of mode values arrived/],
    [
      "a run that shows only unrequested modes",
      METADATA + event("ping", 1) + event("debug", {}),
      /the run showed nothing: no event of mode values arrived/,
    ],
    [
      "events of an unnamed run: the documented stream names its run first",
      event("values", { a: 1 }),
      /the stream named no run \(no metadata event with a run_id\), so nothing proves that it started/,
    ],
    ["a run without an id", event("metadata", { attempt: 1 }) + event("values", {}), /the stream named no run/],
    ["an error after its events", METADATA + event("values", {}) + event("error", "late"), /it failed: late/],
  ])("%s fails", async (_what, stream, problem) => {
    answers = [streaming(stream)];
    const check = await runCheck();
    expect(await failureOf(check.up(program()))).toMatch(problem);
    expect([check.state, asked.length]).toEqual([undefined, 1]);
  });

  test("expectations that expect nothing do not count", async () => {
    answers = [streaming(METADATA)];
    expect(await failureOf((await runCheck()).up(program({ expect: {} })))).toMatch(/the run showed nothing/);
  });

  test("two checks of the same graph have ids of their own", async () => {
    answers = ["r-1", "r-2"].map((id) => streaming(METADATA.replace("r-1", id) + event("values", { a: 1 })));
    const [one, other] = [await runCheck(), await runCheck()];
    await one.up(program());
    await other.up(program());
    expect([one.current.id, other.current.id]).toEqual(["r-1", "r-2"]);
    expect(one.current.outputs["digest"]).toBe(other.current.outputs["digest"]);
  });
});

describe("an agent that does not accept requests yet", () => {
  test.each<[what: string, probe: Answer]>([
    ...[500, 502, 503, 504, 429].map((status): [string, Answer] => [`answers ${status}`, refusing(status)]),
    ["closes the connection", dropped],
  ])("%s: it is asked again by requests that start nothing, and the run is sent once", async (_what, probe) => {
    probes = [probe, probe, ...probes];
    const began = platform.clock.now();
    const check = await runCheck();
    await check.up(program({ interval: "4s" }));
    expect(check.current.outputs["tried"]).toBe(3);
    expect(platform.clock.now() - began).toBe(8_000);
    expect(platform.progress.join("\n")).toContain("agent does not answer yet");
    expect(paths).toEqual(["/ok", "/ok", "/ok", "/runs/stream"]);
  });

  test.each([400, 401, 403, 404, 405, 501])("a server that answers the probe with %i is there", async (status) => {
    probes = [refusing(status)];
    const check = await runCheck();
    await check.up(program());
    expect(paths).toEqual(["/ok", "/runs/stream"]);
  });

  test("does not know the assistant yet: 404 is the one answer after which the run is sent again", async () => {
    answers = [refusing(404), refusing(404), recorded("12-subgraphs-values")];
    const check = await runCheck();
    await check.up(program());
    expect([check.current.outputs["tried"], asked.length]).toEqual([3, 3]);
  });

  test("a stateful one: the thread is made once and used by every attempt", async () => {
    const thread: Answer = (response) => response.end('{"thread_id":"t-1"}');
    answers = [refusing(404), thread, refusing(404), refusing(404), recorded("11-thread-values")];
    const check = await runCheck();
    await check.up(program({ stateful: true }));
    const run = "/threads/t-1/runs/stream";
    const sent = paths.filter((path) => path !== "/ok");
    // Its stream has no `end`: whether the run is over is asked.
    expect(sent.pop()).toMatch(/^\/threads\/t-1\/runs\/[0-9a-f-]{36}$/);
    expect(sent).toEqual(["/threads", "/threads", run, run, run]);
    expect(check.current.outputs).toMatchObject({ threadId: "t-1", tried: 4 });
  });

  test("never does: an error that says how often it was asked, and that no run was started", async () => {
    probes = [refusing(503)];
    expect(await failureOf((await runCheck()).up(program({ attempts: 4 })))).toMatch(
      /assistant "agent" at \S+ does not answer: GET \/ok answered 503: not yet \(tried 4 times in 9s\). No run was started./,
    );
    expect([paths.length, asked]).toEqual([4, []]);
  });

  test("a key that no header can hold is refused before the agent is asked", async () => {
    const check = await runCheck();
    expect(await failureOf(check.up(program({ apiKey: "two words" })))).toMatch(/^apiKey: must be visible ASCII /);
  });
});

describe("is never started twice", () => {
  const unknown = "It is not known whether the run began, so it was not sent a second time.";
  test.each<[what: string, answer: Answer, says: string]>([
    ["a refusal for good", refusing(422), "422"],
    ["a wrong key", refusing(401), "401"],
    ["an error of the server", refusing(500), unknown],
    ["a gateway that lost the answer", refusing(502), unknown],
    ["a gateway without a server, perhaps after it forwarded the run", refusing(503), unknown],
    ["too many requests, perhaps the model's", refusing(429), "429"],
    [
      "a stream that is cut off after the run began",
      (response) =>
        response.writeHead(200, { "content-type": "text/event-stream" }).write(METADATA, () => response.destroy()),
      "the run may still be going",
    ],
    ["a connection that is cut off before an answer", dropped, unknown],
    ["an empty stream", streaming(""), "named no run"],
    ["an HTML page", (response) => response.end("<html>"), "Is the url the agent's address?"],
    ["a run that fails", recorded("44-err-graph-throws-first"), "failed"],
  ])("%s", async (_what, answer, says) => {
    answers = [answer];
    const message = await failureOf((await runCheck()).up(program()));
    expect(message).toMatch(/did not pass after/);
    expect(message).toContain(says);
    expect(asked).toHaveLength(1);
  });

  test.each<[what: string, answer: Answer]>([
    ["a gateway that lost the answer", refusing(502)],
    ["a connection that is cut off", dropped],
    ["a wrong key", refusing(401)],
  ])("nor is a thread made twice: %s", async (_what, answer) => {
    answers = [answer];
    const message = await failureOf((await runCheck()).up(program({ stateful: true })));
    expect(message).toMatch(/^assistant "agent" at \S+ was not asked: POST \/threads .*\. No run was started\./);
    expect(paths).toEqual(["/ok", "/threads"]);
  });
});

describe("runTimeout", () => {
  test("ends a run that never ends, with the events that it showed", async () => {
    answers = [
      (response) =>
        response.writeHead(200, { "content-type": "text/event-stream" }).write('event: values\ndata: {"a":1}\n\n'),
    ];
    const message = await failureOf((await runCheck()).up(program({ runTimeout: "1s", showData: true })));
    expect(message).toMatch(/did not pass after .*: runTimeout has run out; raise it[^]*values: \{"a":1\}/);
    expect(asked).toHaveLength(1);
  });

  test.each<[what: string, path: "probes" | "answers", stateful: boolean]>([
    ["a probe that is never answered", "probes", false],
    ["a thread that is never answered", "answers", true],
    ["a thread whose answer is never whole", "answers", true],
  ])("ends %s; no run was started", async (what, path, stateful) => {
    const check = await runCheck();
    fakeTimeouts();
    const silent: Answer = (response) => {
      if (what.endsWith("whole")) response.write("{");
      jest.advanceTimersByTime(20_000);
    };
    if (path === "probes") probes = [silent];
    else answers = [silent];
    const message = await failureOf(check.up(program({ runTimeout: "20s", stateful })));
    expect(message).toMatch(/was not asked: runTimeout has run out; .*No run was started\./);
  });

  test("may be longer than the longest timer of Node, which would fire at once", async () => {
    const check = await runCheck();
    answers = [(response) => setTimeout(() => recorded("12-subgraphs-values")(response), 50)];
    expect(await check.up(program({ runTimeout: "1000h" }))).toBe("create");
  });
});

describe("the connection's key goes only where somebody of ours vouches for the address", () => {
  /** The address of a deployment after somebody else set this one on the platform: what its Rollout answers from then on. */
  async function movedTo(address: string): Promise<string> {
    const { id, rollout } = await rolledOut();
    expect(rollout.current.outputs["url"]).toBe(`${platform.emulator.url}/agents/${id}`);
    await platform.ask("PATCH", `/v2/deployments/${id}`, { source_config: { custom_url: address } });
    platform.newProcess();
    await rollout.refresh();
    return z.string().parse(rollout.current.outputs["url"]);
  }
  const refusal = (): RegExp =>
    new RegExp(
      `^url: ${new URL(url).host} is no address of the platform, and the program does not declare it, so the connection's apiKey is not sent there: .*` +
        "give the RunCheck an apiKey of its own.*customUrl.*agentDomain",
    );

  test("a custom_url that somebody else set on the platform gets no key: nothing is sent, and the error names the host and what to do", async () => {
    const check = await runCheck();
    const moved = await movedTo(url);
    expect(await failureOf(check.up(program({ url: moved, customUrl: undefined })))).toMatch(refusal());
    expect([keys, check.state]).toEqual([[], undefined]);
  });

  test("nor does one that was changed after a check passed", async () => {
    const check = await runCheck();
    const moved = await movedTo(url);
    await check.up(program({ url: moved, customUrl: moved }));
    keys = [];
    platform.newProcess();
    expect(await failureOf(check.up(program({ url: `${moved}/x`, customUrl: "a.example" })))).toMatch(refusal());
    expect(keys).toEqual([]);
  });

  test("what passed before this rule is not judged again until it has to run again", async () => {
    const check = await runCheck();
    await check.up(program());
    expect(await check.up(program({ customUrl: undefined }))).toBe("same");
    expect(await failureOf(check.up(program({ customUrl: undefined, revisionId: "r-2" })))).toMatch(refusal());
  });

  test("an address that is not known at preview is judged before the run", async () => {
    const check = await runCheck();
    const { inputs, failures } = await check.handler.check({}, { ...program({ url: UNKNOWN }), customUrl: "b.test" });
    expect(failures).toEqual([]);
    expect(await failureOf(check.handler.create({ ...inputs, url }))).toMatch(/is no address of the platform/);
    expect(keys).toEqual([]);
  });

  test.each<[who: string, over: () => JsonObject, settings: () => Record<string, string>]>([
    ["the program, which declares the address", () => ({ customUrl: url }), () => ({})],
    ["the configuration, as the address of the sandbox API", () => ({}), () => ({ sandboxBaseUrl: `${url}/api` })],
  ])("%s", async (_who, over, settings) => {
    const check = await platform.resource("RunCheck", settings());
    await check.up(program({ customUrl: undefined, ...over() }));
    expect(keys).toEqual([platform.emulator.apiKey, platform.emulator.apiKey]);
  });

  test("a key of its own goes where its check says", async () => {
    const check = await runCheck();
    await check.up(program({ customUrl: undefined, apiKey: "of-the-agent" }));
    expect(keys).toEqual(["of-the-agent", "of-the-agent"]);
  });

  test("without a key there is none to send", async () => {
    const check = await platform.resource("RunCheck", { apiKey: "", bearerToken: "token" });
    await check.up(program({ customUrl: undefined }));
    expect(keys).toEqual([undefined, undefined]);
  });

  test("an address of the platform itself needs nobody else", async () => {
    const check = await runCheck();
    const own = `${platform.emulator.url}/agents/none`;
    expect(await failureOf(check.up(program({ url: own, customUrl: undefined, attempts: 1 })))).toMatch(/answered 404/);
    expect(platform.emulator.requests.map(({ path }) => path)).toContain("/agents/none/ok");
  });

  test.each([301, 302, 307, 308])("a redirect (%i) does not take the key along", async (status) => {
    let followed = 0;
    const other = await serving((_request, response) => response.end(String(++followed)));
    answers = [(response) => response.writeHead(status, { location: `${other}/` }).end()];
    probes = answers;
    expect(await failureOf((await runCheck()).up(program()))).toMatch(/redirects are not followed/);
    expect(followed).toBe(0);
  });
});

describe("messages show none of the check's arguments, unless the program says that they hold no secret", () => {
  const secret = 'canary "quoted"/secret';
  const half = secret.length / 2;
  const token = (content: string) => event("messages", [{ content }, { langgraph_node: "chat" }]);
  const given = { input: { deep: [{ token: secret }], pin: 12345678 } };
  const failing = event("error", { error: "ValueError", message: `no such token: ${secret} (12345678)` });

  test.each<[what: string, over: JsonObject, stream: string]>([
    ["an echo in the events", given, METADATA + event("values", { echo: secret, pin: 12345678 }) + failing],
    ["an echo in another spelling", given, METADATA + event("values", { echo: secret.toUpperCase() }) + failing],
    [
      "an echo in parts",
      { ...given, expect: { modes: ["messages-tuple"] } },
      METADATA + token(secret.slice(0, half)) + token(secret.slice(half)) + failing,
    ],
    ["a long event, cut off within it", given, METADATA + event("values", `${"x".repeat(280)}${secret}`) + failing],
    [
      "the value that was expected",
      { expect: { values: [{ mode: "values", path: "a", equals: { deep: secret } }] } },
      METADATA + event("values", { a: secret }),
    ],
    [
      "the pattern that was expected",
      { expect: { values: [{ mode: "values", matches: "canary.*never" }] } },
      METADATA + event("values", { a: 1 }),
    ],
  ])("%s", async (_what, over, stream) => {
    answers = [streaming(stream)];
    const message = await failureOf((await runCheck()).up(program(over)));
    expect(message).toMatch(/^run r-1 of assistant "agent" at \S+ did not pass/);
    expect(message).toMatch(/Its last events, without their data, which may hold a secret:\n {2}\S+/);
    expect(message).not.toMatch(/canary|secret"|quoted|12345678/i);
  });

  test.each<[mode: string, stream: string]>([
    ["values", METADATA + event("values", { text: `${"a".repeat(50)}!` })],
    ["messages-tuple", METADATA + token("a".repeat(50)) + token("!")],
  ])("an expression that backtracks does not keep the plugin busy: %s", async (mode, stream) => {
    const path = mode === "values" ? { path: "text" } : {};
    answers = [streaming(stream)];
    const message = await failureOf(
      (await runCheck()).up(program({ expect: { values: [{ mode, ...path, matches: "^(a+)+$" }] } })),
    );
    expect(message).toMatch(
      /did not pass after .*: the matches in expect\.values took longer than 1s on what the agent sent/,
    );
  });

  test("many slow expressions have one limit together, also those that are slow without end", async () => {
    const slow = "a".repeat(25);
    const values = Array.from({ length: 40 }, () => ({ mode: "values", path: "text", matches: "^(a+)+$" }));
    answers = [streaming(METADATA + event("values", { text: `${slow}!` }).repeat(40))];
    const before = process.cpuUsage().user;
    const message = await failureOf((await runCheck()).up(program({ expect: { values } })));
    expect(message).toMatch(/the matches in expect\.values took longer than 1s/);
    // One by one it would be minutes.
    expect(process.cpuUsage().user - before).toBeLessThan(10_000_000);
  });

  test("a run that is over time ends, although its events never stop to come", async () => {
    let isOpen = true;
    answers = [
      (response) => {
        response.writeHead(200, { "content-type": "text/event-stream" }).write(METADATA);
        response.on("close", () => (isOpen = false));
        const flood = event("values", { a: 1 }).repeat(1000);
        const pour = (): void => {
          if (!isOpen) return;
          response.write(flood);
          setImmediate(pour);
        };
        pour();
      },
    ];
    const message = await failureOf((await runCheck()).up(program({ runTimeout: "1s" })));
    expect(message).toMatch(/runTimeout has run out/);
  });

  test("an expectation that was not met is named by its position", async () => {
    const values = [
      { mode: "values", path: "a", equals: 1 },
      { mode: "values", path: "a", equals: "canary" },
    ];
    answers = [streaming(METADATA + event("values", { a: 1 }))];
    expect(await failureOf((await runCheck()).up(program({ expect: { values } })))).toMatch(
      /: expect\.values\[1\] was never met by the data of mode values\n/,
    );
  });

  test("a refusal that echoes the input, also on the way: neither error nor progress", async () => {
    const echo: Answer = (response) => response.writeHead(404).end(JSON.stringify({ detail: `no ${secret}` }));
    answers = [echo];
    const message = await failureOf((await runCheck()).up(program({ ...given, attempts: 2 })));
    expect(message).toMatch(/does not answer: POST \/runs\/stream answered 404: no \[secret\] \(tried 2 times/);
    expect(platform.progress.join("\n")).toContain("does not answer yet");
    expect(`${message}${platform.progress.join("\n")}`).not.toContain("canary");
  });

  test("the key is not shown either way, also where the agent says it token by token", async () => {
    const key = "canary-key-0123456789";
    const tokens = Array.from(key, (letter) => token(letter)).join("");
    const over = { apiKey: key, expect: { modes: ["messages-tuple"], nodes: ["nowhere"] } };
    for (const showData of [true, false]) {
      answers = [streaming(`${METADATA}${event("updates", { chat: "x".repeat(275) + key })}${tokens}`)];
      const message = await failureOf((await runCheck()).up(program({ ...over, showData })));
      expect(message).toMatch(/node nowhere was not reached/);
      // A port may have the digits of the key.
      expect(message.replace(/127\.0\.0\.1:\d+/g, "")).not.toMatch(/canary|0123|789/);
      if (showData) expect(message).toContain('messages-tuple chat: "[secret]"');
    }
  });
});
