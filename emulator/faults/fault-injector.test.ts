import { IncomingMessage, ServerResponse, request, type IncomingHttpHeaders } from "node:http";
import { Socket } from "node:net";
import { unanswered } from "../base/exchange";
import { ManualClock } from "../base/clock";
import { readJson } from "../base/json-text";
import { withBody } from "./bodies";
import type { FaultInput } from "./fault";
import { Pauses } from "./pauses";
import { startEmulator, type Emulator } from "../start";
import { templatesOn } from "../../tests/support/ask";
import { fakeTimeouts } from "../../tests/support/fake-timeouts";

const templates = "/v2/sandboxes/templates";
const template = (name: string) => ({ name, image: "registry.example/python:3.12", resources: {} });
const clock = new ManualClock();
let emulator: Emulator;
beforeAll(async () => (emulator = await startEmulator({ clock })));
afterEach(() => jest.useRealTimers());
afterAll(() => emulator.close());
beforeEach(() => emulator.reset());

/** All that a client can see of one request. */
interface Seen {
  readonly status: number | undefined;
  readonly headers: IncomingHttpHeaders;
  readonly body: string;
  /** The code that it failed with; undefined: the answer came whole. */
  readonly failed: string | undefined;
  readonly ms: number;
}

/** By node:http, which hides nothing. Hangs up once that many bytes of the body have arrived. */
function call(method: string, path: string, body?: unknown, hangUpAfter = Infinity): Promise<Seen> {
  const begun = performance.now();
  return new Promise((resolve) => {
    let status: number | undefined;
    let headers: IncomingHttpHeaders = {};
    let text = "";
    const end = (failed?: string) => resolve({ status, headers, body: text, failed, ms: performance.now() - begun });
    const outgoing = request(`${emulator.url}${path}`, {
      method,
      headers: { "x-api-key": emulator.apiKey, "content-type": "application/json" },
    });
    outgoing.on("error", (error) => end("code" in error ? String(error.code) : error.message));
    outgoing.on("response", (response) => {
      ({ statusCode: status, headers } = response);
      response.on("data", (chunk: Buffer) => {
        text += chunk.toString();
        if (text.length < hangUpAfter) return;
        outgoing.destroy();
        end("hung up");
      });
      response.on("error", (error) => end("code" in error ? String(error.code) : error.message));
      response.on("end", () => end());
    });
    outgoing.end(body === undefined ? undefined : JSON.stringify(body));
  });
}

const names = () => templatesOn(emulator);
const create = (name: string) => call("POST", templates, template(name));
const latest = () => emulator.requests.at(-1);

function namesIn(seen: Seen): string[] {
  return [...seen.body.matchAll(/"name":"([^"]+)"/g)].map((match) => match[1] ?? "");
}

const isJson = (text: string): boolean => readJson(text).problem === undefined;
const wellFormed = (seen: Seen) => [seen.status, seen.failed, isJson(seen.body)];

const lost = (seen: Seen) => [seen.status, seen.failed];
const lasting = (ms: number) => (seen: Seen) => [seen.status, seen.ms >= ms];
const retryIn = (seen: Seen) => [seen.status, seen.headers["retry-after"], isJson(seen.body)];
const asHtml = (seen: Seen) => [seen.status, seen.headers["content-type"], seen.body.startsWith("<!DOCTYPE html>")];
const HTML = [200, "text/html; charset=utf-8", true];

describe("faults of a POST", () => {
  test.each<
    [
      reason: string,
      fault: FaultInput,
      see: (seen: Seen) => unknown,
      expected: unknown,
      phase?: "before-route" | "after-commit",
      hangUpAfter?: number,
    ]
  >([
    ["latency before, though the clock stands", { kind: "latency", ms: 60 }, lasting(55), [201, true], "before-route"],
    ["latency after", { kind: "latency", ms: 30, jitterMs: 30, phase: "after-commit" }, lasting(28), [201, true]],
    [
      "status before the commit",
      { kind: "status", status: 503, retryAfter: 7 },
      retryIn,
      [503, "7", true],
      "before-route",
    ],
    ["status after it", { kind: "status", status: 502, phase: "after-commit" }, retryIn, [502, undefined, true]],
    [
      "status that echoes the request",
      { kind: "status", status: 500, echo: true },
      (seen) => seen.body.includes("registry.example/python:3.12"),
      true,
      "before-route",
    ],
    ["reset before the commit", { kind: "reset-before-commit" }, lost, [undefined, "ECONNRESET"], "before-route"],
    ["reset after the commit", { kind: "reset-after-commit" }, lost, [undefined, "ECONNRESET"]],
    [
      "truncated JSON: less than content-length",
      { kind: "truncated-json" },
      (seen) => [seen.status, seen.failed, Number(seen.headers["content-length"]) > seen.body.length],
      [201, "ECONNRESET", true],
    ],
    [
      "truncated JSON: cut in the middle, no length",
      { kind: "truncated-json", by: "cut" },
      (seen) => [seen.status, seen.failed, seen.headers["content-length"], seen.body.startsWith('{"id"')],
      [201, "ECONNRESET", undefined, true],
    ],
    ["malformed JSON in a whole answer", { kind: "malformed-json" }, wellFormed, [201, undefined, false]],
    ["HTML with 200", { kind: "html" }, asHtml, HTML],
    ["HTML with 200 of a gateway in front", { kind: "html", phase: "before-route" }, asHtml, HTML, "before-route"],
    ["an empty body", { kind: "empty-body" }, (seen) => [seen.status, seen.failed, seen.body], [201, undefined, ""]],
    [
      "an endless body",
      { kind: "endless-body" },
      (seen) => [seen.status, seen.failed, seen.body.length >= 1_000_000],
      [201, "hung up", true],
      "after-commit",
      1_000_000,
    ],
    [
      "a slow body",
      { kind: "slow-body", everyMs: 10, bytes: 40 },
      (seen) => [...wellFormed(seen), seen.ms > 50],
      [201, undefined, true, true],
    ],
    [
      "a wrong content type",
      { kind: "wrong-content-type" },
      (seen) => [...wellFormed(seen), seen.headers["content-type"]],
      [201, undefined, true, "text/plain"],
    ],
  ])("%s", async (_reason, fault, see, expected, phase = "after-commit", hangUpAfter) => {
    const active = emulator.faults.add({ method: "POST", path: templates, count: 1, ...fault });
    const seen = await call("POST", templates, template("one"), hangUpAfter);
    expect(see(seen)).toEqual(expected);
    // What strikes before the commit keeps it from happening, unless it only takes its time.
    expect(names()).toEqual(phase === "after-commit" || fault.kind === "latency" ? ["one"] : []);
    expect(latest()).toMatchObject({ fault: fault.kind, faultPhase: phase });
    expect(active.fired).toBe(1);
    // The count is used up: the next request is whole.
    expect(await create("two")).toMatchObject({ status: 201, failed: undefined });
    expect(latest()).toMatchObject({ fault: null, faultPhase: null, phase: "answered" });
  });

  test("the log shows how far a request without an answer came", async () => {
    emulator.faults.add({ kind: "reset-before-commit", count: 1 });
    await create("one");
    expect(latest()).toMatchObject({ phase: "received", status: null });
    emulator.faults.add({ kind: "reset-after-commit", count: 1 });
    await create("one");
    expect(latest()).toMatchObject({ phase: "committed", status: null });
  });
});

describe("hold", () => {
  test.each([
    ["before-route", []],
    ["after-commit", ["one"]],
  ] as const)("%s: waits there until it is released", async (phase, stored) => {
    const hold = emulator.faults.add({ kind: "hold", phase, method: "POST" });
    const answer = create("one");
    const entry = await hold.reached;
    expect(entry).toMatchObject({ fault: "hold", faultPhase: phase, method: "POST", status: null });
    expect(names()).toEqual(stored);
    expect((await call("GET", templates)).status).toBe(200);
    hold.release();
    expect((await answer).status).toBe(201);
    expect(names()).toEqual(["one"]);
    expect((await create("two")).status).toBe(201);
  });

  test.each([
    ["before-route", []],
    ["after-commit", ["one"]],
  ] as const)(
    "%s: a client that hangs up leaves the platform where it is, and its work is done on release",
    async (phase, stored) => {
      const hold = emulator.faults.add({ kind: "hold", phase, method: "POST" });
      const client = request(`${emulator.url}${templates}`, {
        method: "POST",
        headers: { "x-api-key": emulator.apiKey, "content-type": "application/json" },
      });
      client.on("error", () => undefined);
      client.end(JSON.stringify(template("one")));
      const entry = await hold.reached;
      const gone = new Promise((resolve) => client.once("close", resolve));
      client.destroy();
      await gone;
      // A round trip later the platform has seen the connection go.
      await call("GET", templates);
      expect(names()).toEqual(stored);
      hold.release();
      await call("GET", templates);
      expect(names()).toEqual(["one"]);
      expect(entry).toMatchObject({ phase: "committed", status: null });
    },
  );

  test("removing it, and clearing all, release what it holds", async () => {
    for (const end of ["remove", "clear"] as const) {
      const hold = emulator.faults.add({ kind: "hold" });
      const answer = call("GET", templates);
      await hold.reached;
      if (end === "remove") hold.remove();
      else emulator.faults.clear();
      expect((await answer).status).toBe(200);
    }
  });

  test("a reset of the emulator cuts it off: a held request must not write into the new data", async () => {
    const hold = emulator.faults.add({ kind: "hold" });
    const answer = create("one");
    await hold.reached;
    emulator.reset();
    expect((await answer).failed).toBe("ECONNRESET");
    expect(names()).toEqual([]);
  });
});

test.each<[string, FaultInput]>([
  ["an endless body", { kind: "endless-body" }],
  ["a slow body", { kind: "slow-body", everyMs: 60_000 }],
  ["a hold", { kind: "hold" }],
  ["latency", { kind: "latency", ms: 60_000 }],
])("closing the emulator ends %s at once", async (_what, fault) => {
  const other = await startEmulator({ faults: [fault] });
  const struck = fetch(`${other.url}${templates}`, { headers: { "x-api-key": other.apiKey } }).then((response) =>
    response.text(),
  );
  const ended = expect(struck).rejects.toThrow();
  while (other.requests[0]?.fault !== fault.kind) await new Promise((resolve) => setTimeout(resolve, 5));
  // Requests under way get two seconds to end, which do not pass here.
  fakeTimeouts();
  await other.close();
  await ended;
});

test.each([204, 205, 304])("an answer of status %i, which may have no body, gets one with 200", (status) => {
  expect(withBody(new Response(null, { status }), "{").status).toBe(200);
  expect(withBody(new Response(null, { status }), null).status).toBe(status);
});

test("after a body that comes drop by drop nothing more strikes: reading it would take for ever", async () => {
  emulator.faults.add({ kind: "endless-body" });
  const late = emulator.faults.add({ kind: "malformed-json" });
  const seen = await call("GET", templates, undefined, 1_000_000);
  expect([seen.status, seen.failed, late.fired]).toEqual([200, "hung up", 0]);
});

describe("faults of a read", () => {
  const list = async (query = "") => namesIn(await call("GET", `${templates}${query}`));

  test("stale-read: the list and the object as before the last writes", async () => {
    await create("old");
    emulator.faults.add({ kind: "stale-read", writes: 2, path: `${templates}**` });
    expect(await list()).toEqual(["old"]);
    expect(latest()).toMatchObject({ fault: null });
    await create("new");
    expect(await list()).toEqual(["old"]);
    expect(latest()).toMatchObject({ fault: "stale-read", faultPhase: "after-commit", status: 200 });
    expect((await call("GET", `${templates}/new`)).status).toBe(404);
    await call("DELETE", `${templates}/old`);
    await create("newer");
    expect(await list()).toEqual(["old", "new"]);
    expect(names()).toEqual(["new", "newer"]);
  });

  test("stale-read: as some time ago", async () => {
    emulator.faults.add({ kind: "stale-read", agoMs: 5000 });
    await create("one");
    clock.advance(3000);
    expect(await list()).toEqual([]);
    await create("two");
    clock.advance(3000);
    expect(await list()).toEqual(["one"]);
    clock.advance(3000);
    expect(await list()).toEqual(["one", "two"]);
  });

  test("duplicate-page: the first page comes twice, and a reader who goes on to an empty page misses no item", async () => {
    for (const name of ["a", "b", "c", "d", "e"]) await create(name);
    emulator.faults.add({ kind: "duplicate-page" });
    expect(await list("?limit=2")).toEqual(["a", "b"]);
    expect(latest()?.fault).toBeNull();
    expect(await list("?limit=2&offset=2")).toEqual(["a", "b"]);
    expect(latest()?.fault).toBe("duplicate-page");
    expect(await list("?limit=2&offset=4")).toEqual(["c", "d"]);
    expect(await list("?limit=2&offset=6")).toEqual(["e"]);
    expect(await list("?limit=2&offset=7")).toEqual([]);
  });

  test("duplicate-page: a page that is not full repeats its items, also in a bare list or by cursor", async () => {
    await create("a");
    const registries = "/v2/sandboxes/registries";
    await call("POST", registries, { name: "images", url: "registry.example", username: "u", password: "p" });
    await call("POST", "/v2/auth/providers", {
      provider_id: "tracker",
      name: "Tracker",
      client_id: "c",
      client_secret: "s",
      auth_url: "https://tracker.example/authorize",
      token_url: "https://tracker.example/token",
    });
    emulator.faults.add({ kind: "duplicate-page" });
    expect(await list()).toEqual(["a", "a"]);
    expect(namesIn(await call("GET", "/v2/auth/providers"))).toEqual(["Tracker", "Tracker"]);
    expect(namesIn(await call("GET", `${registries}?page_size=2`))).toEqual(["images", "images"]);
    expect(namesIn(await call("GET", `${registries}?page_size=1`))).toEqual(["images"]);
  });

  test("duplicate-page: leaves alone what another fault has made no list", async () => {
    for (const kind of ["html", "duplicate-page"] as const) emulator.faults.add({ kind });
    expect(asHtml(await call("GET", templates))).toEqual(HTML);
  });

  /** What is answered: each requested offset, the items, and the answered offset. */
  test.each<[kind: "stuck-offset" | "short-page" | "ignored-offset", why: string, limit: number, pages: string]>([
    ["stuck-offset", "always the first page, and no other offset than the requested one", 2, "0 ab 0, 2 ab 2"],
    ["short-page", "one item fewer, an offset that counts it, and all items", 3, "0 ab 3, 3 cd 6, 6  6"],
    ["short-page", "of a list that fits on one page, the last item is on the next", 500, "0 abc 4, 4 d 5, 5  5"],
    ["ignored-offset", "always the first page, and an offset that goes on", 2, "0 ab 2, 2 ab 4, 100 ab 102"],
  ])("%s: %s", async (kind, _why, limit, pages) => {
    for (const name of "abcd") await create(name);
    emulator.faults.add({ kind });
    const seen: string[] = [];
    for (const page of pages.split(", ")) {
      const offset = parseInt(page);
      const answer = await call("GET", `${templates}?limit=${limit}&offset=${offset}`);
      seen.push(`${offset} ${namesIn(answer).join("")} ${/"offset":(\d+)/.exec(answer.body)?.[1]}`);
    }
    expect(seen.join(", ")).toBe(pages);
    expect(emulator.requests.map(({ fault }) => fault)).toContain(kind);
  });
});

test.each<["text" | "html" | "json" | "empty", number, RegExp, RegExp]>([
  ["text", 404, /^text\/plain/, /^404 page not found\n$/],
  ["text", 503, /^text\/plain/, /^503 error\n$/],
  ["html", 404, /^text\/html/, /^<html>.*404/],
  ["json", 405, /^application\/json/, /^\{"message":/],
  ["empty", 501, /^text\/plain/, /^$/],
])("an error in the words of a gateway: %s, %i: never with a detail", async (body, status, type, text) => {
  emulator.faults.add({ kind: "status", status, body, retryAfter: 3 });
  const seen = await call("GET", `${templates}/x`);
  expect([seen.status, seen.headers["retry-after"]]).toEqual([status, "3"]);
  expect(seen.headers["content-type"] ?? "").toMatch(type);
  expect(seen.body).toMatch(text);
  expect(seen.body).not.toContain("detail");
});

test("forMs: over that long after its first strike, by the emulator's clock", async () => {
  const fault = emulator.faults.add({ kind: "status", status: 503, method: "GET", forMs: 60_000 });
  clock.advance(100_000);
  const statuses = [];
  for (const step of [0, 59_999, 1]) {
    clock.advance(step);
    statuses.push((await call("GET", templates)).status);
  }
  expect([statuses, fault.fired]).toEqual([[503, 503, 200], 2]);
});

describe("which requests it strikes", () => {
  const statuses = async (times: number) => {
    const seen: (number | undefined)[] = [];
    for (let time = 0; time < times; time += 1) seen.push((await call("GET", templates)).status);
    return seen;
  };

  test.each<[string, Partial<FaultInput>, readonly number[]]>([
    ["all", {}, [503, 503, 503, 503]],
    ["count: the first two", { count: 2 }, [503, 503, 200, 200]],
    ["nth: the third alone", { nth: 3 }, [200, 200, 503, 200]],
    ["nth and count: two from the second on", { nth: 2, count: 2 }, [200, 503, 503, 200]],
    ["method: not this one", { method: "POST" }, [200, 200, 200, 200]],
    ["path: not this one", { path: "/v2/deployments" }, [200, 200, 200, 200]],
  ])("%s", async (_reason, which, expected) => {
    emulator.faults.add({ method: "GET", kind: "status", status: 503, ...which });
    expect(await statuses(4)).toEqual(expected);
  });

  test("probability: the same seed strikes the same requests, another seed others", async () => {
    const struck = async (seed: number) => {
      const other = await startEmulator({ seed, faults: [{ kind: "status", status: 503, probability: 0.3 }] });
      const seen: number[] = [];
      for (let time = 0; time < 60; time += 1) {
        seen.push((await fetch(`${other.url}${templates}`, { headers: { "x-api-key": other.apiKey } })).status);
      }
      await other.close();
      return seen;
    };
    const first = await struck(7);
    expect(await struck(7)).toEqual(first);
    expect(await struck(8)).not.toEqual(first);
    const fired = first.filter((status) => status === 503).length;
    expect(fired).toBeGreaterThan(5);
    expect(fired).toBeLessThan(35);
  });

  test("several that fit all strike: held, then lost after the commit", async () => {
    const hold = emulator.faults.add({ kind: "hold", method: "POST" });
    emulator.faults.add({ kind: "reset-after-commit", method: "POST" });
    const answer = create("one");
    await hold.reached;
    hold.release();
    expect((await answer).failed).toBe("ECONNRESET");
    expect(names()).toEqual(["one"]);
    expect(latest()).toMatchObject({ fault: "reset-after-commit", phase: "committed" });
  });

  test("an answer without a body cannot have its body spoiled: the fault waits for one that has", async () => {
    await create("one");
    const fault = emulator.faults.add({ kind: "truncated-json", count: 1 });
    expect(await call("DELETE", `${templates}/one`)).toMatchObject({ status: 204, failed: undefined });
    expect(fault.fired).toBe(0);
    expect((await call("GET", templates)).failed).toBe("ECONNRESET");
    expect(fault.fired).toBe(1);
  });

  test("a reset of the emulator leaves those of the options, with their counts as at the start", async () => {
    const other = await startEmulator({ faults: [{ kind: "status", status: 503, count: 1 }] });
    const status = async () =>
      (await fetch(`${other.url}${templates}`, { headers: { "x-api-key": other.apiKey } })).status;
    other.faults.add({ kind: "status", status: 418, nth: 1 });
    expect([await status(), await status(), await status()]).toEqual([503, 418, 200]);
    other.reset();
    expect([await status(), await status()]).toEqual([503, 200]);
    await other.close();
  });

  test("a wrong one is refused with its reason", () => {
    expect(() => emulator.faults.add({ kind: "status", status: 42 })).toThrow(/This fault is not valid: status: /);
    expect(() => emulator.faults.add({ kind: "latency" })).toThrow(/needs ms or jitterMs/);
    expect(() => emulator.faults.add({ kind: "html", path: "v2" })).toThrow(/path: a path that starts with a slash/);
  });
});

test("the list names what is on, in order, and an id never names another fault", async () => {
  emulator.faults.clear();
  emulator.faults.add({ kind: "status", status: 503, count: 1 });
  emulator.faults.add({ kind: "html", nth: 5 });
  const before = emulator.faults.list;
  expect(before.map(({ fault, fired, isSpent }) => [fault.kind, fired, isSpent])).toEqual([
    ["status", 0, false],
    ["html", 0, false],
  ]);
  await fetch(`${emulator.url}/v2/deployments`);
  expect(emulator.faults.list[0]).toMatchObject({ fired: 1, isSpent: true });
  before[0]?.remove();
  expect(emulator.faults.list.map(({ fault }) => fault.kind)).toEqual(["html"]);
  emulator.faults.clear();
  emulator.faults.add({ kind: "html" });
  expect(before.map(({ id }) => id)).not.toContain(emulator.faults.list[0]?.id);
});

test("4096 requests are kept waiting, even those whose clients have left, and one more is cut off", async () => {
  const pauses = new Pauses();
  const exchange = () => ({ outgoing: new ServerResponse(new IncomingMessage(new Socket())) });
  const waiting = Array.from({ length: 4096 }, () => pauses.hold(exchange(), new Set()));
  const late = exchange();
  expect(await pauses.hold(late, new Set())).toBe(unanswered);
  expect(late.outgoing.destroyed).toBe(true);
  pauses.cutAll();
  expect(new Set(await Promise.all(waiting))).toEqual(new Set([unanswered]));
});
