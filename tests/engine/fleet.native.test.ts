import { startEmulator, type Emulator, type EmulatorOptions } from "../../emulator";
import { cliCommand } from "../support/cli-command";
import { ok, type CliStack } from "../support/cli-stack";
import type { Ended } from "../support/run-process";
import { describeWithEngine } from "../support/with-engine";
import { stacksOfTests } from "./on-emulator";

const stacks = stacksOfTests();
let us: Emulator;
let eu: Emulator;
const EMULATOR: EmulatorOptions = { buildSeconds: 0 };
beforeAll(async () => {
  [us, eu] = await Promise.all([startEmulator(EMULATOR), startEmulator(EMULATOR)]);
});
afterEach(() => [us, eu].forEach((emulator) => emulator.reset()));
afterAll(() => Promise.all([us.close(), eu.close()]));

/** 60 objects in two regions: in each 10 deployments with their rollouts, and 10 templates. */
const program = ({ image = "registry.example/agent:1" } = {}): string => `
  const platforms = {
    us: new platform.Platform("us", { baseUrl: "${us.url}", apiKey: pulumi.secret("${us.apiKey}") }),
    eu: new platform.Platform("eu", { baseUrl: "${eu.url}", apiKey: pulumi.secret("${eu.apiKey}") }),
  };
  for (const [region, provider] of Object.entries(platforms)) {
    for (let index = 0; index < 10; index += 1) {
      new platform.Deployment(region + "-agent-" + index, {
        name: "agent-" + index,
        source: "external_docker",
        sourceRevisionConfig: { imageUri: region + index === "us0" ? "${image}" : "registry.example/agent:1" },
      }, { provider });
      new platform.SandboxTemplate(region + "-code-" + index, { image: "python:3.12", resources: { cpu: "1" } }, { provider });
    }
  }
`;

/** A command in the project's folder, without one variable of ours. */
const inFolder = (stack: CliStack, ...args: string[]): Promise<Ended> => cliCommand(stack, ...args);

async function fleet(): Promise<CliStack> {
  const stack = await stacks.make(program());
  ok(await stack.up());
  expect(Object.keys(stack.environment).filter((name) => name.startsWith("AGENT_PLATFORM_"))).toEqual([]);
  return stack;
}

describeWithEngine("a fleet in two regions: the stack is the connection", () => {
  test("every command finds the platform of the agent that it names", async () => {
    const stack = await fleet();

    // Both regions have an agent-0: its name in the program says which, and its own key goes there.
    for (const [region, emulator] of [
      ["us", us],
      ["eu", eu],
    ] as const) {
      emulator.clearLog();
      const logs = await inFolder(stack, "logs", `${region}-agent-0`);
      expect([logs.code, logs.stderr]).toEqual([
        0,
        expect.stringMatching(/^deployment agent-0, revision \S+: DEPLOYED/),
      ]);
      expect(emulator.requests.map(({ status }) => status)).not.toContain(401);
      expect(emulator.requests.length).toBeGreaterThan(0);
    }
    expect(ok(await inFolder(stack, "revisions", "eu-agent-3"))).toMatch(
      /DEPLOYED +serves\n +\S+ +registry\.example\/agent:1/,
    );
    const ran = await inFolder(stack, "run", "eu-agent-1", "--assistant", "agent", "--input", "{}");
    expect([ran.code, ran.stderr]).toEqual([0, expect.stringMatching(/^run \S+, attempt 1$/m)]);

    const found = await inFolder(stack, "inventory");
    expect([found.code, found.stderr]).toEqual([0, ""]);
    expect(found.stdout).toMatch(/^1 stack with 20 sandbox templates, 20 deployments\.$/m);
    expect(found.stdout).not.toMatch(/another platform/);
    for (const { url } of [us, eu]) expect(found.stdout).toContain(`In no stack, at ${url}: nothing.`);

    const healthy = await inFolder(stack, "doctor");
    expect([healthy.code, healthy.stdout.match(/^FIX.*/gm)]).toEqual([0, null]);

    for (const output of [found, healthy, ran].map((ended) => ended.output)) {
      for (const { apiKey } of [us, eu]) expect(output).not.toContain(apiKey);
    }

    // One platform has to be meant.
    const generated = await inFolder(stack, "generate", "--out", "out");
    expect([generated.code, generated.stderr]).toEqual([
      2,
      expect.stringMatching(
        /^error: the selected stack has several connections: choose one with --platform \((us, eu|eu, us)\)\n$/,
      ),
    ]);
    ok(await inFolder(stack, "generate", "--out", "out", "--platform", "eu"));
    const mistyped = await inFolder(stack, "logs", "us-agnet-0");
    expect([mistyped.code, mistyped.stderr]).toEqual([1, expect.stringMatching(/: did you mean us-agent-\d\?$/m)]);

    // The command that a failed `up` recommends works as printed, and an earlier revision comes back.
    stack.write(program({ image: "registry.example/emulator-fail-build:2" }));
    const failed = await stack.up();
    expect(failed.code).not.toBe(0);
    const [, words = ""] = /run `npx pulumi-agent-platform (logs [^`]+)`/.exec(failed.output) ?? [];
    const recommended = await inFolder(stack, ...words.split(" "));
    expect(ok(recommended)).toMatch(/ERROR Build failed/);
    const listed = ok(await inFolder(stack, "revisions", "us-agent-0", "--status", "DEPLOYED", "--format", "json"));
    const [, earlier = ""] = /"revisions": \[\s*\{\s*"id": "([^"]+)"/.exec(listed) ?? [];
    const redeployed = await inFolder(stack, "redeploy", "us-agent-0", "--revision", earlier, "--yes");
    expect(ok(redeployed)).toMatch(/is DEPLOYED\.$/m);
    // The commands read, and changed only what they were asked to.
    const sent = eu.requests.filter(({ method, path }) => method !== "GET" && !path.endsWith("_logs"));
    expect(sent.map(({ path }) => path)).toEqual([expect.stringMatching(/^\/agents\/\S+\/runs\/stream$/)]);
  });

  test("a stack that cannot tell: one sentence, and what to do", async () => {
    const stack = await stacks.make("");
    const none = await inFolder(stack, "logs", "desk");
    expect([none.code, none.stderr]).toEqual([
      1,
      expect.stringMatching(/^error: No platform URL configured\. Set it with `pulumi config set/),
    ]);
    const unknown = await inFolder(stack, "logs", "desk", "--stack", "nowhere");
    expect([unknown.code, unknown.stderr]).toEqual([
      1,
      expect.stringMatching(
        /^error: cannot tell the platform: the configuration of stack "nowhere" cannot be read: no stack named 'nowhere' found. Fix that, or choose a stack with --stack/,
      ),
    ]);
    await stack.configure({ "agent-platform:baseUrl": us.url }, { "agent-platform:apiKey": us.apiKey });
    await stack.succeed("stack", "change-secrets-provider", "passphrase");
    const wrong = {
      ...stack.environment,
      PULUMI_CONFIG_PASSPHRASE: "wrong",
      AGENT_PLATFORM_BASE_URL: eu.url,
      AGENT_PLATFORM_API_KEY: "k",
    };
    const locked = await cliCommand({ folder: stack.folder, environment: wrong }, "inventory");
    // The environment names another platform, which nobody meant.
    expect([locked.code, locked.stderr]).toEqual([1, expect.stringMatching(/^error: .*incorrect passphrase/)]);
    expect(eu.requests).toEqual([]);
    const platform = await inFolder(stack, "inventory", "--platform", "eu");
    expect([platform.code, platform.stderr]).toEqual([
      1,
      'error: --platform: the state of the selected stack has no Platform "eu": it has none\n',
    ]);
    const both = await inFolder(stack, "logs", "--stack", "test", "--base-url", us.url);
    expect([both.code, both.stderr]).toEqual([
      2,
      "error: --stack: --base-url already says which platform is meant: leave one of the two out\n",
    ]);
  });

  test("where no stack is selected, the environment may name the platform", async () => {
    const stack = await stacks.make("");
    ok(await stack.run(["stack", "unselect"]));
    const unselected = await inFolder(stack, "logs");
    expect([unselected.code, unselected.stderr]).toEqual([1, expect.stringMatching(/^error: .*no stack selected/)]);
    const own = { AGENT_PLATFORM_BASE_URL: us.url, AGENT_PLATFORM_API_KEY: us.apiKey };
    const named = await cliCommand({ folder: stack.folder, environment: { ...stack.environment, ...own } }, "logs");
    expect([named.code, named.stderr]).toEqual([1, expect.stringMatching(/^error: there are no deployments at http/)]);
  });
});
