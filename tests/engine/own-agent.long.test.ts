import { cpSync } from "node:fs";
import { join } from "node:path";
import { startEmulator, type Emulator } from "../../emulator";
import { cliCommand } from "../support/cli-command";
import { notOk, ok } from "../support/cli-stack";
import { newFolder } from "../support/new-folder";
import { officialAgent } from "../support/official-agent";
import { describeWithPython } from "../support/with-python";
import { connectionTo, stacksOfTests } from "./on-emulator";

const CHECKOUT = join(__dirname, "..", "..");
const stacks = stacksOfTests();

describeWithPython("the agent server for Python behind the emulator, on the real engine", () => {
  let folder: string;
  let emulator: Emulator;
  beforeAll(async () => {
    folder = newFolder();
    cpSync(join(CHECKOUT, "tests", "official", "own_agent"), folder, { recursive: true });
    const own = (await officialAgent())(folder);
    emulator = await startEmulator({ agents: { "support-agent": own }, deleteSeconds: 0 });
  });
  afterAll(() => emulator.close());

  test("`up` waits until it answers, a RunCheck asks it, and `run` streams it", async () => {
    const program = (answer: string): string => `
      const agent = new platform.Deployment("support-agent", {
        source: "external_docker",
        sourceRevisionConfig: { imageUri: "registry.example/support-agent:1" },
        secrets: { GREETING: "Hello" },
      });
      new platform.RunCheck("answers", {
        deployment: agent,
        assistantId: "agent",
        input: { topic: "opening hours" },
        expect: { values: [{ mode: "updates", matches: "${answer}" }] },
      });
      new platform.Assistant("casual", { deployment: agent, graphId: "agent" });
      exports.url = agent.url;
    `;
    const [settings, key] = connectionTo(emulator);
    const stack = await stacks.makeWith(settings, key, program("Hello opening hours"));
    ok(await stack.up());
    expect((await stack.outputs())["url"]).toMatch(/^http:\/\/127\.0\.0\.1:\d+\/agents\//);
    ok(await stack.preview("--expect-no-changes"));

    for (const assistant of ["agent", "casual"]) {
      const asked = ["--assistant", assistant, "--input", '{"topic":"cats"}', "--mode", "updates"];
      const ran = await cliCommand(stack, "run", "support-agent", ...asked);
      expect([assistant, ran.code, ran.stdout]).toEqual([assistant, 0, expect.stringContaining("Hello cats")]);
    }
    expect(ok(await cliCommand(stack, "logs", "support-agent", "--deploy"))).toMatch(/INFO \$ .*langgraph/);

    // The graph is asked, not the emulator: what it does not say fails `up`.
    stack.write(program("Bye"));
    expect(notOk(await stack.up())).toMatch(/did not pass/);
    ok(await stack.destroy());
  });
});
