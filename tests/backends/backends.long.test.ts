import { revisions, startEmulator, type Emulator } from "../../emulator";
import { connectionTo } from "../engine/on-emulator";
import { noPluginLeft, objects, PHASES, recover, whileHeld, type Phase } from "../engine/cut-off";
import { CliStack, notOk, ok } from "../support/cli-stack";
import { describeWithEngine } from "../support/with-engine";
import { serversHere, type OpenServer } from "./servers";

const CANARIES = { clientSecret: "client-canary", token: "token-canary" };
const PROGRAM = `
  const config = new pulumi.Config();
  new platform.SandboxTemplate("code", { image: "python:in-plain-text", resources: { cpu: "1" } });
  new platform.OAuthProvider("github", { providerId: "github", name: "GitHub", clientId: "c",
    clientSecret: config.requireSecret("clientSecret"), authUrl: "https://a.example", tokenUrl: "https://a.example" });
  new platform.Deployment("agent", { source: "external_docker", sourceRevisionConfig: { imageUri: "a:1" },
    secrets: { TOKEN: config.requireSecret("token") } });`;
const HOLD = {
  name: "the POST of a deployment",
  hold: { kind: "hold", method: "POST", path: "/v2/deployments" },
} as const;

function phaseNamed(name: string): Phase {
  const found = PHASES.find((phase) => phase.name === name);
  if (found === undefined) throw new Error(`there is no phase "${name}"`);
  return found;
}

/** What a test has to itself: the tests mostly wait, so they run at once. */
interface Place {
  readonly emulator: Emulator;
  readonly server: OpenServer;
  readonly stack: CliStack;
}

function onEachServer(promise: string, play: (on: Place) => Promise<void>): void {
  for (const { name, open } of serversHere()) {
    if (open === undefined) test.skip(`${name}: ${promise}`, () => undefined);
    else test.concurrent(`${name}: ${promise}`, () => onNew(open, play));
  }
}

async function onNew(open: () => Promise<OpenServer>, play: (on: Place) => Promise<void>): Promise<void> {
  const emulator = await startEmulator({ buildSeconds: 0.4 });
  const server = await open();
  const stack = await CliStack.make("", { backend: server.environment("room") });
  try {
    const [settings, key] = connectionTo(emulator);
    await stack.configure(settings, { ...key, ...CANARIES });
    await play({ emulator, server, stack });
  } finally {
    stack.remove();
    await server.remove();
    await emulator.close();
  }
}

/** What remains of a phase is exactly what its program declares. */
async function isWhole({ emulator, stack }: Place, phase: Phase): Promise<void> {
  expect(objects(emulator)).toEqual(phase.declared);
  if (phase.revisions !== undefined) expect(emulator.outOfBand(revisions).list()).toHaveLength(phase.revisions);
  ok(await stack.nothingToDo());
}

describeWithEngine("state on a server", () => {
  const posted = phaseNamed("between the POST of a deployment and its answer");

  // First, since the engine tries longest there.
  onEachServer("away from a POST to the end of `up`, and back: nothing is lost, nothing doubled", async (on) => {
    on.stack.write(posted.after);
    const code = await whileHeld(on.stack, on.emulator, posted, () => on.server.stop());
    expect(code).not.toBe(0);
    await on.server.start();
    // The lock could not be taken away.
    expect((await on.stack.up()).output).toContain("currently locked");
    await on.stack.succeed("cancel", "--yes");
    await recover(on.stack, posted);
    await isWhole(on, posted);
  });

  onEachServer("a second `up` names who holds the lock, and no secret is on the server", async (on) => {
    const { emulator, server, stack } = on;
    stack.write(PROGRAM);
    const first = await whileHeld(stack, emulator, HOLD, async ({ pid }) => {
      const second = notOk(await stack.up());
      expect(second).toMatch(/the stack is currently locked by 1 lock\(s\).*`pulumi cancel`/);
      expect(second).toMatch(new RegExp(`created by \\S+@\\S+ \\(pid ${pid}\\) at `));
      expect(second).not.toContain(server.environment("room")["PGPASSWORD"] ?? "no password");
    });
    expect(first).toBe(0);
    expect(objects(emulator).sort()).toEqual(["agent", "code", "github"]);
    ok(await stack.nothingToDo());

    const dump = await server.dump("room");
    expect(dump).toContain("python:in-plain-text");
    for (const secret of [...Object.values(CANARIES), emulator.apiKey]) expect(dump).not.toContain(secret);

    ok(await stack.destroy());
    expect(objects(emulator)).toEqual([]);
  });

  onEachServer("a CLI that is killed leaves its lock; after `pulumi cancel`, `up` goes on", async (on) => {
    const phase = phaseNamed("while waiting for a revision");
    on.stack.write(phase.after);
    let killed = 0;
    await whileHeld(on.stack, on.emulator, phase, (up) => {
      killed = up.pid ?? 0;
      process.kill(killed, "SIGKILL");
      return Promise.resolve();
    });
    await noPluginLeft(on.stack);
    expect(notOk(await on.stack.up())).toContain(`(pid ${killed})`);
    await on.stack.succeed("cancel", "--yes");
    expect(await recover(on.stack, phase)).toBe("by up");
    await isWhole(on, phase);
  });

  onEachServer("one that restarts while `up` waits for the platform: `up` goes on by itself", async (on) => {
    on.stack.write(posted.after);
    const code = await whileHeld(on.stack, on.emulator, posted, async () => {
      await on.server.stop();
      await on.server.start();
    });
    expect(code).toBe(0);
    await isWhole(on, posted);
  });
});
