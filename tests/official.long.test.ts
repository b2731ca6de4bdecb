import { rmSync } from "node:fs";
import { join } from "node:path";
import { findPython } from "../tools/official/python";
import { runOfficialClients } from "../tools/official/run";
import { compiledSources } from "./support/compiled-sources";

const python = findPython(process.env);

(python === undefined ? test.skip : test)("official clients get of the emulator what they expect", async () => {
  if (python === undefined) throw new Error("skipped without Python");
  const checkout = join(__dirname, "..");
  const sources = compiledSources();
  try {
    const log = (line: string): void => void process.stderr.write(`${line}\n`);
    const cli = join(sources, "cli", "main.js");
    const { code, stdout, stderr } = await runOfficialClients({ checkout, cli, python, log, output: "collect" });
    expect(code === 0 ? "" : stdout + stderr).toBe("");
    const summaries = stdout.split("\n").filter((line) => / passed\b/.test(line));
    // Without an engine, the tests on it are skipped (setup.js has said so, and fails in CI).
    if (process.env["ENGINE_UNAVAILABLE"] === undefined) expect(summaries.join("\n")).not.toContain("skipped");
    const [clients = 0, agents = 0, newest] = summaries.map((line) => Number(/(\d+) passed/.exec(line)?.[1]));
    expect(clients + agents).toBeGreaterThan(120);
    expect(newest).toBeGreaterThan(20);
  } finally {
    rmSync(sources, { recursive: true, force: true });
  }
});
