import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { commandLine } from "../../tests/support/command-line";

let folder: string;
beforeEach(() => (folder = mkdtempSync(join(tmpdir(), "agent-platform-doctor-"))));
afterEach(() => rmSync(folder, { recursive: true, force: true }));

/** Outside of a project, without an engine and without a connection. */
const doctor = (...words: string[]) => commandLine(["doctor", "--cwd", folder, ...words], { PATH: folder });

test("a line for each finding, and exit code 1 where there is something to fix", async () => {
  const { code, out, err } = await doctor();
  expect([code, err]).toEqual([1, ""]);
  expect(out).toMatch(/^ok +package +.*\nFIX +engine +.*not on PATH.*\n- +project .*\n(FIX +connection .*\n)+$/);
});

test.each([[["--format", "json"]], [["--json"]]])("%j: the same findings for programs", async (words) => {
  const { code, out, err } = await doctor(...words);
  expect([code, err]).toEqual([1, ""]);
  const text: unknown = expect.any(String);
  const findings: unknown = expect.arrayContaining([
    { state: "ok", what: "package", text },
    { state: "fix", what: "engine", text },
    { state: "skip", what: "project", text },
    { state: "fix", what: "connection", text },
  ]);
  expect(JSON.parse(out)).toEqual({ findings });
});
