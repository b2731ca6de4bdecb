import { spawn } from "node:child_process";
import { once } from "node:events";
import type { RequestListener } from "node:http";
import { connect } from "node:net";
import { gzipSync } from "node:zlib";
import { z } from "zod";
import { createSend } from "../../provider/http/client";
import { AgentPlatformError } from "../../provider/base/errors";

import { createSession } from "../../provider/lifecycle/session";
import { openResource } from "../../provider/resources/registry";
import { connectionTo } from "../support/connection";
import { FakeClock } from "../support/fake-clock";
import { closeAll, listen } from "./loopback";
import type { Request } from "../../provider/http/request";
import { createHandler, type Handler } from "../../provider/dynamic/handler";

const KEY = "canary-api-key-Zq8";
const TOKEN = "canary-bearer-Xw3";
const MIB = 1024 * 1024;
const Body = z.object({ id: z.string() });
const post: Request = {
  method: "POST",
  path: "/things",
  body: { secret: "canary-secret" },
  secrets: ["canary-secret"],
};

afterEach(closeAll);

const connection = (baseUrl: string, requestTimeout = 10) =>
  connectionTo(baseUrl, { apiKey: KEY, bearerToken: TOKEN, requestTimeout });

/** Sends one request over the real network; pauses between retries take no time. */
const send = (baseUrl: string, request: Request = post, requestTimeout?: number) =>
  createSend(
    connection(baseUrl, requestTimeout),
    baseUrl,
    createSession({ clock: new FakeClock(), random: () => 0 }),
  )(request, Body);

async function errorOf(promise: Promise<unknown>): Promise<AgentPlatformError> {
  const error: unknown = await promise.then(
    () => new Error("it succeeded"),
    (reason: unknown) => reason,
  );
  if (!(error instanceof AgentPlatformError)) throw error;
  expect(JSON.stringify(error) + error.message + String(error.cause)).not.toContain("canary");
  return error;
}

/** A handler with this configuration, in a session of its own. */
async function configured(settings: Record<string, string>, environment: NodeJS.ProcessEnv = {}): Promise<Handler> {
  const session = createSession({ environment, clock: new FakeClock(), random: () => 0 });
  const handler = createHandler(openResource("SandboxTemplate", session), { ...session, environment });
  await handler.configure({ config: { get: (key) => settings[key.replace("agent-platform:", "")] } });
  return handler;
}
const template = { name: "code", image: "a", resources: { cpu: "1" } };
const reasonsOf = async (handler: Handler): Promise<string[]> =>
  (await handler.check({}, template)).failures.map(({ reason }) => reason);

describe("plain http", () => {
  test.each([
    "http://127.0.0.1:8080",
    "http://127.9.9.9",
    "http://127.1",
    "http://localhost",
    "http://[::1]:1",
    "https://a.example",
  ])("%s is accepted", async (baseUrl) =>
    expect(await reasonsOf(await configured({ baseUrl, apiKey: KEY }))).toEqual([]),
  );

  test.each<[string, Record<string, string>]>([
    ["another machine", { baseUrl: "http://a.example" }],
    ["a name that begins like loopback", { baseUrl: "http://127.0.0.1.a.example" }],
    ["a name that begins like localhost", { baseUrl: "http://localhost.a.example" }],
    ["every address of this machine", { baseUrl: "http://0.0.0.0" }],
    ["a private network", { baseUrl: "http://10.0.0.1" }],
    ["the sandbox API alone", { baseUrl: "https://a.example", sandboxBaseUrl: "http://a.example" }],
    ["a region", { region: "eu", baseUrlEu: "http://a.example" }],
  ])("to %s is refused, unless allowInsecure is set", async (_where, address) => {
    const reasons = await reasonsOf(await configured({ ...address, apiKey: KEY }));
    expect(reasons).toEqual([
      expect.stringMatching(/^\w+ is plain http to another machine.*use https, or set allowInsecure$/),
    ]);
    expect(await reasonsOf(await configured({ ...address, apiKey: KEY, allowInsecure: "true" }))).toEqual([]);
  });
});

describe("a key that no header can hold", () => {
  const keys = [
    "canary\nInjected: yes",
    "canary\r\nX: y",
    "canary-pasted\n",
    "canary key",
    "canary\tkey",
    "canary-schlüssel",
    "canary\u2013key",
    "canary\u0000",
  ];
  const rows = keys.flatMap((key) => [["apiKey", key] as const, ["bearerToken", key] as const]);
  test.each(rows)("as %s (%j) is refused before any request, and not shown", async (setting, key) => {
    const server = await listen((_request, response) => response.end("{}"));
    const baseUrl = `http://${server.host}`;
    const name = setting === "apiKey" ? "AGENT_PLATFORM_API_KEY" : "AGENT_PLATFORM_BEARER_TOKEN";
    for (const handler of [
      await configured({ baseUrl, [setting]: key }),
      await configured({ baseUrl }, { [name]: key }),
    ]) {
      const failed = await handler.check({}, template);
      expect(failed.failures.map(({ reason }) => reason)).toEqual([
        expect.stringMatching(new RegExp(`^${setting} must be visible ASCII without spaces or line breaks`)),
      ]);
      expect(failed.failures.map(({ property }) => property)).toEqual([""]);
      const refused = await errorOf(handler.create(template));
      expect(JSON.stringify(failed.failures) + refused.message).not.toContain("canary");
    }
    expect(server.seen).toEqual([]);
  });
});

describe("a redirect", () => {
  test.each([301, 302, 303, 307, 308])("of %d is refused, and the key does not follow it", async (status) => {
    const thief = await listen((_request, response) => response.end('{"id":"1"}'));
    const location = `http://${thief.host}/stolen`;
    const server = await listen((_request, response) => response.writeHead(status, { location }).end());
    for (const method of ["GET", "POST", "PATCH", "DELETE"] as const) {
      const error = await errorOf(send(`http://${server.host}`, { ...post, method }));
      expect(error.message).toMatch(new RegExp(`^${method} /things answered ${status}: redirects are not followed`));
      expect(error.message).toContain("set the base URL to the final address");
    }
    expect(server.seen).toHaveLength(4);
    expect(thief.seen).toEqual([]);
  });
});

describe("the size of an answer", () => {
  const padded = (bytes: number): string => `{"id":"${"x".repeat(bytes - 9)}"}`;
  const chunked =
    (text: string): RequestListener =>
    (_request, response) => {
      for (let at = 0; at < text.length; at += MIB) response.write(text.slice(at, at + MIB));
      response.end();
    };

  test("16 MiB are read", async () => {
    const server = await listen(chunked(padded(16 * MIB)));
    expect((await send(`http://${server.host}`)).data.id).toHaveLength(16 * MIB - 9);
  });

  test.each<[string, RequestListener]>([
    ["in chunks", chunked(padded(16 * MIB + 1))],
    ["with its length", (_request, response) => response.end(padded(16 * MIB + 1))],
    [
      "compressed to a few kilobytes",
      (_request, response) =>
        response.writeHead(200, { "content-encoding": "gzip" }).end(gzipSync(padded(16 * MIB + 1))),
    ],
    ["in an error", (_request, response) => response.writeHead(400).end(padded(16 * MIB + 1))],
  ])("one byte more is refused: %s", async (_how, answer) => {
    const server = await listen(answer);
    const error = await errorOf(send(`http://${server.host}`));
    expect(error.message).toMatch(/it has more than 16 MiB/);
    expect(error).toMatchObject({ name: "TransportError", mayHaveHappened: true });
  });
});

describe("the time limit", () => {
  /** @param isSent A request that was not sent is tried six times. */
  const expectLimit = async (baseUrl: string, isSent = true): Promise<void> => {
    // Time enough to be sent, on a busy machine too; what cannot be sent needs none.
    const seconds = isSent ? 0.4 : 0.1;
    const began = performance.now();
    const error = await errorOf(send(baseUrl, post, seconds));
    const took = performance.now() - began;
    const late = isSent ? "it was not complete" : "it was not sent, because there was no connection";
    expect(error.message).toContain(`POST /things got no answer: ${late} within ${seconds} seconds (requestTimeout)`);
    expect(error).toMatchObject({ name: "TransportError", mayHaveHappened: isSent });
    const times = isSent ? 1 : 6;
    expect(took).toBeGreaterThan(times * (seconds * 1000 - 50));
    expect(took).toBeLessThan(times * seconds * 10_000);
  };

  test("holds while the connection is not made", async () => {
    // It listens with a tiny backlog and never accepts: the kernel leaves the other callers waiting.
    const script = `require("node:net").createServer().listen({ port: 0, host: "127.0.0.1", backlog: 1 }, function () {
      require("node:fs").writeSync(1, String(this.address().port));
      Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0);
    });`;
    const deaf = spawn(process.execPath, ["-e", script], { stdio: ["ignore", "pipe", "inherit"] });
    try {
      const port = Number(String(z.array(z.instanceof(Buffer)).parse(await once(deaf.stdout, "data"))[0]));
      const callers = Array.from({ length: 16 }, () => connect(port, "127.0.0.1").on("error", () => undefined));
      await expectLimit(`http://127.0.0.1:${port}`, false);
      // The proof that the connection was what hung: others that began then still hang.
      expect(callers.some((caller) => caller.connecting)).toBe(true);
      for (const caller of callers) caller.destroy();
    } finally {
      deaf.kill("SIGKILL");
    }
  });

  const dripping: RequestListener = (_request, response) => {
    response.writeHead(200).flushHeaders();
    const timer = setInterval(() => response.write(" "), 50);
    response.once("close", () => clearInterval(timer));
  };
  test.each<[string, RequestListener]>([
    ["the first byte does not come", () => undefined],
    ["the body does not come", (_request, response) => response.writeHead(200).flushHeaders()],
    ["the body drips, never silent for long", dripping],
  ])("holds while %s", async (_what, answer) => {
    await expectLimit(`http://${(await listen(answer)).host}`);
  });

  test("of a month does not become a limit of a millisecond", async () => {
    const server = await listen((_request, response) => response.end('{"id":"1"}'));
    expect((await send(`http://${server.host}`, post, 30 * 86_400)).data).toEqual({ id: "1" });
  });
});
