import { mkdtempSync, readFileSync, rmSync } from "node:fs";
import { request } from "node:http";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { deployments } from "../../emulator/platform/deployment-record";
import { RequestLog } from "../../emulator/server/request-log";
import { deploymentBody, field, startPlatform, templateBody, type Platform } from "./api";

const LIMIT = 100_000;
const templates = "/v2/sandboxes/templates";
let platform: Platform;
let folder: string;
beforeAll(async () => {
  folder = mkdtempSync(join(tmpdir(), "memory-"));
  platform = await startPlatform({ bodyLimit: LIMIT, dataFile: join(folder, "data.json") });
});
afterAll(async () => {
  await platform.emulator.close();
  rmSync(folder, { recursive: true, force: true });
});
beforeEach(() => platform.emulator.reset());

/** Sends parts of a body, without its length and without an end, until there is an answer and the connection is closed. */
function sendEndlessly(path: string, headers: Readonly<Record<string, string>>): Promise<number> {
  return new Promise((resolve, reject) => {
    let status = 0;
    const sent = request(`${platform.emulator.url}${path}`, { method: "POST", headers });
    const more = (): void => {
      while (!sent.destroyed && sent.write(Buffer.alloc(10_000, "[")));
    };
    sent.on("response", (response) => {
      status = response.statusCode ?? 0;
      response.resume();
    });
    sent.on("drain", more);
    // Writing to a connection that the other side has closed: what counts is the answer before.
    sent.on("error", (error) => (status === 0 ? reject(error) : undefined));
    sent.on("close", () => resolve(status));
    more();
  });
}

describe("a body beyond the limit", () => {
  test.each([
    ["with the key", { "x-api-key": "emulator-key" }],
    ["without a key", {}],
  ])("that never ends is answered 413 and cut off, %s", async (_who, headers) => {
    expect(await sendEndlessly(templates, headers)).toBe(413);
    expect(platform.emulator.requests).toMatchObject([{ status: 413, requestBody: null }]);
  });

  test("is counted in bytes, and one of the very limit is read", async () => {
    const long = await platform.call("POST", templates, { text: "ä".repeat(LIMIT / 2) });
    const tooLong = await platform.call("POST", templates, { text: "ä".repeat(LIMIT / 2 + 1) });
    expect([long.status, tooLong.status]).toEqual([422, 413]);
    expect(tooLong.body).toEqual({ detail: "Request body too large" });
  });
});

describe("the request log", () => {
  test("drops its oldest entries beyond a size, and goes on counting", () => {
    const log = new RequestLog(100_000);
    const url = new URL(`http://x/v2/${"a".repeat(1000)}`);
    const body = JSON.stringify({ name: "b".repeat(10_000) });
    for (let at = 0; at < 50; at++) {
      log.add("now", { method: "POST", url, body });
      expect(log.size).toBeLessThanOrEqual(100_000);
    }
    expect(log.entries.length).toBeGreaterThan(5);
    expect(log.entries.at(-1)?.seq).toBe(50);
    log.clear();
    expect(log.size).toBe(0);
  });

  test("keeps an entry that is too large by itself, until the next one", () => {
    const log = new RequestLog(1000);
    const body = JSON.stringify({ name: "a".repeat(2000) });
    const add = () => log.add("now", { method: "POST", url: new URL("http://x/"), body });
    expect([add(), add()].map(({ seq }) => seq)).toEqual([1, 2]);
    expect(log.entries.map(({ seq }) => seq)).toEqual([2]);
  });
});

describe("JSON that is nested too deeply", () => {
  const deep = `{"a":${"[".repeat(20_000)}${"]".repeat(20_000)}}`;
  const readyAgent = async (): Promise<string> => {
    const { body } = await platform.call("POST", "/v2/deployments", { body: deploymentBody });
    platform.advance(500);
    await platform.call("GET", `/v2/deployments/${String(field(body, "id"))}`);
    return `/agents/${String(field(body, "id"))}`;
  };

  test.each([
    ["a new thread", "POST", "/threads", `{"metadata":${deep}}`],
    ["a run", "POST", "/runs/wait", `{"assistant_id":"agent","input":${deep}}`],
    ["a search", "POST", "/threads/search", `{"metadata":${deep}}`],
  ])("to an agent (%s) is 422, and changes nothing", async (_what, method, path, text) => {
    const agent = await readyAgent();
    const refused = await platform.call(method, agent + path, { text });
    expect([refused.status, refused.body]).toEqual([422, { detail: "JSON in request body is nested too deeply" }]);
    expect((await platform.call("POST", `${agent}/threads`, { body: {} })).status).toBe(200);
    expect((await platform.call("POST", templates, { body: templateBody })).status).toBe(201);
    expect(readFileSync(join(folder, "data.json"), "utf8")).toContain(`"name":"${templateBody.name}"`);
  });
});

test("an object that no file can hold is refused, and stops no other", async () => {
  const { body } = await platform.call("POST", "/v2/deployments", { body: deploymentBody });
  const id = String(field(body, "id"));
  const endless: Record<string, unknown> = {};
  endless["self"] = endless;
  const behind = platform.emulator.outOfBand(deployments);
  expect(() => behind.change(id, { source_config: endless })).toThrow(`The object ${id} cannot be stored`);
  expect(() => behind.change(id, { source_config: { a: 1n } })).toThrow(`The object ${id} cannot be stored`);
  expect((await platform.call("POST", templates, { body: templateBody })).status).toBe(201);
  expect(readFileSync(join(folder, "data.json"), "utf8")).toContain(`"name":"${templateBody.name}"`);
});
