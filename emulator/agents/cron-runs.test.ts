import { readFileSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { z } from "zod";
import { agentUnderTest, until, type AgentUnderTest } from "../../tests/support/agent-under-test";
import { newFolder } from "../../tests/support/new-folder";
import { ask } from "../../tests/support/ask";
import { agentAssistants, agentCrons, agentItems, threads } from "../platform/agent-records";
import { startEmulator } from "../start";
import { ManualClock } from "../base/clock";
import { Runs } from "./runs";
import { nextRun } from "./schedule";

const HOUR = 3_600_000;
const object = z.record(z.string(), z.unknown());
let clock: ManualClock;
let agent: AgentUnderTest;
beforeEach(async () => {
  clock = new ManualClock(Date.UTC(2030, 0, 1));
  agent = await agentUnderTest({ clock, deleteSeconds: 0 });
});

const sent = async (path: string, body: object) => object.parse(await (await agent.post(path, body)).json());
const cronOf = (body: object, path = "/runs/crons") =>
  sent(path, { assistant_id: "agent", schedule: "0 9 * * *", input: { topic: "news" }, ...body });
const threadsNow = async () => z.array(object).parse(await (await agent.post("/threads/search", {})).json());
const runsOf = async (thread: unknown) =>
  z.array(object).parse(await (await agent.get(`/threads/${String(thread)}/runs`)).json());
const stored = () => threads.in(agent.emulator.store).all();
const settled = () => until(() => stored().every((each) => each.last_run !== null && each.values !== null));

describe("a cron that is due", () => {
  test("runs its assistant on a thread of its own, which is kept if it says so", async () => {
    const assistant = await sent("/assistants", { graph_id: "agent", name: "triage" });
    const { assistant_id } = assistant;
    const { cron_id } = await cronOf({ assistant_id, on_run_completed: "keep", metadata: { team: "a" } });
    clock.advance(9 * HOUR - 1);
    expect(await threadsNow()).toEqual([]);
    clock.advance(1);
    await settled();
    const [thread] = await threadsNow();
    expect(thread).toMatchObject({ metadata: { assistant_id, cron_id, team: "a" }, values: { topic: "news" } });
    expect(await runsOf(thread?.["thread_id"])).toMatchObject([
      { assistant_id, status: "success", metadata: { cron_id } },
    ]);
    const next = await (await agent.get(`/runs/crons/${String(cron_id)}`)).json();
    expect(next).toMatchObject({ next_run_date: "2030-01-02T09:00:00+00:00" });
    clock.advance(48 * HOUR);
    await settled();
    expect(await threadsNow()).toHaveLength(3);
  });

  test("streams what the cron says, also to who comes late", async () => {
    await cronOf({ on_run_completed: "keep", stream_mode: "updates", stream_resumable: true });
    clock.advance(9 * HOUR);
    await settled();
    const [thread] = await threadsNow();
    const [run] = await runsOf(thread?.["thread_id"]);
    const headers = { ...agent.headers(), "last-event-id": "-1" };
    const path = `/threads/${String(thread?.["thread_id"])}/runs/${String(run?.["run_id"])}/stream`;
    const events = (await (await agent.get(path, { headers })).text()).match(/^event: \w+/gm);
    expect(new Set(events)).toEqual(new Set(["event: metadata", "event: updates"]));
  });

  test("leaves no thread behind otherwise", async () => {
    await cronOf({});
    clock.advance(9 * HOUR);
    expect(stored()).toHaveLength(1);
    await until(() => stored().length === 0);
  });

  test("of a thread runs there", async () => {
    const { thread_id } = await sent("/threads", {});
    await cronOf({}, `/threads/${String(thread_id)}/runs/crons`);
    clock.advance(9 * HOUR);
    await settled();
    expect(await threadsNow()).toMatchObject([{ thread_id, status: "idle" }]);
    expect(await runsOf(thread_id)).toHaveLength(1);
  });

  test.each([
    ["is disabled", { enabled: false }, 0],
    ["has come to its end", { end_time: "2030-01-01T08:00:00Z" }, 0],
    ["comes to its end later", { end_time: "2030-01-01T10:00:00Z" }, 1],
    ["has an end that is no time", { end_time: "soon" }, 2],
    ["has a time zone", { timezone: "America/New_York" }, 2],
    ["comes once a year", { schedule: "0 9 1 1 *" }, 1],
  ])("in two days, one that %s", async (_what, body, times) => {
    await cronOf({ ...body, on_run_completed: "keep" });
    clock.advance(48 * HOUR);
    expect(stored()).toHaveLength(times);
  });

  test("is gone with its deployment, as all that an agent keeps", async () => {
    const forgets = jest.spyOn(Runs.prototype, "forgetThread");
    await cronOf({ on_run_completed: "keep" });
    clock.advance(9 * HOUR);
    await settled();
    const [thread] = stored();
    await sent("/assistants", { graph_id: "agent" });
    const init = { method: "PUT", headers: agent.headers() };
    await fetch(`${agent.url}/store/items`, { ...init, body: '{"namespace":["a"],"key":"k","value":{}}' });
    await ask(agent.emulator, "DELETE", `/v2/deployments/${agent.deploymentId}`);
    clock.advance(48 * HOUR);
    const { store } = agent.emulator;
    expect([threads, agentCrons, agentAssistants, agentItems].map((each) => each.in(store).all().length)).toEqual([
      0, 0, 0, 0,
    ]);
    expect(clock.waiting).toBe(0);
    // The runs of its thread are in memory alone.
    expect(forgets).toHaveBeenCalledWith(thread?.id);
    forgets.mockRestore();
  });

  test("starts nothing while its deployment is being deleted", async () => {
    agent = await agentUnderTest({ clock, deleteSeconds: 100 * HOUR });
    await cronOf({ on_run_completed: "keep" });
    await ask(agent.emulator, "DELETE", `/v2/deployments/${agent.deploymentId}`);
    clock.advance(9 * HOUR);
    expect(stored()).toEqual([]);
  });
});

test("what an agent keeps survives a restart, and a cron that was due meanwhile runs once", async () => {
  const dataFile = join(newFolder(), "emulator.json");
  const first = await agentUnderTest({ clock, dataFile });
  agent = first;
  await cronOf({ on_run_completed: "keep" });
  await first.emulator.close();
  clock.advance(100 * HOUR);
  const again = await startEmulator({ clock, dataFile });
  clock.advance(0);
  expect(threads.in(again.store).all()).toHaveLength(1);
  expect(agentCrons.in(again.store).all()).toMatchObject([{ next_run_date: "2030-01-05T09:00:00+00:00" }]);
  await again.close();
  rmSync(dataFile);
});

test("a data file that another process has replaced does not end the emulator when a cron is due", async () => {
  const dataFile = join(newFolder(), "emulator.json");
  agent = await agentUnderTest({ clock, dataFile });
  await cronOf({ on_run_completed: "keep" });
  writeFileSync(dataFile, "{}");
  clock.advance(10 * HOUR);
  await settled();
  expect((await agent.post("/threads", {})).status).toBe(500);
  rmSync(dataFile);
});

test("what a run leaves on its thread is in the data file once it is answered", async () => {
  const dataFile = join(newFolder(), "emulator.json");
  agent = await agentUnderTest({ clock, dataFile });
  const { thread_id } = await sent("/threads", {});
  await sent(`/threads/${String(thread_id)}/runs/wait`, { assistant_id: "agent", input: { topic: "news" } });
  expect(JSON.parse(readFileSync(dataFile, "utf8"))).toMatchObject({
    data: { threads: [{ values: { topic: "news" } }] },
  });
});

// In the words of croniter, with which the official server reads schedules.
test.each([
  ["five fields", "30 9 * * *", null, "2030-01-01T09:30:00+00:00"],
  ["the seconds last", "0 9 * * * 15", null, "2030-01-01T09:00:15+00:00"],
  ["a word", "@weekly", null, "2030-01-06T00:00:00+00:00"],
  ["the last Friday", "0 0 * * L5", null, "2030-01-25T00:00:00+00:00"],
  ["the first of the month or a Monday", "0 0 1 * 1", null, "2030-01-07T00:00:00+00:00"],
  ["a time zone", "0 9 * * *", "Asia/Tokyo", "2030-01-02T00:00:00+00:00"],
  ["summer time", "0 9 1 7 *", "Europe/Berlin", "2030-07-01T07:00:00+00:00"],
])("a schedule with %s: %s", (_what, schedule, timezone, next) => {
  expect(nextRun(schedule, timezone, Date.UTC(2030, 0, 1))).toBe(next);
});
