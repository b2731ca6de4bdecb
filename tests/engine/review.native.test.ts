import { existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import type { CliStack } from "../support/cli-stack";
import { describeWithEngine } from "../support/with-engine";
import { cliCommand } from "../support/cli-command";
import { onEmulator } from "./on-emulator";

// The recorded previews are checked in tests/review; here the engine is there.

const platform = onEmulator({ buildSeconds: 0 });
let elsewhere: string;
beforeAll(() => {
  elsewhere = mkdtempSync(join(tmpdir(), "agent-platform-review-test-"));
});
afterAll(() => rmSync(elsewhere, { recursive: true, force: true }));

describeWithEngine("pulumi-agent-platform review", () => {
  test("what cannot be reviewed is one sentence with the way out, exit code 1", async () => {
    const stack = await platform.stackOf(`new platform.SandboxTemplate("box", { resources: {} });`);
    const { environment, folder } = stack;
    // An engine that does not know streamed events prints something else.
    const old = join(elsewhere, "old");
    mkdirSync(old);
    writeFileSync(join(old, "pulumi"), "#!/bin/sh\necho '{'\n", { mode: 0o755 });
    writeFileSync(join(elsewhere, "empty.ndjson"), "");
    const failures: [string, Pick<CliStack, "folder" | "environment">, string[], RegExp][] = [
      [
        "no such stack",
        stack,
        ["--stack", "nobody"],
        /stack "nobody" could not be previewed.*no stack named 'nobody'.*Fix that/s,
      ],
      ["no project", { folder: elsewhere, environment }, [], /which stack is selected\..*Choose one with --stack/s],
      [
        "an old engine",
        { folder, environment: { ...environment, PATH: old } },
        ["--stack", "test"],
        /not the stream of events.*`pulumi version`/,
      ],
      [
        "no events",
        stack,
        ["--events", join(elsewhere, "empty.ndjson")],
        /there are no events of a preview: save them with --save/,
      ],
      ["no such file", stack, ["--events", "nowhere"], /--events: nowhere cannot be read/],
    ];
    for (const [what, where, args, reason] of failures) {
      const { code, stdout, stderr } = await cliCommand(where, "review", "--format", "markdown", ...args);
      expect([what, code, stdout]).toEqual([what, 1, ""]);
      expect(stderr).toMatch(reason);
      expect(stderr).not.toMatch(/\n {4}at /);
    }
    const unknown = await cliCommand(stack, "review", "--fail-on", "creation");
    expect(unknown).toMatchObject({ code: 2, stdout: "" });
    expect(unknown.stderr).toMatch(/replacement, deletion/);
    const failed = await cliCommand(stack, "review", "--output", join(elsewhere, "failed.txt"));
    expect(failed.code).toBe(1);
    expect(failed.stderr).toMatch(/^error: SandboxTemplate box: .*image: is required/);
    expect(readFileSync(join(elsewhere, "failed.txt"), "utf8")).toMatch(
      /^error: .*image: is required[^]*The preview of stack test failed/,
    );
    expect(existsSync(join(elsewhere, "nowhere"))).toBe(false);
  });
});
