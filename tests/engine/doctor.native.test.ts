import { mkdirSync, rmSync, writeFileSync } from "node:fs";
import { delimiter, join } from "node:path";
import { startEmulator, type Emulator, type EmulatorOptions } from "../../emulator";
import { version } from "../../provider/base/version";
import { cliCommand } from "../support/cli-command";
import { ok } from "../support/cli-stack";
import { newFolder } from "../support/new-folder";
import type { Result } from "../support/run-process";
import { describeWithEngine } from "../support/with-engine";
import { onEmulator, stacksOfTests } from "./on-emulator";

const platform = onEmulator();
const platforms = stacksOfTests();
/** A folder without a project. */
let elsewhere: string;
let others: Emulator[] = [];
beforeAll(() => void (elsewhere = newFolder()));
afterEach(async () => {
  await Promise.all(others.map((emulator) => emulator.close()));
  others = [];
});

const other = async (options: EmulatorOptions): Promise<Emulator> => {
  const emulator = await startEmulator(options);
  others.push(emulator);
  return emulator;
};

const doctor = (folder: string, environment: NodeJS.ProcessEnv): Promise<Result> =>
  cliCommand({ folder, environment }, "doctor");

/** What it prints, each finding on one line. */
const said = ({ stdout }: Result): string => stdout.replace(/\n {2,}/g, " ");

/** The state of each check. */
const states = ({ stdout }: Result): Record<string, string> =>
  Object.fromEntries([...stdout.matchAll(/^(\S+) +(\S+)/gm)].map(([, state = "", what = ""]) => [what, state]));

const WELL = { package: "ok", engine: "ok", SDK: "ok", plugin: "ok" };
const ANSWERED = { address: "ok", key: "ok", tenant: "ok", contract: "ok", clock: "ok" };

describeWithEngine("pulumi-agent-platform doctor", () => {
  test("of a stack that has all it needs every line is ok, by its own configuration, on either plugin", async () => {
    const stack = await platform.stackOf("", {}, "dynamic");
    for (const front of ["dynamic", "native"] as const) {
      stack.choose(front);
      const result = await doctor(stack.folder, stack.environment);
      expect([result.code, states(result)]).toEqual([0, { ...WELL, ...ANSWERED }]);
      expect(result.stdout).toMatch(new RegExp(`^ok +plugin +${front}`, "m"));
      expect(result.output).not.toContain(platform.emulator.apiKey);
    }
    const methods = platform.emulator.requests.map(({ method }) => method);
    expect(new Set(methods)).toEqual(new Set(["GET"]));
  });

  test("a native plugin may also be the engine's own: its bundle, installed; with neither, the line says what to do", async () => {
    const stack = await platform.stackOf("", {}, "dynamic");
    await stack.configure({ "agent-platform:plugin": "native" });
    const without = await doctor(stack.folder, stack.environment);
    expect([without.code, states(without)]).toEqual([1, { ...WELL, plugin: "FIX", ...ANSWERED }]);
    expect(said(without)).toMatch(/none is installed.*`pulumi plugin install`/);
    const plugins = join(stack.folder, "home", "plugins", `resource-agent-platform-v${version()}`);
    mkdirSync(plugins, { recursive: true });
    writeFileSync(join(plugins, "pulumi-resource-agent-platform"), "", { mode: 0o755 });
    const result = await doctor(stack.folder, stack.environment);
    expect([result.code, states(result)]).toEqual([0, { ...WELL, ...ANSWERED }]);
    expect(/^ok +plugin +native, installed: (.*)$/m.exec(result.stdout)?.[1]).toBe(version());
  });

  test("a stack whose configuration cannot be read says so, and the plugin is looked at all the same", async () => {
    const stack = await platform.stackOf("", {}, "dynamic");
    const { url, apiKey } = platform.emulator;
    await stack.succeed("stack", "change-secrets-provider", "passphrase");
    const own = { AGENT_PLATFORM_BASE_URL: url, AGENT_PLATFORM_API_KEY: apiKey, PULUMI_CONFIG_PASSPHRASE: "wrong" };
    const result = await doctor(stack.folder, { ...stack.environment, ...own });
    expect([result.code, states(result)]).toEqual([1, { ...WELL, stack: "FIX", ...ANSWERED }]);
    expect(said(result)).toMatch(/incorrect passphrase/);
  });

  test("a stack that has explicit Platforms only: each is asked, and the configuration need name none", async () => {
    const { url, apiKey } = await other({});
    const here = `baseUrl: "${platform.emulator.url}", apiKey: pulumi.secret("${platform.emulator.apiKey}")`;
    const stack = await platforms.make(`
        const us = new platform.Platform("us", { ${here} });
        const eu = new platform.Platform("eu", { baseUrl: "${url}", apiKey: pulumi.secret("${apiKey}") });
        for (const [name, provider] of Object.entries({ us, eu }))
          new platform.SandboxTemplate(name, { image: "a", resources: { cpu: "1" } }, { provider });
        `);
    ok(await stack.up());
    const result = await doctor(stack.folder, stack.environment);
    expect(result.stdout).not.toMatch(/^FIX/m);
    expect([result.code, result.stderr]).toEqual([0, ""]);
    expect(result.stdout).toMatch(/^- +connection +the stack's configuration names none/m);
    for (const [name, at] of Object.entries({ us: platform.emulator.url, eu: url }))
      expect(result.stdout).toMatch(new RegExp(`^ok +address of ${name} +${at}$`, "m"));
    expect(result.output).not.toContain(apiKey);
    const [gone] = others.splice(0);
    await gone?.close();
    const broken = await doctor(stack.folder, stack.environment);
    expect(broken.code).toBe(1);
    expect(said(broken)).toMatch(/^FIX +address of eu +.*ECONNREFUSED.*Check baseUrl of Platform "eu"/m);
    expect(broken.stdout).toMatch(/^ok +key of us /m);
  });

  describe("outside of a project, by the environment", () => {
    const environmentOf = async (own: NodeJS.ProcessEnv): Promise<NodeJS.ProcessEnv> => ({
      ...(await platform.stackOf("", {}, "dynamic")).environment,
      AGENT_PLATFORM_BASE_URL: platform.emulator.url,
      AGENT_PLATFORM_API_KEY: platform.emulator.apiKey,
      ...own,
    });
    const base = { package: "ok", engine: "ok", project: "-" };
    const unasked = { tenant: "-", contract: "-", clock: "-" };

    test.each<[reason: string, own: NodeJS.ProcessEnv, found: Record<string, string>, text: RegExp]>([
      ["all is well", {}, { ...base, ...ANSWERED }, /no Pulumi\.yaml in/],
      [
        "a key that is refused",
        { AGENT_PLATFORM_API_KEY: "old-key" },
        { ...base, address: "ok", key: "FIX", ...unasked },
        /401.*Set the right key: the environment variable AGENT_PLATFORM_API_KEY$/m,
      ],
      [
        "an address at which nobody listens",
        { AGENT_PLATFORM_BASE_URL: "http://127.0.0.1:9" },
        { ...base, address: "FIX", key: "-", ...unasked },
        /ECONNREFUSED.*Check AGENT_PLATFORM_BASE_URL/,
      ],
      ["no key at all", { AGENT_PLATFORM_API_KEY: "" }, { ...base, connection: "FIX" }, /No platform key configured/],
    ])("%s", async (_reason, own, found, text) => {
      const result = await doctor(elsewhere, await environmentOf(own));
      expect([states(result), result.code]).toEqual([found, Object.values(found).includes("FIX") ? 1 : 0]);
      expect(said(result)).toMatch(text);
    });

    test("a platform that serves less than the contract asks for is found out, and with that contract all is well", async () => {
      const { url, apiKey } = await other({ contract: "documented" });
      const own = await environmentOf({ AGENT_PLATFORM_BASE_URL: url, AGENT_PLATFORM_API_KEY: apiKey });
      const extended = await doctor(elsewhere, own);
      expect([extended.code, states(extended)]).toEqual([1, { ...base, ...ANSWERED, contract: "FIX" }]);
      expect(said(extended)).toMatch(/does not offer \/v2\/deployments.*: set AGENT_PLATFORM_CONTRACT to documented$/m);
      const documented = await doctor(elsewhere, { ...own, AGENT_PLATFORM_CONTRACT: "documented" });
      expect([documented.code, states(documented)]).toEqual([0, { ...base, ...ANSWERED }]);
    });

    test("an engine that is too old is named with the version to install", async () => {
      const old = join(elsewhere, "pulumi");
      writeFileSync(old, "#!/bin/sh\necho v3.100.0\n", { mode: 0o755 });
      const { PATH = "", ...own } = await environmentOf({});
      const result = await doctor(elsewhere, { ...own, PATH: [elsewhere, PATH].join(delimiter) });
      rmSync(old);
      expect([result.code, states(result)["engine"]]).toEqual([1, "FIX"]);
      expect(said(result)).toMatch(/pulumi 3\.100\.0 is too old: install 3\.216\.0 or newer/);
    });
  });
});
