import { readInput } from "../../cli/run/request";
import type { JsonObject } from "../../provider/base/json";
import { AgentClient } from "../../provider/streaming/client";
import { OnAgent } from "./on-agent";
import { failureOf } from "../support/platform-under-test";
import { servingRead } from "../support/serving";

// Whole numbers beyond 2^53: a number rounds them, so that what a program declares has changed before it comes to us, and is refused
// (tests/bad-input). What somebody else has set is read and sent back digit by digit.

const DIGITS = "1795292668348461057";
/** In the objects of the servers, which cannot hold the number either: each answer has the digits in its place. */
const STAND_IN = "a whole number";

let on: OnAgent;
/** In front of platform and agent. */
let between: string;
let sent: string[];
beforeAll(async () => {
  on = await OnAgent.start();
  between = await servingRead(async (response, { method = "", headers, url = "" }, body) => {
    const target = url.startsWith("/v2/") ? on.platform.emulator.url : on.agent.url;
    if (method === "PATCH" || url.startsWith("/runs/stream")) sent.push(body);
    const key = { "x-api-key": String(headers["x-api-key"]), "content-type": "application/json" };
    const answer = await fetch(target + url, { method, headers: key, ...(body !== "" && { body }) });
    const answered = (await answer.text()).replaceAll(`"${STAND_IN}"`, DIGITS);
    response.writeHead(answer.status, { "content-type": "application/json" }).end(answered);
  });
});
beforeEach(async () => {
  await on.reset();
  sent = [];
});
afterAll(() => on.close());

const place = (): JsonObject => ({
  ...on.place,
  url: between,
  customUrl: between,
  __progressUrn: "urn:pulumi:dev::p::t::n",
});
const assistant = (over: JsonObject = {}): JsonObject => ({ ...place(), name: "triage", graphId: "agent", ...over });
const cron = (over: JsonObject = {}): JsonObject => ({
  ...place(),
  assistantId: "agent",
  schedule: "0 9 * * *",
  input: { channel: "news" },
  ...over,
});
const deployment = (over: JsonObject = {}): JsonObject => ({
  name: "numbers",
  source: "external_docker",
  sourceRevisionConfig: { imageUri: "registry.example/desk:1" },
  ...over,
});

test("the largest that a number holds is sent, and so is a fraction", async () => {
  const model = await on.model("Cron");
  await model.up(cron({ input: { channel: 2 ** 53 - 1, other: 0.1 + 0.2 } }));
  expect(on.changing()).toEqual(["POST /runs/crons"]);
});

test("the input of `agent-platform run` is sent digit by digit", async () => {
  const input = await readInput(`{"channel":${DIGITS}}`, process.stdin);
  const run = new AgentClient({ url: between }).runs.stream({ assistantId: "agent", input });
  await failureOf(run[Symbol.asyncIterator]().next());
  expect(sent).toEqual([`{"assistant_id":"agent","input":{"channel":${DIGITS}}}`]);
});

describe("what others have set", () => {
  test("the settings of an assistant go back digit by digit when its context changes", async () => {
    const model = await on.model("Assistant");
    await model.up(assistant());
    Object.assign(on.agent.assistants.get(model.current.id) ?? {}, { config: { channel: STAND_IN } });
    await model.up(assistant({ context: { tone: "brief" } }));
    expect(sent).toEqual([`{"config":{"channel":${DIGITS}},"context":{"tone":"brief"}}`]);
  });

  test("what a deployment has beside the declaration is kept digit by digit", async () => {
    const model = await on.platform.resource("Deployment", { baseUrl: between });
    await model.up(deployment());
    await on.platform.ask("PATCH", `/v2/deployments/${model.current.id}`, {
      source_config: { resource_spec: { ours: 1, theirs: STAND_IN } },
      source_revision_config: { image_uri: "registry.example/desk:1", theirs: { channel: STAND_IN } },
    });
    await model.up(
      deployment({
        sourceConfig: { resourceSpec: { maxScale: 3 } },
        sourceRevisionConfig: { imageUri: "registry.example/desk:2" },
      }),
    );
    expect(sent.at(-1)).toContain(`"theirs":${DIGITS}`);
    expect(sent.at(-1)).toContain(`"theirs":{"channel":${DIGITS}}`);
  });

  test("a number in the place of a declared text of its digits is drift, and the next up sends the text", async () => {
    const model = await on.model("Cron");
    await model.up(cron({ input: { channel: DIGITS } }));
    const [own] = [...on.agent.crons.values()];
    Object.assign(own?.payload ?? {}, { input: { channel: STAND_IN } });
    expect(await model.refresh()).toBe(true);
    expect(model.current.inputs["input"]).toEqual({ channel: `${DIGITS} (a number)` });
    await model.up(cron({ input: { channel: DIGITS } }));
    expect(sent).toEqual([`{"input":{"channel":"${DIGITS}"}}`]);
  });
});
