import { createServer, type Server, type ServerResponse } from "node:http";
import { once } from "node:events";
import { z } from "zod";
import type { JsonObject } from "../../provider/lifecycle/json";
import { CheckFailed, type EngineModel } from "../engine-model";
import { capture } from "../streaming/capture";
import { failureOf, PlatformUnderTest } from "./platform-under-test";

type Answer = (response: ServerResponse) => unknown;

let platform: PlatformUnderTest;
let agent: Server;
let url: string;
/** The answers to the next requests; the last one stays. */
let answers: Answer[];
let asked: { readonly body: unknown; readonly key: unknown }[];
let paths: (string | undefined)[];

beforeAll(async () => {
  platform = await PlatformUnderTest.start();
  agent = createServer((request, response) => {
    let text = "";
    request.on("data", (part: Buffer) => (text += part.toString()));
    request.on("end", () => {
      paths.push(request.url);
      asked.push({ body: JSON.parse(text), key: request.headers["x-api-key"] });
      const [answer] = answers.length > 1 ? answers.splice(0, 1) : answers;
      answer?.(response);
    });
  }).listen(0, "127.0.0.1");
  await once(agent, "listening");
  url = `http://127.0.0.1:${z.object({ port: z.number() }).parse(agent.address()).port}`;
});
beforeEach(() => {
  platform.reset();
  asked = [];
  paths = [];
  answers = [recorded("12-subgraphs-values")];
});
afterAll(async () => {
  agent.closeAllConnections();
  agent.close();
  await platform.close();
});

const recorded =
  (name: string): Answer =>
  (response) =>
    response.writeHead(200, { "content-type": "text/event-stream" }).end(capture(name).body);
const refusing =
  (status: number): Answer =>
  (response) =>
    response.writeHead(status, { "content-type": "application/json" }).end('{"detail":"not yet"}');

const program = (over: JsonObject = {}): JsonObject => ({
  url,
  assistantId: "agent",
  input: { topic: "cats" },
  ...over,
});
const runCheck = (): Promise<EngineModel> => platform.resource("RunCheck");

test("up runs the assistant once, and keeps what proves it, not what it said", async () => {
  const check = await runCheck();
  await check.up(program({ revisionId: "r-1" }));
  expect(asked).toEqual([
    {
      body: { assistant_id: "agent", input: { topic: "cats" }, stream_mode: ["values"] },
      key: platform.emulator.apiKey,
    },
  ]);
  const { id, outputs } = check.current;
  expect(id).toBe(outputs["runId"]);
  expect(outputs).toMatchObject({ tried: 1, attempt: 1, threadId: null, revisionId: "r-1" });
  expect(outputs["digest"]).toMatch(/^[0-9a-f]{64}$/);
  expect(JSON.stringify(outputs)).not.toMatch(/Hi cats/);
});

test("a stateful one runs on a thread of its own", async () => {
  answers = [(response) => response.end('{"thread_id":"t-1"}'), recorded("11-thread-values")];
  const check = await runCheck();
  await check.up(program({ stateful: true }));
  expect(paths).toEqual(["/threads", "/threads/t-1/runs/stream"]);
  expect(check.current.outputs).toMatchObject({ threadId: "t-1", tried: 1 });
});

test("the last event is kept where that is asked for", async () => {
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
    ["not when it is to be more patient", { attempts: 50, interval: "9s", runTimeout: "1h", progressUrn: "urn:x" }, 0],
    ["not when its key is another one", { apiKey: "another" }, 0],
  ])("%s", async (_when, over, runs) => {
    const check = await runCheck();
    await check.up(program({ revisionId: "r-1" }));
    asked = [];
    answers = [recorded("12-subgraphs-updates")];
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

test("a refresh asks nobody and changes nothing; a destroy sends nothing", async () => {
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
  const message = await failureOf((await runCheck()).up(program({ expect: { modes: ["updates"] } })));
  expect(message).toMatch(
    /^run [0-9a-f-]{36} of assistant "agent" at http:\S+ did not pass after \d\.\ds: run \S+ failed: \w+: \[secret\]: why\nCorrect the agent or the check; the next `pulumi up` runs it again. Its last events:\n {2}updates: \{/,
  );
  expect(message).toContain('updates: {"side":{"log":["side"]}}');
  expect(message).not.toContain(platform.emulator.apiKey);
});

describe("expectations", () => {
  const texts = (over: JsonObject) => ({ values: [{ mode: "messages-tuple", ...over }] });
  test.each<[what: string, answer: string, expect: JsonObject, modes: string[], problem: RegExp | undefined]>([
    ["a mode that comes", "12-subgraphs-values", { modes: ["values"] }, ["values"], undefined],
    [
      "a mode that does not",
      "12-subgraphs-values",
      { modes: ["values", "debug"] },
      ["values", "debug"],
      /no event of mode debug/,
    ],
    ["nodes, by their updates", "12-subgraphs-updates", { nodes: ["chat", "last"] }, ["updates"], undefined],
    [
      "nodes, beside tokens: one without a model has none, so updates are asked for too",
      "20-list-all",
      { modes: ["messages-tuple"], nodes: ["chat", "last"] },
      ["messages-tuple", "updates"],
      undefined,
    ],
    [
      "a node that is not reached",
      "12-subgraphs-updates",
      { nodes: ["chat", "nowhere"] },
      ["updates"],
      /node nowhere was not reached/,
    ],
    [
      "a value",
      "12-subgraphs-values",
      { values: [{ mode: "values", path: "inner", equals: "ok" }] },
      ["values"],
      undefined,
    ],
    [
      "a value in a list",
      "12-subgraphs-values",
      { values: [{ mode: "values", path: "messages[0].content", matches: "^Hi c" }] },
      ["values"],
      undefined,
    ],
    [
      "a value that is another one",
      "12-subgraphs-values",
      { values: [{ mode: "values", path: "inner", equals: "no" }] },
      ["values"],
      /inner of mode values was never "no"/,
    ],
    [
      "a pattern that nothing matches",
      "12-subgraphs-values",
      { values: [{ mode: "values", matches: "zebra" }] },
      ["values"],
      /the data of mode values never matched \/zebra\//,
    ],
    [
      "the whole text of the tokens",
      "10-stateless-messages-tuple",
      texts({ matches: "Hi cats" }),
      ["messages-tuple"],
      undefined,
    ],
    [
      "a text that is not there",
      "10-stateless-messages-tuple",
      texts({ equals: "Hi dogs" }),
      ["messages-tuple"],
      /the data of mode messages-tuple was never "Hi dogs"/,
    ],
    ["enough time", "12-subgraphs-values", { firstEventWithin: "10s", totalWithin: "1m" }, ["values"], undefined],
  ])("%s", async (_what, answer, expected, modes, problem) => {
    answers = [recorded(answer)];
    const check = await runCheck();
    const outcome = await failureOf(check.up(program({ expect: expected })));
    if (problem === undefined) expect(outcome).toBe("it succeeded");
    else expect(outcome).toMatch(problem);
    expect(asked[0]?.body).toMatchObject({ stream_mode: modes });
  });

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

describe("an agent that does not accept requests yet", () => {
  test.each([404, 502, 503])("answers %i: it is asked again, and the run is started once", async (status) => {
    answers = [refusing(status), refusing(status), recorded("12-subgraphs-values")];
    const began = platform.clock.now();
    const check = await runCheck();
    await check.up(program({ interval: "4s" }));
    expect(check.current.outputs["tried"]).toBe(3);
    expect(platform.clock.now() - began).toBe(8_000);
    expect(platform.progress.join("\n")).toContain("agent does not answer yet");
  });

  test("never does: an error that says how often it was asked, and that no run was started", async () => {
    answers = [refusing(503)];
    expect(await failureOf((await runCheck()).up(program({ attempts: 4 })))).toMatch(
      /assistant "agent" at \S+ does not answer: POST \/runs\/stream answered 503: not yet \(tried 4 times in 9s\). No run was started./,
    );
    expect(asked).toHaveLength(4);
  });

  test("refuses the connection: the same", async () => {
    expect(await failureOf((await runCheck()).up(program({ url: "http://127.0.0.1:1", attempts: 2 })))).toMatch(
      /does not answer: .*ECONNREFUSED.* \(tried 2 times in 3s\)/,
    );
  });
});

describe("is never asked twice", () => {
  test.each<[what: string, answer: Answer]>([
    ["what it refuses for good", refusing(422)],
    ["a wrong key", refusing(401)],
    ["an error of the server", refusing(500)],
    [
      "a stream that is cut off after the run began",
      (response) => {
        const begun = 'event: metadata\ndata: {"run_id":"r","attempt":1}\n\n';
        response.writeHead(200, { "content-type": "text/event-stream" }).write(begun, () => response.destroy());
      },
    ],
    ["a connection that is cut off before an answer", (response) => response.destroy()],
    ["a run that fails", recorded("44-err-graph-throws-first")],
  ])("%s", async (_what, answer) => {
    answers = [answer];
    expect(await failureOf((await runCheck()).up(program()))).toMatch(/did not pass after/);
    expect(asked).toHaveLength(1);
  });
});

describe("runTimeout", () => {
  test("ends a run that never ends, with what it showed", async () => {
    answers = [
      (response) =>
        response.writeHead(200, { "content-type": "text/event-stream" }).write('event: values\ndata: {"a":1}\n\n'),
    ];
    const message = await failureOf((await runCheck()).up(program({ runTimeout: "1s" })));
    expect(message).toMatch(/did not pass after .*: runTimeout is over; raise it[^]*values: \{"a":1\}/);
    expect(asked).toHaveLength(1);
  });

  test("may be longer than the longest timer of Node, which would fire at once", async () => {
    const check = await runCheck();
    answers = [(response) => setTimeout(() => recorded("12-subgraphs-values")(response), 50)];
    expect(await check.up(program({ runTimeout: "1000h" }))).toBe("create");
  });
});

test("a deployment without an address is refused at preview, before any request", async () => {
  const check = await runCheck();
  await expect(check.up(program({ url: null }))).rejects.toThrow(CheckFailed);
  expect(asked).toEqual([]);
});
