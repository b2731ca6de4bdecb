import type { IncomingMessage, ServerResponse } from "node:http";
import { once } from "node:events";
import { setImmediate as turn } from "node:timers/promises";
import { inspect } from "node:util";
import { z } from "zod";
import { AgentClient, type AgentClientOptions, type RunOptions } from "./client";
import { textOf, type StreamMode } from "./events";
import { capture, captures } from "../../tests/support/capture";
import { fakeTimeouts } from "../../tests/support/fake-timeouts";
import { servingRead } from "../../tests/support/serving";

/** A request as the server got it. */
interface Asked {
  readonly method: string | undefined;
  readonly url: string | undefined;
  readonly headers: IncomingMessage["headers"];
  readonly body: unknown;
}

type Answer = (response: ServerResponse, request: IncomingMessage) => unknown;

let url: string;
let answer: Answer;
const asked: Asked[] = [];

beforeAll(async () => {
  url = await servingRead((response, request, text) => {
    const { method, url: target, headers } = request;
    const body: unknown = text === "" ? undefined : JSON.parse(text);
    asked.push({ method, url: target, headers, body });
    answer(response, request);
  });
});
beforeEach(() => {
  asked.length = 0;
});
afterEach(() => jest.useRealTimers());

const client = (options: Partial<AgentClientOptions> = {}) =>
  new AgentClient({ url, apiKey: "canary-key", ...options });
const stream = (response: ServerResponse) =>
  response.writeHead(200, { "content-type": "text/event-stream; charset=utf-8" });
const custom = (n: number) => `event: custom\ndata: ${n}\n\n`;
const run: RunOptions<"custom"> = { assistantId: "agent", streamMode: "custom" };

/** Everything that a loop saw, and how it ended. */
async function seen(events: AsyncIterable<unknown>) {
  const all: unknown[] = [];
  try {
    for await (const event of events) all.push(event);
    return { all, name: undefined, message: "" };
  } catch (error) {
    const { name, message } = z.object({ name: z.string(), message: z.string() }).parse(error);
    return { all, name, message };
  }
}

describe("what is sent", () => {
  beforeEach(() => {
    answer = (response) => stream(response).end();
  });

  test("a run that keeps nothing: the fields of the documentation, further ones as they are, and the key", async () => {
    const input = { topic: "cats" };
    await seen(
      client().runs.stream({
        assistantId: "agent",
        input,
        streamMode: ["updates", "messages-tuple"],
        streamSubgraphs: true,
        extra: { config: { tags: ["t"] } },
      }),
    );
    expect(asked).toMatchObject([
      {
        method: "POST",
        url: "/runs/stream",
        headers: { "x-api-key": "canary-key", accept: "text/event-stream", "content-type": "application/json" },
        body: {
          assistant_id: "agent",
          input,
          stream_mode: ["updates", "messages-tuple"],
          stream_subgraphs: true,
          config: { tags: ["t"] },
        },
      },
    ]);
  });

  test("one mode is sent as text; without a mode the server decides", async () => {
    await seen(client().runs.stream({ assistantId: "a", streamMode: "values" }));
    await seen(client().runs.stream({ assistantId: "a", input: null }));
    expect(asked.map(({ body }) => body)).toEqual([
      { assistant_id: "a", stream_mode: "values" },
      { assistant_id: "a", input: null },
    ]);
  });

  test("a run on a thread, and a join: ids are encoded", async () => {
    await seen(client().threads.stream("t/1", { assistantId: "a" }));
    await seen(client().runs.join("t", "r?2", { streamMode: ["values"] }));
    // Servers take one mode; of several the rest is left out here.
    await seen(client().runs.join("t", "r", { streamMode: ["values", "custom"] }));
    await seen(client().runs.join("t", "r"));
    expect(asked.map(({ method, url: target }) => `${method ?? ""} ${target ?? ""}`)).toEqual([
      "POST /threads/t%2F1/runs/stream",
      "GET /threads/t/runs/r%3F2/stream?stream_mode=values",
      "GET /threads/t/runs/r%3F2",
      "GET /threads/t/runs/r/stream",
      "GET /threads/t/runs/r",
      "GET /threads/t/runs/r/stream",
      "GET /threads/t/runs/r",
    ]);
  });

  test("nothing, before the loop begins; and a second loop would be a second run", async () => {
    const events = client().runs.stream(run);
    await new Promise((resolve) => setImmediate(resolve));
    expect(asked).toEqual([]);
    await seen(events);
    expect(() => events[Symbol.asyncIterator]()).toThrow(/read once: a second loop would start the run again/);
    expect(asked).toHaveLength(1);
  });

  test("no key where none is set, and the base URL's own path stays", async () => {
    await seen(new AgentClient({ url: `${url}/agents/x/` }).runs.stream(run));
    expect(asked[0]?.url).toBe("/agents/x/runs/stream");
    expect(asked[0]?.headers).not.toHaveProperty("x-api-key");
  });
});

test("a new thread, with everything that the server says of it", async () => {
  answer = (response) => response.end(JSON.stringify({ thread_id: "t-1", status: "idle" }));
  expect(await client().threads.create({ metadata: { team: "a" } })).toEqual({
    threadId: "t-1",
    fields: { thread_id: "t-1", status: "idle" },
  });
  expect(asked).toMatchObject([{ method: "POST", url: "/threads", body: { metadata: { team: "a" } } }]);
});

test("a join with modes gets those alone, whatever else the run streams, and events with unknown names", async () => {
  answer = (response) =>
    stream(response).end(
      `${custom(1)}event: values\ndata: {}\n\nevent: brand-new\ndata: 2\n\nevent: debug\ndata: {}\n\n`,
    );
  const { all } = await seen(client().runs.join("t", "r", { streamMode: ["values", "custom"] }));
  expect(all).toMatchObject([{ mode: "custom" }, { mode: "values" }, { mode: "other", event: "brand-new" }]);
});

test("types narrow to the requested modes", async () => {
  answer = (response) => stream(response).end(capture("20-list-all").body);
  const texts: string[] = [];
  for await (const event of client().runs.stream({ assistantId: "a", streamMode: ["messages-tuple", "updates"] })) {
    // @ts-expect-error: this mode was not requested.
    if (event.mode === "values") throw new Error("a mode that was not requested");
    if (event.mode === "messages-tuple") texts.push(textOf(event.data[0]));
    if (event.mode === "updates") expect(Object.keys(event.data)).toHaveLength(1);
  }
  expect(texts.length).toBeGreaterThan(0);
});

describe("a refusal is an HttpError with what the server says, without the key", () => {
  const refusals = captures().filter(({ status }) => status >= 400);
  test.each(refusals)("$name ($status)", async ({ status, contentType, body }) => {
    answer = (response) => response.writeHead(status, { "content-type": contentType }).end(body);
    const { all, name, message } = await seen(client().runs.stream(run));
    expect([all, name]).toEqual([[], "HttpError"]);
    expect(message).toMatch(new RegExp(`^POST /runs/stream answered ${status}: \\S`));
  });
});

describe("a stream that is not whole", () => {
  test.each<[what: string, answer: Answer, events: number, name: string, message: RegExp]>([
    [
      "ends in the middle of an event",
      (response) => stream(response).end(`${custom(1)}event: custom\ndata: {"a"`),
      1,
      "StreamError",
      /ended in the middle of an event/,
    ],
    [
      "falls silent",
      (response) => stream(response).write(custom(1)),
      1,
      "StreamError",
      /^the stream was silent for 1 seconds; the run may still be going$/,
    ],
    [
      "never begins",
      () => undefined,
      0,
      "TransportError",
      /^POST \/runs\/stream got no answer: it did not begin within 0.3 seconds$/,
    ],
  ])("%s", async (what, how, events, name, message) => {
    answer = how;
    // Time enough for whatever comes, on a busy machine too.
    const requestTimeout = what === "never begins" ? 0.3 : 30;
    const outcome = await seen(client({ idleTimeout: 1, requestTimeout }).runs.stream(run));
    expect(outcome.name).toBe(name);
    expect(outcome.message).toMatch(message);
    expect(outcome.all.filter((event) => JSON.stringify(event).includes('"custom"'))).toHaveLength(events);
    expect(asked).toHaveLength(1);
  });

  test("refused: nothing was sent, and it is not tried again", async () => {
    const { name, message } = await seen(new AgentClient({ url: "http://127.0.0.1:1" }).runs.stream(run));
    expect(name).toBe("TransportError");
    expect(message).toMatch(/got no answer: .*ECONNREFUSED/);
  });

  test("heartbeats break the silence", async () => {
    fakeTimeouts();
    const arming = jest.spyOn(globalThis, "setTimeout");
    answer = async (response) => {
      stream(response);
      for (let beats = 0; beats < 8; beats += 1) {
        const before = arming.mock.calls.length;
        response.write(": heartbeat\n\n");
        // Until the client has it, and waits for more.
        while (arming.mock.calls.length === before) await turn();
        jest.advanceTimersByTime(60);
      }
      response.end(custom(1));
    };
    expect((await seen(client({ idleTimeout: 0.25 }).runs.stream(run))).all).toHaveLength(1);
  });

  test("a slow reader is not taken for silence of the server", async () => {
    fakeTimeouts();
    answer = (response) => stream(response).end(custom(1) + custom(2));
    let events = 0;
    for await (const event of client({ idleTimeout: 0.1 }).runs.stream(run)) {
      jest.advanceTimersByTime(150);
      events += event.mode === "custom" ? 1 : 0;
    }
    expect(events).toBe(2);
  });
});

describe("a stream on a thread that ends without an `end`, as the server's own and one that a proxy cuts do", () => {
  const metadata = 'event: metadata\ndata: {"run_id":"r"}\n\n';
  const goingOn = /^the stream of run r ended while the run was still going$/;
  test.each<[what: string, statuses: readonly (string | number)[], joined: string, message: RegExp, asked: string]>([
    ["the run is over", ["success"], "", /^$/, "r"],
    ["the run failed or stopped to ask: what came has said so", ["interrupted"], "", /^$/, "r"],
    ["the server has no such endpoint", [404], "", /^$/, "r"],
    ["it is only just over: a join has nothing more", ["running", "success"], "", /^$/, "r r/stream r"],
    ["it goes on, and what a join gives lacks what came before it", ["running"], custom(2), goingOn, "r r/stream"],
    ["it waits", ["pending", "pending", "pending"], "", goingOn, "r r/stream r r/stream r r/stream"],
    ["nobody says", [503], "", /^the stream of run r ended, and nobody says whether the run did: GET .* 503/, "r"],
  ])("%s", async (_what, statuses, joined, message, questions) => {
    const left = [...statuses];
    answer = (response, { url: target = "" }) => {
      if (target.endsWith("/r/stream")) return stream(response).end(joined);
      if (target.endsWith("/runs/stream")) return stream(response).end(metadata + custom(1));
      const status = left.shift();
      return typeof status === "number"
        ? response.writeHead(status).end("{}")
        : response.end(JSON.stringify({ run_id: "r", status }));
    };
    const outcome = await seen(client().threads.stream("t", run));
    expect(outcome.all).toHaveLength(1);
    expect(outcome.message).toMatch(message);
    expect(outcome.name).toBe(outcome.message === "" ? undefined : "StreamError");
    expect(
      asked
        .slice(1)
        .map(({ url: target = "" }) => target.replace("/threads/t/runs/", ""))
        .join(" "),
    ).toBe(questions);
  });

  test("a join that is cut says so, too; a stream with its `end` is asked nothing", async () => {
    answer = (response, { url: target = "" }) =>
      target.endsWith("/stream") ? stream(response).end(custom(1)) : response.end('{"status":"running"}');
    expect((await seen(client().runs.join("t", "r"))).message).toMatch(/ended while the run was still going$/);
    asked.length = 0;
    answer = (response) => stream(response).end(`${metadata}${custom(1)}event: end\ndata:\n\n`);
    expect((await seen(client().threads.stream("t", run))).all).toHaveLength(1);
    expect(asked).toHaveLength(1);
  });
});

describe("whether a server answers", () => {
  test("it does not know the path: its refusal is passed on as it is", async () => {
    answer = (response) => response.writeHead(404).end('{"ok":true}');
    await expect(client().ok()).rejects.toMatchObject({ name: "HttpError" });
    expect(asked).toMatchObject([{ method: "GET", url: "/ok", headers: { "x-api-key": "canary-key" } }]);
  });

  test("an answer that never ends is an answer", async () => {
    answer = (response) => response.writeHead(200).write("{");
    await client().ok();
    expect(asked).toHaveLength(1);
  });
});

test("each request has a connection of its own: a run is not sent on one that the server may just be closing", async () => {
  const ports: unknown[] = [];
  answer = (response, request) => {
    ports.push(request.socket.remotePort);
    if (request.url === "/threads") response.end('{"thread_id":"t"}');
    else stream(response).end(custom(1));
  };
  await client().threads.create();
  await seen(client().threads.stream("t", run));
  expect(new Set(ports).size).toBe(2);
  expect(asked.map(({ headers }) => headers.connection)).toEqual(["close", "close"]);
});

describe("an answer that is never whole ends with the time of a request, or with the signal", () => {
  test.each<[what: string, status: number, message: RegExp]>([
    ["a thread", 200, /^POST \/threads got no answer: it was not complete within 1 seconds$/],
    ["an error", 500, /^POST \/threads got no answer: it was not complete within 1 seconds$/],
  ])("%s", async (_what, status, message) => {
    answer = (response) => response.writeHead(status).write('{"thread_id":');
    await expect(client({ requestTimeout: 1 }).threads.create()).rejects.toThrow(message);
    const signal = AbortSignal.timeout(200);
    await expect(client().threads.create({}, { signal })).rejects.toBe(await reasonOf(signal));
  });
});

async function reasonOf(signal: AbortSignal): Promise<unknown> {
  if (!signal.aborted) await once(signal, "abort");
  return signal.reason;
}

describe("no error holds the key, nor the request with it", () => {
  const key = "canary/key=1";
  test.each<[what: string, answer: Answer, name: string]>([
    ["that type's page", (response) => response.writeHead(200, { "content-type": `text/${key}` }).end(), "StreamError"],
    [
      "a stream that is cut off",
      (response) => stream(response).write(custom(1), () => setImmediate(() => response.destroy())),
      "StreamError",
    ],
    ["data that is not JSON", (response) => stream(response).end(`event: custom\ndata: ${key}\n\n`), "StreamError"],
    ["a refusal", (response) => response.writeHead(403).end(`no: ${encodeURIComponent(key)}`), "HttpError"],
    [
      "a run that fails after it echoed the key",
      (response) =>
        stream(response).end(
          `event: custom\ndata: {"${key}":"${key}"}\n\nevent: error\ndata: {"error":"${key}","message":"no ${key}"}\n\n`,
        ),
      "RunError",
    ],
    ["no answer", (response) => response.destroy(), "TransportError"],
  ])("%s", async (_what, how, name) => {
    answer = how;
    let failed: unknown;
    try {
      for await (const event of client({ apiKey: key }).runs.stream(run)) expect(event.mode).toBe("custom");
    } catch (error) {
      failed = error;
    }
    expect(failed).toMatchObject({ name });
    expect(inspect(failed, { depth: 20, showHidden: true })).not.toContain("canary");
  });

  test("a new thread, answered with something other than JSON", async () => {
    answer = (response) => response.end(key);
    const failed: unknown = await client({ apiKey: key })
      .threads.create()
      .catch((error: unknown) => error);
    expect(String(failed)).toBe(
      "StreamError: the stream cannot begin: the answer is not valid JSON (12 characters). Is the url the agent's address?",
    );
    expect(inspect(failed, { depth: 20, showHidden: true })).not.toContain("canary");
  });
});

describe("leaving", () => {
  /** Resolves when the server sees the connection go. */
  const closed = () =>
    new Promise<string>((resolve) => {
      answer = (response) => {
        response.on("close", () => resolve("closed"));
        stream(response).write(custom(1));
      };
    });

  test("the loop closes the connection", async () => {
    const gone = closed();
    for await (const event of client().runs.stream(run)) if (event.mode === "custom") break;
    expect(await gone).toBe("closed");
  });

  test.each(["before the answer", "in the middle"] as const)("by the signal, %s: its reason throws", async (when) => {
    const controller = new AbortController();
    const gone = closed();
    const reason = new Error("enough");
    if (when === "before the answer") answer = (response) => (controller.abort(reason), response.destroy());
    const loop = (async () => {
      for await (const event of client().runs.stream({ ...run, signal: controller.signal })) {
        if (event.mode === "custom") controller.abort(reason);
      }
    })();
    await expect(loop).rejects.toBe(reason);
    if (when === "in the middle") expect(await gone).toBe("closed");
  });

  test("a signal that is aborted already: nothing is sent", async () => {
    const { message } = await seen(client().runs.stream({ ...run, signal: AbortSignal.abort(new Error("never")) }));
    expect([message, asked]).toEqual(["never", []]);
  });
});

test("a slow reader slows the server down: what is not read is not buffered", async () => {
  let written = 0;
  answer = (response) => {
    stream(response);
    const part = custom(1).repeat(1000);
    const fill = () => {
      while (!response.destroyed && response.write(part)) written += part.length;
      if (!response.destroyed) response.once("drain", fill);
    };
    fill();
  };
  for await (const event of client().runs.stream(run)) {
    expect(event.mode).toBe("custom");
    let before = -1;
    // Until the sockets between are full, and nothing more is written.
    while (before !== written) {
      before = written;
      await new Promise((resolve) => setTimeout(resolve, 100));
    }
    break;
  }
  expect(written).toBeLessThan(16 * 1024 * 1024);
});

describe("a wrong argument is refused before anything is sent", () => {
  const mode: StreamMode[] = [];
  test.each<[what: string, act: () => unknown, message: RegExp]>([
    [
      "an unknown mode",
      // @ts-expect-error: as a program without types would.
      () => client().runs.stream({ assistantId: "a", streamMode: "tokens" }),
      /^streamMode: "tokens" is not one of: values, /,
    ],
    ["no mode", () => client().runs.stream({ assistantId: "a", streamMode: mode }), /^streamMode: must name a mode/],
    ["no assistant", () => client().runs.stream({ assistantId: "" }), /^assistantId: must not be empty/],
    ["a thread that is a path", () => client().threads.stream("..", { assistantId: "a" }), /^threadId: "\.\." cannot/],
    ["an idle time of zero", () => client({ idleTimeout: 0 }), /^idleTimeout: must be a number of seconds/],
    ["plain http elsewhere", () => seen(client({ url: "http://a.example" }).runs.stream(run)), /^url: is plain http/],
    ["a relative url", () => seen(client({ url: "agent" }).runs.stream(run)), /^url: must be an absolute URL/],
    [
      "a url with a fragment, which would swallow the path",
      () => seen(client({ url: "https://a.example/#" }).runs.stream(run)),
      /^url: must not have a query or a fragment/,
    ],
    ["a key of two lines", () => seen(client({ apiKey: "a\nb" }).runs.stream(run)), /^apiKey: must be visible ASCII/],
  ])("%s", async (_what, act, message) => {
    const outcome = await Promise.resolve()
      .then(act)
      .catch((error: unknown) => error);
    expect(z.object({ message: z.string() }).parse(outcome).message).toMatch(message);
    expect(asked).toEqual([]);
  });
});
