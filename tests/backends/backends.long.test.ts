import { revisions, startEmulator, type Emulator } from "../../emulator";
import { connectionTo } from "../engine/on-emulator";
import { noPluginLeft, objects, PHASES, recover, whileHeld, type Phase } from "../engine/cut-off";
import { CliStack, notOk, ok } from "../support/cli-stack";
import { describeWithEngine } from "../support/with-engine";
import { findS3Server, s3In, type S3Server } from "../../tools/backends/s3";
import { newFolder } from "../support/new-folder";

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

let emulator: Emulator;
beforeAll(async () => {
  emulator = await startEmulator({ buildSeconds: 0.4 });
});
afterEach(() => {
  emulator.reset();
  emulator.clearLog();
});
afterAll(() => emulator.close());

const program = findS3Server();

describeWithEngine("state in S3", () => {
  // Where there is none, setup.js has said so.
  (program === undefined ? describe.skip : describe)("that is", () => {
    let server: S3Server;
    let stack: CliStack;
    let rooms = 0;
    beforeAll(async () => {
      server = await s3In(newFolder(), program ?? "");
      await server.start();
    });
    afterEach(() => stack.remove());
    afterAll(() => server.stop());

    async function stackOf(text: string): Promise<CliStack> {
      rooms += 1;
      stack = await CliStack.make(text, { backend: server.environment(`room_${rooms}`) });
      const [settings, key] = connectionTo(emulator);
      await stack.configure(settings, { ...key, ...CANARIES });
      return stack;
    }

    test("up, no-op, refresh, destroy; a second `up` names who holds the lock; no secret is on the server", async () => {
      await stackOf(PROGRAM);
      const first = await whileHeld(stack, emulator, HOLD, async ({ pid }) => {
        const second = notOk(await stack.up());
        expect(second).toMatch(/the stack is currently locked by 1 lock\(s\).*`pulumi cancel`/);
        expect(second).toMatch(new RegExp(`created by \\S+@\\S+ \\(pid ${pid}\\) at `));
        expect(second).not.toContain(server.environment("room_1")["AWS_SECRET_ACCESS_KEY"]);
      });
      expect(first).toBe(0);
      expect(objects(emulator).sort()).toEqual(["agent", "code", "github"]);
      ok(await stack.preview("--expect-no-changes"));
      ok(await stack.refresh("--expect-no-changes"));

      const dump = server.dump("room_1");
      expect(dump).toContain("python:in-plain-text");
      for (const secret of [...Object.values(CANARIES), emulator.apiKey]) expect(dump).not.toContain(secret);

      ok(await stack.destroy());
      expect(objects(emulator)).toEqual([]);
    });

    /** What remains of a phase is exactly what its program declares. */
    async function isWhole(phase: Phase): Promise<void> {
      expect(objects(emulator)).toEqual(phase.declared);
      if (phase.revisions !== undefined) expect(emulator.outOfBand(revisions).list()).toHaveLength(phase.revisions);
      ok(await stack.preview("--expect-no-changes"));
      ok(await stack.drift());
    }

    test("a CLI that is killed leaves its lock; after `pulumi cancel`, `up` goes on", async () => {
      const phase = phaseNamed("while waiting for a revision");
      await stackOf(phase.after);
      let killed = 0;
      await whileHeld(stack, emulator, phase, (up) => {
        killed = up.pid ?? 0;
        process.kill(killed, "SIGKILL");
        return Promise.resolve();
      });
      await noPluginLeft(stack);
      expect(notOk(await stack.up())).toContain(`(pid ${killed})`);
      await stack.succeed("cancel", "--yes");
      expect(await recover(stack, phase)).toBe("by up");
      await isWhole(phase);
    });

    test.each(["between the POST of a deployment and its answer", "between the PATCH of a deployment and its answer"])(
      "a server that is away from %s to the end of `up`, and back: nothing is lost, nothing doubled",
      async (at) => {
        const phase = phaseNamed(at);
        await stackOf(phase.before ?? phase.after);
        if (phase.before !== undefined) ok(await stack.up());
        stack.write(phase.after);
        const code = await whileHeld(stack, emulator, phase, () => server.stop());
        expect(code).not.toBe(0);
        await server.start();
        // The lock could not be taken away.
        expect((await stack.up()).output).toContain("currently locked");
        await stack.succeed("cancel", "--yes");
        await recover(stack, phase);
        await isWhole(phase);
      },
    );

    test("a server that restarts while `up` waits for the platform: `up` goes on by itself", async () => {
      const phase = phaseNamed("between the POST of a deployment and its answer");
      await stackOf(phase.after);
      const code = await whileHeld(stack, emulator, phase, async () => {
        await server.stop();
        await server.start();
      });
      expect(code).toBe(0);
      await isWhole(phase);
    });
  });
});
