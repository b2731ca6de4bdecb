import { execFile } from "node:child_process";
import { join } from "node:path";
import { promisify } from "node:util";
import { z } from "zod";
import { installAgentServer } from "../agent-server/install";

const Held = z.object({ client: z.string(), chunks: z.number(), growthMiB: z.number() });
const Report = z.object({ memory: z.tuple([Held, Held]) });

// Times are for speed.mjs alone: here other tests use the machine as well. It reads dist, like everyone who installs the package.
test("on the same bytes both clients see the same chunks in the same order, and ours holds none of them", async () => {
  await installAgentServer();
  const script = join(__dirname, "..", "agent-server", "speed.mjs");
  const args = [script, "--chunks", "5000", "--runs", "1", "--mebibytes", "160"];
  // The script throws on a chunk that is missing, doubled or out of order.
  const { stdout } = await promisify(execFile)(process.execPath, args);
  const json: unknown = JSON.parse(stdout.trimEnd().split("\n").at(-1) ?? "");
  const [ours, official] = Report.parse(json).memory;
  expect([ours.client, official.client, ours.chunks]).toEqual(["ours", "official", official.chunks]);
  expect(ours.chunks).toBeGreaterThan(100_000);
  expect(ours.growthMiB).toBeLessThan(30);
});
