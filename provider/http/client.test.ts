import type { IncomingMessage, RequestListener } from "node:http";
import { type AddressInfo, createServer as createTcpServer, type Server as TcpServer, type Socket } from "node:net";
import { setImmediate as settle } from "node:timers/promises";
import { z } from "zod";
import { connectionTo } from "../../tests/support/connection";
import { FakeClock } from "../../tests/support/fake-clock";
import { servingRead } from "../../tests/support/serving";
import type { Connection } from "../base/connection";
import { isTransportError } from "../base/errors";
import { createSend, type SendOptions } from "./client";
import { NO_BODY, type Request } from "./request";
import { segment } from "./segment";
import { RequestLimits } from "./limiter";

let answer: RequestListener;
let seen: { request: IncomingMessage; body: string }[];
let baseUrl: string;

beforeAll(async () => {
  baseUrl = await servingRead((response, request, body) => {
    seen.push({ request, body });
    answer(request, response);
  });
});
beforeEach(() => {
  seen = [];
});

const connection = (over: Partial<Connection> = {}) => connectionTo(baseUrl, { requestTimeout: 5, ...over });
const Body = z.object({ id: z.string() });
const nested = (levels: number): string => "[".repeat(levels) + "]".repeat(levels);
const post: Request = {
  method: "POST",
  path: "/things",
  body: { secret: "canary-secret" },
  secrets: ["canary-secret"],
};

const replying = (
  status: number,
  body: string,
  headers: Record<string, string> = { "content-type": "application/json" },
) => {
  answer = (_request, response) => response.writeHead(status, headers).end(body);
};
let clock: FakeClock;
let options: SendOptions;
beforeEach(() => {
  // Limits of its own: no test waits for what another one has sent.
  clock = new FakeClock();
  const [random, checkAlive] = [() => 0.5, () => Promise.resolve()];
  options = { clock, random, checkAlive, limits: new RequestLimits(clock), writes: { count: 0 } };
});
const send = (over?: Partial<Connection>) => createSend(connection(over), baseUrl, options);
const errorOf = async (promise: Promise<unknown>): Promise<Error> => {
  const error: unknown = await promise.then(
    () => new Error("it succeeded"),
    (reason: unknown) => reason,
  );
  if (error instanceof Error) return error;
  throw new Error("not an error");
};

test("an answer that is too long is said to be, and not read to its end", async () => {
  replying(200, "x".repeat(16 * 2 ** 20 + 1));
  const error = await errorOf(send()(post, Body));
  expect(error.message).toBe("POST /things got no answer: it has more than 16 MiB");
  expect(isTransportError(error) && error.mayHaveHappened).toBe(true);
  // The next answer would be as long.
  await errorOf(send()({ method: "GET", path: "/things" }, Body));
  expect(seen).toHaveLength(2);
});

test("a request carries method, path, query, body and every credential; the answer its body and date", async () => {
  replying(200, '{"id":"1"}', { date: "Tue, 01 Jan 2030 00:00:00 GMT" });
  const over = { bearerToken: "b", tenantId: "t", organizationId: "o" };
  const result = await send(over)({ ...post, query: { limit: 5 } }, Body);
  expect(result).toEqual({ data: { id: "1" }, date: Date.UTC(2030, 0, 1), status: 200 });
  expect(seen[0]?.request).toMatchObject({
    method: "POST",
    url: "/things?limit=5",
    headers: {
      "x-api-key": "canary-api-key",
      authorization: "Bearer b",
      "x-tenant-id": "t",
      "x-organization-id": "o",
      "content-type": "application/json",
    },
  });
  expect(seen[0]?.body).toBe('{"secret":"canary-secret"}');
});

test("a path below the base URL is kept, and variable segments cannot leave their place", async () => {
  replying(200, '{"id":"1"}');
  await createSend(
    connection(),
    `${baseUrl}/api`,
    options,
  )({ method: "GET", path: `/things/${segment("a/../b?c#d")}` }, Body);
  expect(seen[0]?.request.url).toBe("/api/things/a%2F..%2Fb%3Fc%23d");
  for (const text of ["", ".", ".."]) expect(() => segment(text)).toThrow("cannot be part of a URL");
});

test.each<[string, number, string, string]>([
  ["detail as text", 404, '{"detail":"no such thing"}', ": no such thing"],
  [
    "detail as object",
    409,
    '{"detail":{"error":"Conflict","message":"x already exists"}}',
    ": Conflict: x already exists",
  ],
  [
    "detail as validation list",
    422,
    '{"detail":[{"loc":["body","name"],"msg":"too long","type":"x"},{"loc":["body","a",0],"msg":"bad","type":"x"}]}',
    ": name: too long; a.0: bad",
  ],
  ["plain text", 400, "Invalid request", ": Invalid request"],
  ["a proxy's HTML", 502, "<html><style>b{}</style><body><h1>502 Bad Gateway</h1></body></html>", ": 502 Bad Gateway"],
  ["an empty body", 503, "", ""],
  [
    "an echo of secrets",
    400,
    '{"detail":"canary-api-key and canary-secret are wrong"}',
    ": [secret] and [secret] are wrong",
  ],
])("an error answer with %s", async (_what, status, body, said) => {
  replying(status, body);
  const message = `POST /things answered ${status}${said}`;
  expect(await errorOf(send()(post, Body))).toMatchObject({ name: "HttpError", status, message });
});

test.each<[string, boolean, string, string]>([
  ["detail as text", true, '{"detail":"Deployment ID 1 not found."}', "application/json"],
  ["detail as object", true, '{"detail":{"error":"NotFound","message":"no x"}}', "application/json; charset=utf-8"],
  ["detail as object without a name of the error", true, '{"detail":{"message":"no x"}}', "application/json"],
  ["detail as validation list", true, '{"detail":[{"loc":["path","id"],"msg":"bad"}]}', "application/json"],
  ["the platform's JSON without a content type", true, '{"detail":"no such thing"}', ""],
  ["a gateway's problem, which has a detail too", false, '{"detail":"no route"}', "application/problem+json"],
  ["a problem with a charset", false, '{"detail":"no route"}', "Application/Problem+JSON; charset=utf-8"],
  ["a gateway's JSON", false, '{"message":"no Route matched with those values"}', "application/json"],
  ["detail in a foreign shape", false, '{"detail":{"code":5}}', "application/json"],
  ["detail that is null", false, '{"detail":null}', "application/json"],
  ["a JSON text", false, '"detail"', "application/json"],
  ["a gateway's plain text", false, "default backend - 404", "text/plain"],
  ["a proxy's HTML", false, "<html><h1>404 Not Found</h1></html>", "text/html"],
  ["an empty body", false, "", "application/json"],
  ["cut-off JSON", false, '{"detail":"no su', "application/json"],
])("an error answer knows whether it is the platform's own: %s, %s", async (_what, isPlatforms, body, type) => {
  replying(404, body, type === "" ? {} : { "content-type": type });
  expect(await errorOf(send()(post, Body))).toMatchObject({ name: "HttpError", status: 404, isPlatforms });
});

test.each<[status: number, over: Partial<Connection>, tenant: string]>([
  [401, {}, ""],
  [403, { tenantId: "team-a" }, ", tenantId team-a"],
  [403, { tenantId: "canary-api-key" }, ", tenantId [secret]"],
])("a %i names host and tenant, but no key: %j", async (status, over, tenant) => {
  replying(status, '{"detail":"canary-api-key is not a key"}');
  const said = "[secret] is not a key";
  expect(await errorOf(send(over)(post, Body))).toMatchObject({
    ...{ name: "HttpError", status, detail: said },
    message: `POST /things answered ${status}: ${said} (asked at ${new URL(baseUrl).host}${tenant})`,
  });
});

test("an echo of the bearer token is removed from an error answer, as one of the key is", async () => {
  replying(403, '{"detail":"canary-bearer-token is not valid"}');
  const { message } = await errorOf(send({ bearerToken: "canary-bearer-token" })(post, Body));
  expect(message).toContain("answered 403: [secret] is not valid");
});

test("a redirect is not the platform's own answer", async () => {
  replying(302, '{"detail":"elsewhere"}');
  expect(await errorOf(send()(post, Body))).toMatchObject({ status: 302, isPlatforms: false });
});

test.each([
  ["https://anna:horse@login.example/sso?code=horse#x", "; this one leads to https://login.example/sso;"],
  ["/canary-secret/login", "; this one leads to /[secret]/login;"],
  [`/${"x".repeat(500)}`, `; this one leads to /${"x".repeat(399)}...;`],
  ["?code=horse", ";"],
])("a redirect to %s says where it leads, without what may be a login", async (location, said) => {
  replying(307, "", { location });
  const { message } = await errorOf(send()(post, Body));
  expect(message).toContain(`they would take the key along${said} set the base URL to the final address`);
});

test("a proxy that wants a password is answered by where that goes", async () => {
  replying(407, "<html>Proxy Authentication Required</html>");
  expect((await errorOf(send()(post, Body))).message).toMatch(
    /^POST \/things answered 407: the proxy wants other credentials: put user and password into its address in HTTPS_PROXY/,
  );
});

test("secrets are removed from an error answer before anything is cut from it, so that no part of one stays", async () => {
  const secret = "-----BEGIN KEY-----\ncanary-1 <canary-2>\ncanary-3\n-----END KEY-----";
  for (const body of [`refused: ${secret}`, `<html><pre>${secret}</pre></html>`, `${"x".repeat(370)} ${secret}`]) {
    replying(400, body, { "content-type": "text/plain" });
    const { message } = await errorOf(send()({ ...post, secrets: [secret] }, Body));
    expect(message).toContain("[secret]");
    expect(message).not.toMatch(/canary|KEY/);
  }
});

test.each<[string, string, Record<string, string>, RegExp]>([
  ["HTML", "<html></html>", { "content-type": "text/html" }, /not JSON \(text\/html/],
  ["nothing", "", {}, /the body is empty/],
  ["another shape", '{"no":"id"}', {}, /the body is not as expected \(id/],
  ["a list", "[]", {}, /the body is not as expected/],
  ["cut-off JSON", '{"id":"1', {}, /not JSON/],
  ["more values than memory", `[${"1,".repeat(1_000_000)}1]`, {}, /has more than 1000000 values/],
  ["what nobody can walk through", `{"id":"1","more":${nested(1001)}}`, {}, /nested more than 1000 levels deep/],
])("a success with %s is an error that says so", async (_what, body, headers, message) => {
  replying(200, body, headers);
  const error = await errorOf(send()(post, Body));
  expect(error.name).toBe("AnswerError");
  expect(error.message).toMatch(message);
});

test("what is wrong with a body is said in one short line without secrets, whatever its fields are called", async () => {
  const type = "a/b-" + "x".repeat(2000);
  for (const body of [`{"canary-secret\\n${"x".repeat(2000)}":1}`, "canary"]) {
    replying(200, body, { "content-type": type });
    const { message } = await errorOf(send()(post, z.record(z.string(), z.string())));
    expect(message).not.toMatch(/canary|\n/);
    expect(message).toMatch(/^POST \/things answered 200, but the body is not .{400,600}$/);
  }
});

test("where the body does not matter, anything will do", async () => {
  for (const body of ["", "<html>", "{}"]) {
    replying(204, body);
    await send()({ method: "DELETE", path: "/things/1" }, NO_BODY);
  }
  expect(seen).toHaveLength(3);
});

test("a request without an answer in time may have happened; one whose connection was refused has not", async () => {
  answer = () => undefined;
  const slow = await errorOf(send({ requestTimeout: 0.5 })(post, Body));
  expect(slow).toMatchObject({ name: "TransportError", mayHaveHappened: true });
  answer = (request) => request.socket.destroy();
  expect(await errorOf(send()(post, Body))).toMatchObject({ name: "TransportError", mayHaveHappened: true });
  const refused = await errorOf(createSend(connection(), "http://127.0.0.1:1", options)(post, Body));
  expect(refused).toMatchObject({ name: "TransportError", mayHaveHappened: false });
  for (const error of [slow, refused]) expect(JSON.stringify(error) + String(error.cause)).not.toContain("canary");
});

describe("a request that was surely never sent is reported as such", () => {
  let silent: TcpServer;
  let sockets: Socket[];
  let onConnection: (socket: Socket) => void;
  beforeEach(async () => {
    sockets = [];
    silent = createTcpServer((socket) => {
      sockets.push(socket.on("error", () => undefined));
      onConnection(socket);
    });
    await new Promise<void>((resolve) => silent.listen(0, "127.0.0.1", resolve));
  });
  afterEach(() => {
    for (const socket of sockets) socket.destroy();
    silent.close();
  });

  test.each<[string, (socket: Socket) => void, RegExp]>([
    ["no connection in time", () => undefined, /was not sent, because there was no connection within 0.1 seconds/],
    ["a connection that is closed before it is secure", (socket) => socket.destroy(), /got no answer/],
  ])("%s", async (_what, act, message) => {
    onConnection = act;
    // eslint-disable-next-line @typescript-eslint/consistent-type-assertions -- the address of a TCP server
    const url = `https://127.0.0.1:${(silent.address() as AddressInfo).port}`;
    const error = await errorOf(createSend(connection({ requestTimeout: 0.1 }), url, options)(post, Body));
    expect(error).toMatchObject({ name: "TransportError", mayHaveHappened: false });
    expect(error.message).toMatch(message);
  });
});

test("the time limit of a request does not count its wait for a socket: one that exceeds it was sent", async () => {
  answer = () => undefined;
  const one = send({ requestTimeout: 1 });
  // More than may be under way at once.
  const all = await Promise.all(Array.from({ length: 80 }, () => errorOf(one(post, Body))));
  const unclear = all.filter((error) => isTransportError(error) && error.mayHaveHappened);
  // The last requests may still be on their way.
  while (seen.length < unclear.length) await settle();
  expect(unclear.length).toBeGreaterThan(0);
  expect(seen.length).toBe(unclear.length);
});

describe("retries", () => {
  const get: Request = { method: "GET", path: "/things" };
  const answering = (...statuses: number[]) => {
    let next = 0;
    answer = (_request, response) => {
      const status = statuses[Math.min(next++, statuses.length - 1)] ?? 500;
      response
        .writeHead(status, status === 429 ? { "retry-after": "2" } : {})
        .end(status === 200 ? '{"id":"1"}' : "{}");
    };
  };

  test.each<[setting: string, over: Partial<Connection>, tries: number]>([
    ["requestAttempts", { requestAttempts: 2 }, 2],
    // Pauses of 0.25 and 0.5 s fit into it, and the next one would not.
    ["requestBudget", { requestBudget: 1 }, 3],
  ])("%s limits how often it is tried", async (_setting, over, tries) => {
    answering(503);
    expect((await errorOf(send(over)(get, Body))).message).toMatch(new RegExp(`\\(tried ${tries} times in 0s\\)$`));
    expect(seen).toHaveLength(tries);
  });

  test("what is patient is tried for its whole budget, however often", async () => {
    answering(503);
    const error = await errorOf(send({ requestAttempts: 2 })({ ...get, effort: "patient" }, Body));
    expect(error.message).toMatch(/\(tried \d\d times in (5[5-9]|60)s\)$/);
    answering(503);
    await errorOf(send()({ ...post, effort: "patient" }, Body));
    expect(seen.filter(({ request }) => request.method === "POST")).toHaveLength(1);
  });

  test.each<[what: string, url: () => string]>([
    ["nobody listens", () => "http://127.0.0.1:9"],
    ["another server answers", () => baseUrl],
  ])("an address where %s is given up as soon, since it may be wrong", async (_what, url) => {
    replying(200, "<html>", { "content-type": "text/html" });
    const elsewhere = createSend(connection(), url(), options);
    expect((await errorOf(elsewhere({ ...get, effort: "patient" }, Body))).message).toMatch(
      /\(tried 6 times in \d+s\)$/,
    );
  });

  test("a proxy in the environment that is no URL is named, and nothing is tried again", async () => {
    const before = process.env["HTTPS_PROXY"];
    process.env["HTTPS_PROXY"] = "http://:bad:";
    try {
      const proxied = createSend(connection(), "https://platform.test", options);
      expect((await errorOf(proxied(get, Body))).message).toMatch(
        /^GET \/things was not sent: the environment's proxy is no URL: correct HTTPS_PROXY, HTTP_PROXY or ALL_PROXY$/,
      );
    } finally {
      if (before === undefined) delete process.env["HTTPS_PROXY"];
      else process.env["HTTPS_PROXY"] = before;
    }
  });

  test("a Retry-After is waited for", async () => {
    answering(429, 200);
    const began = clock.now();
    await send()(get, Body);
    expect(clock.now() - began).toBe(2000);
  });

  test("a request that can change something is not even tried where its outcome could not be recorded; a read does no harm", async () => {
    answering(200);
    const gone = createSend(connection(), baseUrl, {
      ...options,
      checkAlive: () => Promise.reject(new Error("engine gone")),
    });
    for (const method of ["POST", "PATCH", "DELETE"] as const) {
      expect((await errorOf(gone({ ...get, method }, Body))).message).toBe("engine gone");
    }
    expect(seen).toEqual([]);
    await gone(get, Body);
    await gone({ ...post, isRead: true }, Body);
    expect(seen).toHaveLength(2);
  });

  test("a POST that only reads leaves the kept lists as they are", async () => {
    answering(200, 200);
    await send()({ ...post, isRead: true }, Body);
    expect(options.writes.count).toBe(0);
    await send()(post, Body);
    expect(options.writes.count).toBeGreaterThan(0);
  });

  test.each([429, 503])("a brief request is sent once, whatever the answer: %i", async (status) => {
    answering(status, 200);
    const brief = { ...get, effort: "once" as const };
    expect((await errorOf(send()(brief, Body, clock.now() + 60_000))).message).toMatch(`answered ${status}`);
    expect(seen).toHaveLength(1);
  });

  test("a brief request is given up in time although it is under way", async () => {
    answer = () => undefined;
    const began = performance.now();
    const error = await errorOf(send()({ ...get, effort: "once" }, Body, clock.now() + 1000));
    expect(error.message).toMatch(/got no answer: it was not complete in time$/);
    expect(performance.now() - began).toBeLessThan(3000);
  });
});
