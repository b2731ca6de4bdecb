import { ManualClock } from "../base/clock";
import {
  agentUnderTest,
  endless,
  eventsOf,
  floods,
  hello,
  namesOf,
  parseEvents,
  RawRequest,
  slow,
  until,
  type AgentUnderTest,
} from "../../tests/support/agent-under-test";
import type { EmulatorOptions } from "../start";
import { fakeTimeouts } from "../../tests/support/fake-timeouts";

const started = (options: EmulatorOptions = {}): Promise<AgentUnderTest> =>
  agentUnderTest({ graphs: floods, ...options });
afterEach(() => jest.useRealTimers());

describe("the stream on the wire", () => {
  test("has the headers of an agent server, chunks, CRLF, and a heartbeat every five seconds", async () => {
    const clock = new ManualClock();
    const raw = new RawRequest(await started({ clock }), "/runs/stream", slow);
    await until(() => raw.text.includes('"progress":0'));
    const [head = "", body = ""] = raw.text.split(/\r\n\r\n(.*)/s);
    const id = /"run_id":"([^"]+)"/.exec(body)?.[1];
    expect(head.toLowerCase().split("\r\n")).toEqual(
      expect.arrayContaining([
        "http/1.1 200 ok",
        "content-type: text/event-stream; charset=utf-8",
        "transfer-encoding: chunked",
        "cache-control: no-store",
        `content-location: /runs/${id}`,
        `location: /runs/${id}/stream`,
      ]),
    );
    expect(body).toContain('event: custom\r\ndata: {"progress":0,"topic":"a"}\r\n\r\n');
    for (const beats of [1, 2, 3]) {
      clock.advance(5000);
      await until(() => raw.text.split(": heartbeat\r\n\r\n").length === beats + 1);
    }
    clock.advance(2000);
    await until(() => raw.text.endsWith("\r\n0\r\n\r\n"));
    expect(raw.text).toContain('data: {"progress":100}');
    raw.socket.destroy();
  });

  test("with 0 seconds between heartbeats, there are none", async () => {
    const clock = new ManualClock();
    const agent = await started({ clock, heartbeatSeconds: 0 });
    const thread = await agent.thread();
    const run = await agent.background(thread, slow);
    const joined = await agent.get(`/threads/${thread}/runs/${run}/stream`);
    clock.advance(17_500);
    expect(await joined.text()).not.toContain(": heartbeat");
  });

  test("heartbeats come as often as configured, even while a join waits", async () => {
    const clock = new ManualClock();
    const agent = await started({ clock, heartbeatSeconds: 1 });
    const thread = await agent.thread();
    const run = await agent.background(thread, slow);
    const joined = await agent.get(`/threads/${thread}/runs/${run}/stream`);
    clock.advance(17_500);
    // The heartbeats of the same moment first: the run goes on after them.
    const text = await joined.text();
    expect(text.split(": heartbeat\r\n\r\n").length - 1).toBe(17);
    expect(parseEvents(text)).toEqual([{ event: "custom", data: { progress: 100 } }]);
  });
});

describe("access to streams", () => {
  const tenants = [
    { tenantId: "tenant-a", organizationId: "org-a", apiKey: "key-canary-a" },
    { tenantId: "tenant-b", organizationId: "org-b", apiKey: "key-canary-b" },
  ];
  test.each<[reason: string, headers: Record<string, string>, status: number]>([
    ["the tenant's key", { "x-api-key": "key-canary-a" }, 200],
    ["a bearer token", { authorization: "Bearer key-canary-a" }, 200],
    ["no key", {}, 401],
    ["a wrong key", { "x-api-key": "wrong" }, 401],
    ["a key of another tenant", { "x-api-key": "key-canary-b" }, 404],
    ["a key with another key's tenant", { "x-api-key": "key-canary-a", "x-tenant-id": "tenant-b" }, 403],
  ])("%s", async (_reason, headers, status) => {
    const { url } = await started({ tenants });
    const answers = [
      await fetch(`${url}/runs/stream`, { method: "POST", headers, body: JSON.stringify(hello) }),
      await fetch(`${url}/threads`, { method: "POST", headers, body: "{}" }),
    ];
    expect(answers.map((answer) => answer.status)).toEqual([status, status]);
  });

  test("not before the revision is DEPLOYED and its agent has started; not while it is being deleted", async () => {
    const clock = new ManualClock();
    const agent = await started({ clock, buildSeconds: 10, agentStartSeconds: 5 });
    const ask = async () => {
      const answer = await agent.post("/threads", {});
      // A request that starts nothing is refused in the same way.
      expect((await agent.get("/ok")).status).toBe(answer.status);
      return answer.status === 200 ? 200 : [answer.status, await answer.json()];
    };
    const refused = (why: string) => [503, { detail: `Deployment ${agent.deploymentId} ${why}` }];
    const seen = [await ask()];
    clock.advance(14_999);
    seen.push(await ask());
    clock.advance(1);
    seen.push(await ask());
    await fetch(`${agent.emulator.url}/v2/deployments/${agent.deploymentId}`, {
      method: "DELETE",
      headers: agent.headers(),
    });
    seen.push(await ask());
    clock.advance(10_000);
    seen.push(await ask());
    expect(seen).toEqual([
      refused("does not accept requests yet"),
      refused("does not accept requests yet"),
      200,
      refused("is being deleted"),
      [404, { detail: `Deployment ID ${agent.deploymentId} not found.` }],
    ]);
  });

  test("the revision before answers until the new one is DEPLOYED, and the new one at once, since it has taken over", async () => {
    const clock = new ManualClock();
    const agent = await started({ clock, buildSeconds: 10, agentStartSeconds: 5 });
    clock.advance(15_000);
    const body = JSON.stringify({ source_revision_config: { image_uri: "agent:emulator-fail-graph" } });
    await fetch(`${agent.emulator.url}/v2/deployments/${agent.deploymentId}`, {
      method: "PATCH",
      headers: agent.headers(),
      body,
    });
    const last = async () => namesOf(await agent.run({ stream_mode: "custom" })).at(-1);
    clock.advance(9_999);
    expect(await last()).toBe("custom");
    clock.advance(1);
    expect(await last()).toBe("error");
  });

  test("the rate limits of the platform hold for an agent too", async () => {
    const agent = await started({ limits: true, clock: new ManualClock() });
    const statuses = new Set<number>();
    // A few at a time: the system refuses connections that wait for a busy machine.
    for (let sent = 0; sent < 1001; sent += 11) {
      for (const { status } of await Promise.all(Array.from({ length: 11 }, () => agent.get("/nowhere"))))
        statuses.add(status);
    }
    expect(statuses).toContain(429);
    expect((await agent.post("/runs/stream", hello)).status).toBe(429);
  });
});

describe("a client that goes", () => {
  test("ends a stateless run, its delay and its heartbeat", async () => {
    const clock = new ManualClock();
    const raw = new RawRequest(await started({ clock }), "/runs/stream", slow);
    await until(() => raw.text.includes('"progress":0'));
    expect(clock.waiting).toBe(2);
    raw.socket.destroy();
    await until(() => clock.waiting === 0);
  });

  test.each([
    ["leaves the run of a thread alone", {}, 200],
    ["ends it with on_disconnect cancel", { on_disconnect: "cancel" }, 0],
  ])("%s", async (_reason, asked, finished) => {
    const clock = new ManualClock();
    const agent = await started({ clock });
    const thread = await agent.thread();
    const raw = new RawRequest(agent, `/threads/${thread}/runs/stream`, { ...slow, ...asked });
    await until(() => raw.text.includes('"progress":0'));
    raw.socket.destroy();
    await until(() => clock.waiting === (finished === 0 ? 0 : 1));
    clock.advance(17_000);
    const next = { assistant_id: "agent", input: { delay_ms: 0 } };
    const [, state] = await eventsOf(await agent.post(`/threads/${thread}/runs/stream`, next));
    expect(state?.data).toMatchObject({ messages: finished === 0 ? [] : [{ content: "Hi a" }] });
  });

  test("ends a flood, also if it only asked for the head: the thread is free again", async () => {
    const agent = await started();
    const thread = await agent.thread();
    const path = `/threads/${thread}/runs/stream`;
    const raw = new RawRequest(agent, path, endless);
    await until(() => raw.text.length > 1_000_000);
    raw.socket.destroy();
    const run = await agent.background(thread, endless);
    expect((await agent.get(`/threads/${thread}/runs/${run}/stream`, { method: "HEAD" })).status).toBe(200);
    expect(namesOf(await eventsOf(await agent.post(path, hello)))).toEqual(["metadata", "custom", "custom"]);
  });
});

describe("much output", () => {
  test("comes whole, with the pace of its reader", async () => {
    const agent = await started();
    const answer = await agent.post("/runs/stream", { assistant_id: "big", input: {}, stream_mode: "messages-tuple" });
    const text = await answer.text();
    expect(text.split("event: messages\r\n").length - 1).toBe(20_000);
    expect(text.split('"chunk_position":"last"').length - 1).toBe(1);
  });

  test("waits for a reader that does not read: the emulator keeps no more than a queue of it", async () => {
    const agent = await started();
    const path = `/threads/${await agent.thread()}/runs/stream`;
    const raw = new RawRequest(agent, path, { assistant_id: "big", input: {}, stream_mode: "messages-tuple" });
    await until(() => raw.text.length > 100_000);
    raw.socket.pause();
    // Time enough for all 40 MB; a socket holds only a part of them.
    for (let asked = 0; asked < 200; asked += 1) await agent.post("/threads", {});
    const next = { ...hello, multitask_strategy: "reject" };
    expect((await agent.post(path, next)).status).toBe(409);
    raw.socket.resume();
    await until(() => raw.text.endsWith("\r\n0\r\n\r\n"));
    expect((await agent.post(path, next)).status).toBe(200);
    raw.socket.destroy();
  });
});

describe("the emulator that closes, or is reset", () => {
  test.each<[reason: string, end: (agent: AgentUnderTest) => unknown]>([
    ["close", ({ emulator }) => emulator.close()],
    ["reset", ({ emulator }) => emulator.reset()],
  ])("%s cuts every stream at once and leaves no timer", async (_reason, end) => {
    const clock = new ManualClock();
    const agent = await started({ clock });
    const thread = await agent.thread();
    const run = await agent.background(thread, slow);
    const streams = [
      await agent.post("/runs/stream", slow),
      await agent.post("/runs/stream", endless),
      await agent.get(`/threads/${thread}/runs/${run}/stream`),
    ];
    // Requests under way get two seconds to end, which do not pass here; streams do not need them.
    fakeTimeouts();
    const texts = Promise.allSettled(streams.map((answer) => answer.text()));
    const ended = end(agent);
    expect((await texts).map(({ status }) => status)).toEqual(["rejected", "rejected", "rejected"]);
    await ended;
    await until(() => clock.waiting === 0);
  });
});

describe("the log", () => {
  test("has a stream from its start, with status 200 and without its input", async () => {
    const agent = await started({ clock: new ManualClock() });
    const answer = await agent.post("/runs/stream", slow);
    expect(agent.emulator.requests.at(-1)).toMatchObject({
      path: `/agents/${agent.deploymentId}/runs/stream`,
      status: 200,
      phase: "answered",
      requestBody: { assistant_id: "agent", stream_mode: "custom", input: { topic: "<string>" } },
    });
    await answer.body?.cancel();
  });
});
