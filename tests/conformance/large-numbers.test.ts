import { readInput } from "../../cli/run/request";
import { AgentClient } from "../../provider/streaming/client";
import { failureOf } from "../support/platform-under-test";
import { ofTest } from "../support/of-suite";
import { servingRead } from "../support/serving";
import { OnAgent } from "./on-agent";

// Whole numbers beyond 2^53: a number rounds them, so that what a program declares has changed before it comes to us, and is refused
// (tests/bad-input). What somebody else has set is read and sent back digit by digit (tests/player).

test("the largest that a number holds is sent, and so is a fraction", async () => {
  const on = ofTest(await OnAgent.start());
  await on.reset();
  const cron = { ...on.place, __progressUrn: "urn:pulumi:dev::p::t::n", assistantId: "agent", schedule: "0 9 * * *" };
  await (await on.model("Cron")).up({ ...cron, input: { channel: 2 ** 53 - 1, other: 0.1 + 0.2 } });
  expect(on.changing()).toEqual(["POST /runs/crons"]);
});

test("the input of `agent-platform run` is sent digit by digit", async () => {
  const digits = "1795292668348461057";
  const sent: string[] = [];
  const url = await servingRead((response, _request, body) => {
    sent.push(body);
    response.writeHead(400).end();
  });
  const input = await readInput(`{"channel":${digits}}`, process.stdin);
  const run = new AgentClient({ url }).runs.stream({ assistantId: "agent", input });
  await failureOf(run[Symbol.asyncIterator]().next());
  expect(sent).toEqual([`{"assistant_id":"agent","input":{"channel":${digits}}}`]);
});
