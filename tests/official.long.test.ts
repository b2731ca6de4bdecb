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
    const { output, ...tally } = await runOfficialClients({ checkout, cli, python, log, output: "collect" });
    expect(tally.failed === 0 ? "" : output).toBe("");
    // Without an engine, the tests on it are skipped (setup.js has said so, and fails in CI).
    if (process.env["ENGINE_UNAVAILABLE"] === undefined) expect(tally.skipped).toBe(0);
    expect(tally.passed).toBeGreaterThan(150);
  } finally {
    rmSync(sources, { recursive: true, force: true });
  }
});
