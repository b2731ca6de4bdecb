import { mkdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { startEmulator } from "../../emulator";
import { version } from "../../provider/base/version";
import { cliCommand } from "../support/cli-command";
import { ok } from "../support/cli-stack";
import { ofTest } from "../support/of-suite";
import type { Result } from "../support/run-process";
import { describeWithEngine } from "../support/with-engine";
import { onEmulator, stacksOfTests } from "./on-emulator";

const platform = onEmulator();
const platforms = stacksOfTests();

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

  test("a stack that has explicit Platforms only: each is asked, and the configuration need name none", async () => {
    const other = ofTest(await startEmulator());
    const { url, apiKey } = other;
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
    await other.close();
    const broken = await doctor(stack.folder, stack.environment);
    expect(broken.code).toBe(1);
    expect(said(broken)).toMatch(/^FIX +address of eu +.*ECONNREFUSED.*Check baseUrl of Platform "eu"/m);
    expect(broken.stdout).toMatch(/^ok +key of us /m);
  });
});
