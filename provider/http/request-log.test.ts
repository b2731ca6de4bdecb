import { readFileSync, statSync } from "node:fs";
import type { RequestListener } from "node:http";
import { join } from "node:path";
import { connectionTo } from "../../tests/support/connection";
import { FakeClock } from "../../tests/support/fake-clock";
import { newFolder } from "../../tests/support/new-folder";
import { servingRead } from "../../tests/support/serving";
import type { Connection } from "../base/connection";
import { noteSecrets } from "../base/masker";
import { version } from "../base/version";
import { createSend } from "./client";
import { RequestLimits } from "./limiter";
import { NO_BODY, type Request } from "./request";

let answer: RequestListener;
let agents: unknown[];
let baseUrl: string;
let folder: string;
beforeAll(async () => {
  folder = newFolder();
  baseUrl = await servingRead((response, request) => {
    agents.push(request.headers["user-agent"]);
    answer(request, response);
  });
});

let lines: string[];
let warnings: string[];
beforeEach(() => {
  lines = [];
  warnings = [];
  agents = [];
});

function send(over: Partial<Connection> = { log: "requests" }) {
  const clock = new FakeClock();
  const log = { debug: (line: string) => void lines.push(line), warn: (text: string) => void warnings.push(text) };
  const options = { clock, random: () => 0.5, checkAlive: () => Promise.resolve(), limits: new RequestLimits(clock) };
  return createSend(connectionTo(baseUrl, over), baseUrl, { ...options, writes: { count: 0 }, log });
}

const replying = (status: number, body: object, headers: Record<string, string> = {}) => {
  answer = (_request, response) =>
    response.writeHead(status, { "content-type": "application/json", ...headers }).end(JSON.stringify(body));
};

const create: Request = {
  method: "POST",
  path: "/v2/deployments",
  body: { name: "desk", secrets: [{ name: "MODEL_KEY", value: "canary-secret" }], custom: { token: "canary-custom" } },
  secrets: ["canary-secret"],
};

test("a line says what was asked and answered, with the structure of the bodies, and with no text that may be a secret", async () => {
  const echo = {
    id: "d1",
    name: "desk",
    detail: "got canary-secret",
    secrets: [{ name: "MODEL_KEY", value: "x-canary" }],
  };
  replying(201, { ...echo, source_config: { resource_spec: { cpu: 2 } } }, { "x-request-id": "req-7" });
  await send()(create, NO_BODY);
  expect(lines).toEqual([
    expect.stringMatching(/^POST http:\S+\/v2\/deployments answered 201 in \d+ ms \(request id req-7\) sent /),
  ]);
  expect(lines[0]).toContain(
    '"name":"desk","secrets":[{"name":"MODEL_KEY","value":"[secret]"}],"custom":{"token":"[secret]"}',
  );
  expect(lines[0]).toContain('"source_config":{"resource_spec":{"cpu":2}}');
  expect(lines[0]).not.toContain("canary");
});

test("each try has its line, with its number; so has one that got no answer", async () => {
  let asked = 0;
  answer = (_request, response) => {
    if (++asked === 1) response.writeHead(503).end("busy");
    else response.destroy();
  };
  await expect(send()({ method: "GET", path: "/things", query: { limit: 2 } }, NO_BODY)).rejects.toThrow(
    "got no answer",
  );
  expect(lines[0]).toMatch(
    /^GET http:\S+\/things\?limit=2 answered 503 in \d+ ms got \(4 characters that are not JSON\)$/,
  );
  expect(lines[1]).toMatch(/got no answer: .* in \d+ ms \(try 2\)$/);
  expect(lines.length).toBe(asked);
});

test("nothing is logged unless it is asked for", async () => {
  replying(200, {});
  await send({})(create, NO_BODY);
  expect(lines).toEqual([]);
});

test("a file gets the lines instead, with their times; it is for its owner alone", async () => {
  const logFile = join(folder, "requests.log");
  replying(200, {});
  await send({ log: "requests", logFile })(create, NO_BODY);
  await send({ log: "requests", logFile })(create, NO_BODY);
  expect(readFileSync(logFile, "utf8")).toMatch(/^(\d{4}-\S+Z POST \S+ answered 200 .*\n){2}$/);
  expect(statSync(logFile).mode & 0o777).toBe(0o600);
  expect(lines).toEqual([]);
});

test("a file that cannot be written is one warning, and the request is sent all the same", async () => {
  replying(200, {});
  const sending = send({ log: "requests", logFile: join(folder, "none", "requests.log") });
  await sending(create, NO_BODY);
  await sending(create, NO_BODY);
  expect(warnings).toEqual([expect.stringMatching(/^The log of requests cannot be written \(logFile\): .*ENOENT/)]);
  expect(agents).toHaveLength(2);
});

test.each<[reason: string, headers: Record<string, string>, id: string | undefined]>([
  ["the usual header", { "x-request-id": "req-7" }, "req-7"],
  ["another usual one", { "x-correlation-id": "c.7" }, "c.7"],
  ["none", {}, undefined],
  ["a text that is no id", { "x-request-id": "a b {canary}" }, undefined],
])("an error carries the id that the platform gave the request: %s", async (_reason, headers, requestId) => {
  replying(422, { detail: "no" }, headers);
  const failed = send({})(create, NO_BODY);
  const id = requestId === undefined ? "" : ` (request id ${requestId})`;
  await expect(failed).rejects.toMatchObject({ requestId, message: `POST /v2/deployments answered 422: no${id}` });
});

test("the platform is told which version asks", async () => {
  replying(200, {});
  await send({})(create, NO_BODY);
  expect(agents).toEqual([`pulumi-agent-platform/${version()}`]);
});

test.each<[reason: string, body: Record<string, unknown>, hidden: RegExp]>([
  ["the password of an address", { repo_url: "https://me:canary-pw@git.example/a" }, /canary/],
  ["the password in a sentence", { detail: 'cannot clone "https://me:canary/pw@git.example/a" now' }, /canary|pw@/],
  [
    "an injected header called source",
    { proxy_config: { rules: [{ inject_headers: { source: "canary", name: "canary" } }] } },
    /canary/,
  ],
  ["the headers of an upload", { upload_headers: { id: "canary", x_id: "canary" } }, /canary/],
  [
    "a graph's own words",
    { input: { name: "canary", context: [{ user_id: "canary" }] }, config: { configurable: { id: "canary" } } },
    /canary/,
  ],
  ["the parameters of a sign-in", { authorization_params: { id: "canary" } }, /canary/],
  ["the id of an upload", { upload_id: "canary" }, /canary/],
  ["a signed address", { error: "PUT https://store.example/a?X-Signature=canary&b=canary" }, /canary/],
])("neither a request nor an answer shows %s", async (_reason, body, hidden) => {
  replying(200, body);
  await send()({ ...create, body }, NO_BODY);
  expect(lines.join("\n")).toContain("[secret]");
  expect(lines.join("\n")).not.toMatch(hidden);
});

test("a secret is taken out before a long body is cut", async () => {
  replying(200, {});
  await send()(
    {
      ...create,
      body: { name: `${"x".repeat(3_980)}canary-secret-that-is-cut` },
      secrets: ["canary-secret-that-is-cut"],
    },
    NO_BODY,
  );
  expect(lines.join("\n")).not.toContain("canary");
});

test("a secret that another resource has sent is in no line, not even as a request id", async () => {
  noteSecrets(["sk-of-another-1", "registry/pass-2"]);
  const echo = "you are sk-of-another-1 or registry%2Fpass-2";
  replying(422, { detail: echo }, { "x-request-id": "sk-of-another-1" });
  const told: unknown = await send()(create, NO_BODY).catch((error: unknown) => error);
  expect(String(told)).toBe(
    "HttpError: POST /v2/deployments answered 422: you are [secret] or [secret] (request id [secret])",
  );
  expect(lines.join("\n")).toContain("(request id [secret])");
  expect(lines.join("\n")).not.toMatch(/sk-of|pass-2/);
});
