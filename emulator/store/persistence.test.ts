import {
  chmodSync,
  chownSync,
  existsSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
  symlinkSync,
  writeFileSync,
} from "node:fs";
import promises from "node:fs/promises";
import { join } from "node:path";
import { z } from "zod";
import { EmulatorError } from "../base/emulator-error";
import { newFolder } from "../../tests/support/new-folder";
import { DataFile, loadStore } from "./persistence";

import { startEmulator, type Emulator, type EmulatorOptions } from "../start";
import { defineCollection, storedRecord } from "./define-collection";

const things = defineCollection("things", storedRecord, () => []);
const thing = (id: string) => ({ id, tenant_id: "t", created_at: "", updated_at: "" });

let folder: string;
let file: string;
beforeEach(() => {
  folder = newFolder();
  file = join(folder, "data.json");
});
afterEach(async () => {
  // Also after a failed expectation: a server left open would keep jest from ending.
  await Promise.allSettled(emulators.splice(0).map((emulator) => emulator.close()));
});

const emulators: Emulator[] = [];
async function started(options: EmulatorOptions): Promise<Emulator> {
  const emulator = await startEmulator(options);
  emulators.push(emulator);
  return emulator;
}

const names = async (emulator: Emulator): Promise<string[]> => {
  const headers = { "x-api-key": emulator.apiKey };
  const response = await fetch(`${emulator.url}/v2/sandboxes/templates?limit=500`, { headers });
  const page = z.object({ templates: z.array(z.object({ name: z.string() })) }).parse(await response.json());
  return page.templates.map(({ name }) => name);
};
const post = (emulator: Emulator, name: string): Promise<Response> =>
  fetch(`${emulator.url}/v2/sandboxes/templates`, {
    method: "POST",
    headers: { "x-api-key": emulator.apiKey, "content-type": "application/json" },
    body: JSON.stringify({ name, image: "i", resources: {} }),
  });

test("objects survive a restart; the file is its owner's only, and no temporary file is left", async () => {
  const first = await started({ dataFile: file });
  await post(first, "a");
  await first.close();
  const second = await started({ dataFile: file });
  expect(await names(second)).toEqual(["a"]);
  await second.close();
  expect(statSync(file).mode & 0o777).toBe(0o600);
  expect(readdirSync(folder)).toEqual(["data.json"]);
});

test("changes out of band and reset are flushed by close", async () => {
  const emulator = await started({ dataFile: file });
  await post(emulator, "a");
  emulator.reset();
  await emulator.close();
  expect(readFileSync(file, "utf8")).not.toContain('"name":"a"');
});

test("parallel writers share writes, and each is safe when its own save resolves", async () => {
  const store = loadStore(file);
  const collection = things.in(store);
  const data = new DataFile(file, store);
  const renames = jest.spyOn(promises, "rename");
  await Promise.all(
    Array.from({ length: 100 }, async (_, index) => {
      collection.put(thing(`id-${index}`));
      await data.save();
      expect(readFileSync(file, "utf8")).toContain(`"id-${index}"`);
    }),
  );
  expect(renames.mock.calls.length).toBeLessThan(10);
  renames.mockRestore();
});

test("a write cut off before the rename loses nothing, and its left-over is replaced", async () => {
  const store = loadStore(file);
  things.in(store).put(thing("a"));
  await new DataFile(file, store).save();
  const leftover = join(folder, ".data.json.tmp");
  writeFileSync(leftover, "{ half");
  chmodSync(leftover, 0o644);
  const again = loadStore(file);
  things.in(again).put(thing("b"));
  await new DataFile(file, again).save();
  expect(things.in(loadStore(file)).all()).toHaveLength(2);
  expect(statSync(file).mode & 0o777).toBe(0o600);
});

test("a symbolic link stays one", async () => {
  const real = join(folder, "real.json");
  const store = loadStore(real);
  things.in(store).put(thing("a"));
  await new DataFile(real, store).save();
  symlinkSync(real, file);
  const linked = loadStore(file);
  things.in(linked).put(thing("b"));
  await new DataFile(file, linked).save();
  expect(things.in(loadStore(real)).all()).toHaveLength(2);
});

test("a second process on the same file is refused instead of losing objects in turns", async () => {
  const one = loadStore(file);
  const two = loadStore(file);
  const first = new DataFile(file, one);
  const second = new DataFile(file, two);
  things.in(one).put(thing("a"));
  things.in(two).put(thing("b"));
  await first.save();
  await expect(second.save()).rejects.toThrow("Another process");
  expect(things.in(loadStore(file)).all()).toEqual([thing("a")]);
});

test("a file that cannot be written answers 500, and the next request tries again", async () => {
  const emulator = await started({ dataFile: file });
  await post(emulator, "a");
  const noise = jest.spyOn(console, "error").mockImplementation(() => undefined);
  const content = readFileSync(file, "utf8");
  rmSync(file);
  writeFileSync(file, "foreign");
  expect((await post(emulator, "b")).status).toBe(500);
  rmSync(file);
  expect((await post(emulator, "c")).status).toBe(201);
  noise.mockRestore();
  expect(content).toContain('"name":"a"');
  expect(await names(emulator)).toEqual(["a", "b", "c"]);
  await emulator.close();
});

test.each<string[]>([
  ["empty", ""],
  ["not JSON", "secret-canary {"],
  ["another program's", '{"secret":"secret-canary"}'],
  ["of another version", '{"format":"agent-platform-emulator","version":2,"data":{}}'],
  ...["deployments", "oauth_providers", "sandbox_templates"].map((name) => [
    `broken inside ${name}`,
    `{"format":"agent-platform-emulator","version":1,"data":{"${name}":[{"name":"secret-canary"}]}}`,
  ]),
])("a file that is %s is refused, left as it is, and not quoted", async (_kind, content) => {
  writeFileSync(file, content);
  const error: unknown = await startEmulator({ dataFile: file }).catch((reason: unknown) => reason);
  expect(error).toBeInstanceOf(EmulatorError);
  expect(String(error)).toContain(file);
  expect(String(error)).not.toContain("canary");
  expect(readFileSync(file, "utf8")).toBe(content);
});

describe("a file that others may have written", () => {
  const refused = "It was left unchanged: choose another file with --data, or move this one away.";
  beforeEach(() => writeFileSync(file, '{"format":"agent-platform-emulator","version":1,"data":{}}'));

  test.each([0o660, 0o602, 0o666])(
    "is refused with mode %o: its deployments say what a command of yours does",
    async (mode) => {
      chmodSync(file, mode);
      const message = `The data file ${file} cannot be used: other users can write it (if it is as you left it, run chmod 600 on it). ${refused}`;
      await expect(startEmulator({ dataFile: file })).rejects.toThrow(new EmulatorError(message));
    },
  );

  test.each([0o600, 0o644])("but not with mode %o", (mode) => {
    chmodSync(file, mode);
    expect(things.in(loadStore(file)).all()).toEqual([]);
  });

  const asRoot = process.getuid?.() === 0 ? test : test.skip;
  asRoot("is refused if it belongs to another user, also through a symbolic link", async () => {
    const link = join(folder, "link.json");
    symlinkSync(file, link);
    chownSync(file, 12345, 12345);
    for (const dataFile of [file, link]) {
      const message = `The data file ${dataFile} cannot be used: it belongs to another user (12345). ${refused}`;
      await expect(startEmulator({ dataFile })).rejects.toThrow(new EmulatorError(message));
    }
  });
});

test("a port that is taken is an error with the remedy, and the data file is not made", async () => {
  const first = await started({});
  const second = startEmulator({ port: first.port, dataFile: file });
  await expect(second).rejects.toThrow(`Port ${first.port} of 127.0.0.1 is taken. Stop`);
  expect(existsSync(file)).toBe(false);
  await first.close();
});
