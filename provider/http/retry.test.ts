import { EventClock } from "../../tests/support/event-clock";
import { AnswerError, HttpError, messageOf, TransportError } from "../base/errors";
import { RequestLimit } from "./limiter";
import { parseRetryAfter, repeat, retryDelay } from "./retry";

const delayOf = (request: Request, error: unknown, attempt: number, random: number): number | undefined =>
  retryDelay(request, error, attempt, random, 6);
import type { Method, Request } from "./request";

const request = (method: Method, path = "/v2/deployments", repeatable?: boolean): Request => ({
  method,
  path,
  repeatable,
});
const status = (code: number, detail = "", retryAfterMs?: number) =>
  new HttpError("GET", "/", code, detail, retryAfterMs);
const refused = new TransportError("GET", "/", "refused", false);
const timeout = new TransportError("GET", "/", "timeout", true);
const nonsense = new AnswerError("GET", "/", 200, "not JSON");

const errors = {
  refused,
  timeout,
  nonsense,
  429: status(429),
  500: status(500),
  502: status(502),
  503: status(503),
  504: status(504),
  400: status(400),
  401: status(401),
  403: status(403),
  404: status(404),
  409: status(409),
  422: status(422),
};
const repeated = (of: Request): string[] =>
  Object.entries(errors).flatMap(([name, error]) => (delayOf(of, error, 1, 0.5) === undefined ? [] : [name]));

describe("what is sent again", () => {
  const transient = ["429", "502", "503", "504", "nonsense", "refused", "timeout"];
  test.each<[string, Request, string[]]>([
    ["a read, whenever the failure may pass", request("GET"), transient],
    ["a DELETE too: a second one finds nothing", request("DELETE"), transient],
    ["a POST only where it surely did not happen", request("POST"), ["429", "refused"]],
    ["a PATCH likewise, since it may make a revision", request("PATCH"), ["429", "refused"]],
    ["a POST that only reads", { ...request("POST"), isRead: true }, transient],
    ["a PATCH that is known to be harmless", request("PATCH", "/", true), transient],
  ])("%s", (_why, of, expected) => expect(repeated(of).sort()).toEqual(expected));

  test("a quota of the sandbox API is not a rate limit: it is not waited for", () => {
    const quota = status(429, "QuotaExceeded: the quota of 10 templates is used up");
    expect(delayOf(request("POST", "/v2/sandboxes/templates"), quota, 1, 0.5)).toBeUndefined();
    expect(delayOf(request("POST", "/v2/deployments"), quota, 1, 0.5)).toBeDefined();
  });
});

describe("when", () => {
  test("Retry-After comes first where it is longer than the back-off", () => {
    expect(delayOf(request("GET"), status(503, "", 1234), 1, 0.99)).toBe(1234);
    expect(delayOf(request("POST"), status(429, "", 9000), 5, 0.99)).toBe(9000);
  });
  test.each([0, 1, 100])("a Retry-After of %i ms does not lead to a retry without a pause", (retryAfter) => {
    expect(delayOf(request("POST"), status(429, "", retryAfter), 1, 0.9)).toBe(450);
    expect(delayOf(request("POST"), status(429, "", retryAfter), 50, 0.9)).toBe(7200);
    expect(delayOf(request("GET"), status(503, "", retryAfter), 3, 0.9)).toBe(1800);
  });
});

test.each([
  ["3", 3000],
  ["0.5", 500],
  ["Tue, 01 Jan 2030 00:00:07 GMT", 7000],
  ["Tue, 01 Jan 2020 00:00:00 GMT", 0],
  ["soon", undefined],
  ["9".repeat(400), undefined],
  ["", undefined],
  [undefined, undefined],
])("Retry-After %j is %j ms", (header, expected) => {
  const parsed = parseRetryAfter(header, Date.UTC(2030, 0, 1));

  expect(parsed).toBe(expected);
});

describe("a run of tries", () => {
  /** Plays a request on which the platform answers this, one after the other, and then with success. */
  const play = async (
    of: Request,
    answers: readonly HttpError[],
    { cancelAt, heldMs, until }: { cancelAt?: number; heldMs?: number; until?: number } = {},
  ) => {
    const clock = new EventClock(0);
    const limit = new RequestLimit(1000, 10_000, clock);
    if (heldMs !== undefined) (await limit.admit({ isPoll: false }))?.(heldMs);
    const cancel = new AbortController();
    if (cancelAt === 0) cancel.abort();
    else if (cancelAt !== undefined) void clock.sleep(cancelAt).then(() => cancel.abort());
    const sentAt: number[] = [];
    const pacing = { clock, random: () => 0.5, limit, attempts: 6, budgetMs: 60_000, signal: cancel.signal };
    const work = repeat(of, pacing, until, () => {
      sentAt.push(clock.now());
      const answer = answers[sentAt.length - 1];
      return answer === undefined ? Promise.resolve("success") : Promise.reject(answer);
    }).catch((error: unknown) => messageOf(error));
    return { said: await clock.until(work), sentAt, endedAt: clock.now() };
  };
  const busy = status(429, "", 60_000);

  test.each([request("POST"), { ...request("GET"), effort: "poll" as const }])("ends with the run: %j", async (of) => {
    const refusal = await play(of, [busy], { cancelAt: 1000 });
    expect(refusal).toMatchObject({ said: "GET / answered 429 (Retry-After: 1m)", sentAt: [0], endedAt: 1000 });
    const held = await play(of, [], { cancelAt: 1000, heldMs: 60_000 });
    expect(held).toMatchObject({ sentAt: [], endedAt: 1000 });
    expect(held.said).toMatch(/got no answer: it was not sent, because the run was cancelled$/);
  });

  test("after a cancel nothing is changed, but it may be read what a change has done", async () => {
    expect(await play(request("POST"), [], { cancelAt: 0 })).toMatchObject({ sentAt: [] });
    expect(await play(request("GET"), [], { cancelAt: 0 })).toMatchObject({ said: "success", sentAt: [0] });
  });

  test("a change whose first try is unclear stays so, whatever the next one is answered", async () => {
    const { said } = await play({ ...request("PATCH"), repeatable: true }, [status(503), status(403)]);
    expect(said).toMatch(/answered 503.*; then .*answered 403/);
    expect((await play(request("DELETE"), [status(503), status(404)])).said).toMatch(/^\w+ \/ answered 404/);
  });

  test("the refusals of the rate limit use up no attempts", async () => {
    const answers = [...Array.from({ length: 6 }, () => status(429)), status(503)];
    expect(await play(request("GET"), answers)).toMatchObject({ said: "success" });
  });
});
