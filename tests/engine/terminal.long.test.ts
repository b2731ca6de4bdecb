import { execFileSync, spawnSync } from "node:child_process";
import { setTimeout as pause } from "node:timers/promises";
import { startEmulator, type Emulator } from "../../emulator";
import { ok, type CliStack } from "../support/cli-stack";
import { describeWithEngine } from "../support/with-engine";
import { connectionTo, stacksOfTests } from "./on-emulator";

/** What a person sees takes a terminal: tmux is one. */
const hasTmux = spawnSync("tmux", ["-V"]).status === 0;
const stacks = stacksOfTests();
const SERVER = `agent-platform-${process.pid}`;
const tmux = (...args: string[]): string => execFileSync("tmux", ["-L", SERVER, ...args], { encoding: "utf8" });

let emulator: Emulator;
beforeAll(async () => {
  // Longer than anybody looks: the test ends the wait itself.
  emulator = await startEmulator({ buildSeconds: 100_000 });
});
afterEach(() => {
  spawnSync("tmux", ["-L", SERVER, "kill-server"]);
  emulator.reset();
});
afterAll(() => emulator.close());

const program = (tag: string): string => `
  new platform.Deployment("support-agent", {
    source: "external_docker",
    sourceRevisionConfig: { imageUri: "registry.example/support-agent:${tag}" },
    secrets: { MODEL_API_KEY: "${tag}" },
  });
`;

/** The screen of `pulumi up` in a terminal this wide, once it shows what is looked for. The terminal stays when the command has ended. */
async function screenOf(stack: CliStack, columns: number, until: RegExp): Promise<string> {
  const command = `'${stack.pulumi}' up --yes --skip-preview; read -r end`;
  // The server takes the environment from its first client: no argument has a passphrase.
  const place = { encoding: "utf8", env: { ...stack.environment, CI: undefined } } as const;
  const size = ["-x", String(columns), "-y", "30"];
  execFileSync("tmux", ["-L", SERVER, "new-session", "-d", ...size, "-c", stack.folder, command], place);
  let seen = "";
  // As long as the machine needs to start it; the suite's own limit ends a wait for what never comes.
  while (!until.test(seen)) {
    await pause(200);
    seen = tmux("capture-pane", "-p");
  }
  return seen;
}

(hasTmux ? describeWithEngine : describe.skip)("`pulumi up` in a terminal", () => {
  test.each([
    [120, /Rollout {2}support-agent {2}creating \(\d+s\)\.* +[A-Z_]+ \d+s; Ctrl-C ends the wait$/m],
    // The engine's own columns leave no more: type, name and status take 76 of 80.
    [80, /Rollout {2}support-agent {2}creating \(\d+s\)\.* +[A-Z]{3}$/m],
  ])("of %i columns, the row of a rollout begins with its status", async (columns, rollout) => {
    const [settings, key] = connectionTo(emulator);
    const stack = await stacks.makeWith(settings, key, program("1"), "native");
    const screen = await screenOf(stack, columns, rollout);
    expect(Math.max(...screen.split("\n").map((line) => line.length))).toBeLessThanOrEqual(columns);
    // Ctrl-C ends the wait, as the row says; the engine then ends by itself.
    tmux("send-keys", "C-c");
    while (!/^Duration: /m.test(tmux("capture-pane", "-p"))) await pause(200);
    ok(await stack.run(["stack"]));
  });

  test("the last frame says how long the rollout took, and no longer what went on", async () => {
    const quick = await startEmulator({ buildSeconds: 2 });
    try {
      const [settings, key] = connectionTo(quick);
      const stack = await stacks.makeWith(settings, key, program("1"), "native");
      const screen = await screenOf(stack, 80, /^Duration: /m);
      expect(screen).toMatch(/^ +DEPLOYED: support-agent in \d+s$/m);
      expect(screen).not.toMatch(/BUILDING|Ctrl-C/);
    } finally {
      await quick.close();
    }
  });
});
