import { existsSync, writeFileSync } from "node:fs";
import { once } from "node:events";
import { connect } from "node:net";
import { join } from "node:path";
import { ManualClock } from "./base/clock";
import { EmulatorError } from "./base/emulator-error";

import { startEmulator, type Emulator, type EmulatorOptions } from "./start";
import type { LogEntry } from "./base/exchange";
import type { Layer } from "./base/exchange";
import { fakeTimeouts } from "../tests/support/fake-timeouts";
import { deployed } from "../tests/support/agent-under-test";
import { newFolder } from "../tests/support/new-folder";

const running: Emulator[] = [];
async function started(options: EmulatorOptions = {}): Promise<Emulator> {
  const emulator = await startEmulator({ clock: new ManualClock(), ...options });
  running.push(emulator);
  return emulator;
}
afterEach(() => jest.useRealTimers());
afterEach(() => Promise.all(running.splice(0).map((emulator) => emulator.close())));

const templates = "/v2/sandboxes/templates";
function post({ url, apiKey }: Emulator, name = "python"): Promise<Response> {
  const headers = { "x-api-key": apiKey, "content-type": "application/json" };
  return fetch(url + templates, { method: "POST", headers, body: JSON.stringify({ name, image: "i", resources: {} }) });
}
const get = ({ url, apiKey }: Emulator): Promise<Response> =>
  fetch(url + templates, { headers: { "x-api-key": apiKey } });

describe("layers", () => {
  /** A layer that records everything that passes it. */
  function witness(name: string, seen: string[], stop = false): Layer {
    return {
      beforeRoute: ({ entry }) => {
        seen.push(`${name} in, ${entry.phase}`);
        return Promise.resolve(stop ? new Response(null, { status: 429 }) : undefined);
      },
      afterCommit: ({ entry }, response) => {
        seen.push(`${name} out, ${entry.phase}, ${response.status}`);
        return Promise.resolve(response);
      },
    };
  }

  test("are passed outermost first on the way in, and last on the way out", async () => {
    const seen: string[] = [];
    await post(await started({ layers: [witness("outer", seen), {}, witness("inner", seen)] }));
    expect(seen).toEqual([
      "outer in, received",
      "inner in, received",
      "inner out, committed, 201",
      "outer out, committed, 201",
    ]);
  });

  test("one that answers ends the matter: the outer ones see its answer, and nothing changes", async () => {
    const seen: string[] = [];
    const emulator = await started({
      layers: [witness("outer", seen), witness("stops", seen, true), witness("inner", seen)],
    });
    expect((await post(emulator)).status).toBe(429);
    expect(seen).toEqual(["outer in, received", "stops in, received", "outer out, received, 429"]);
    expect(emulator.requests).toMatchObject([{ status: 429, phase: "answered", tenant: null }]);
    expect(Object.values(emulator.store.snapshot()).flat()).toEqual([]);
  });

  test("one that fails answers 500, and the emulator goes on", async () => {
    const noise = jest.spyOn(console, "error").mockImplementation(() => undefined);
    let failing = true;
    const emulator = await started({
      layers: [{ beforeRoute: () => (failing ? Promise.reject(new Error("a fault")) : Promise.resolve(undefined)) }],
    });
    const failed = await get(emulator);
    expect([failed.status, await failed.json()]).toEqual([500, { detail: "a fault" }]);
    failing = false;
    expect((await get(emulator)).status).toBe(200);
    expect(noise).toHaveBeenCalledTimes(1);
    noise.mockRestore();
  });

  test("the data file has the write before a layer sees the answer", async () => {
    const folder = newFolder();
    const dataFile = join(folder, "data.json");
    const seen: boolean[] = [];
    const afterCommit: Layer["afterCommit"] = (_exchange, response) => {
      seen.push(existsSync(dataFile));
      return Promise.resolve(response);
    };
    await post(await started({ dataFile, layers: [{ afterCommit }] }));
    expect(seen).toEqual([true]);
    await running[0]?.close();
  });
});

test("the Date header and the log follow the clock, also in answers that are refusals", async () => {
  const clock = new ManualClock(Date.UTC(2031, 5, 1));
  const emulator = await started({ clock });
  const dates = [];
  for (const path of [templates, "/nowhere"]) dates.push((await fetch(emulator.url + path)).headers.get("date"));
  clock.advance(3_600_000);
  dates.push((await get(emulator)).headers.get("date"));
  expect(dates).toEqual([
    "Sun, 01 Jun 2031 00:00:00 GMT",
    "Sun, 01 Jun 2031 00:00:00 GMT",
    "Sun, 01 Jun 2031 01:00:00 GMT",
  ]);
  expect(emulator.requests.at(-1)?.at).toBe("2031-06-01T01:00:00.000Z");
});

test("onRequest is called once for each request, when its line of the log is complete", async () => {
  const lines: string[] = [];
  const onRequest = (entry: LogEntry) => void lines.push(`${entry.seq} ${entry.method} ${entry.status} ${entry.phase}`);
  const emulator = await started({ onRequest });
  await get(emulator);
  await post(emulator);
  await fetch(emulator.url + templates);
  expect(lines).toEqual(["1 GET 200 answered", "2 POST 201 answered", "3 GET 401 answered"]);
});

test("reset forgets objects, log and queued outcomes, and keeps the port", async () => {
  const emulator = await started();
  await post(emulator);
  emulator.nextRevision("BUILD_FAILED");
  emulator.reset();
  expect(emulator.requests).toEqual([]);
  expect(await (await get(emulator)).json()).toEqual({ templates: [], offset: 0 });
  await deployed(emulator, "a:1");
  expect(emulator.store.snapshot()).toMatchObject({ revisions: [{ outcome: "DEPLOYED" }] });
});

test("close may be called twice, also with a connection that is kept alive; then nothing listens", async () => {
  const emulator = await started();
  await get(emulator);
  await Promise.all([emulator.close(), emulator.close()]);
  await expect(get(emulator)).rejects.toThrow();
});

test("close does not wait for a connection without a request, which clients open in advance", async () => {
  const emulator = await started();
  const unused = connect(emulator.port, "127.0.0.1").on("error", () => undefined);
  await once(unused, "connect");
  // By now the emulator has accepted it, as connections come in order.
  await get(emulator);
  // Requests under way get two seconds to end, which do not pass here.
  fakeTimeouts();
  await emulator.close();
});

test("no tenant at all is refused", async () => {
  await expect(startEmulator({ tenants: [] })).rejects.toThrow("at least one tenant");
});

test("a data file that could never be written is refused at start", async () => {
  const folder = newFolder();
  writeFileSync(join(folder, "file"), "");
  const dataFile = join(folder, "file", "data.json");
  const error: unknown = await startEmulator({ dataFile }).catch((reason: unknown) => reason);
  expect(error).toBeInstanceOf(EmulatorError);
  expect(String(error)).toContain(dataFile);
});
