import { mkdirSync } from "node:fs";
import { join } from "node:path";
import { z } from "zod";
import { sandboxTemplates, startEmulator } from "../../emulator";
import { cliCommand } from "../support/cli-command";
import type { Result } from "../support/run-process";
import { ok } from "../support/cli-stack";
import { describeWithEngine } from "../support/with-engine";
import { connectionTo, emulatorsOfTests, onEmulator, stacksOfTests } from "./on-emulator";
import { newFolder } from "../support/new-folder";

const stacks = stacksOfTests();
const emulate = emulatorsOfTests();
const platform = onEmulator({ buildSeconds: 0.2 });
/** A folder without a project. */
let elsewhere: string;

beforeAll(() => {
  elsewhere = newFolder();
});

interface Where {
  readonly folder: string;
  readonly environment: NodeJS.ProcessEnv;
}

const drift = (where: Where, ...args: string[]): Promise<Result> => cliCommand(where, "drift", ...args);

const Report = z.object({
  stack: z.string(),
  clean: z.number(),
  unread: z.array(z.strictObject({ urn: z.string(), type: z.string(), name: z.string(), id: z.string() })),
  drifted: z.array(z.unknown()),
});

const program = `new platform.SandboxTemplate("code", { image: "python:3.12", resources: { cpu: "1" } });`;

describeWithEngine("pulumi-agent-platform drift, on the real engine", () => {
  test("no drift right after up: exit code 0, the state untouched, the platform only read", async () => {
    const stack = await platform.upOf(program);
    const state = stack.stateText();
    const texts = [];
    // As a job of CI may set them for its other commands: the engine refuses them here, or prints less.
    const environment = {
      ...stack.environment,
      PULUMI_SKIP_CONFIRMATIONS: "true",
      PULUMI_OPTION_YES: "true",
      PULUMI_OPTION_SKIP_PREVIEW: "true",
      PULUMI_OPTION_FILE: "nowhere",
      PULUMI_OPTION_TARGET: "nowhere",
    };
    // Markdown: cli/drift/formats.test.ts.
    for (const format of ["text", "json"]) {
      const { code, stdout, stderr } = await drift({ folder: stack.folder, environment }, "--format", format);
      expect([code, stderr]).toEqual([0, ""]);
      texts.push(stdout);
    }
    expect(texts[0]).toBe("No drift: the one object of stack test is as declared.\n");
    expect(JSON.parse(texts[1] ?? "")).toEqual({ stack: "test", drifted: [], unread: [], clean: 1, servers: [] });
    expect(stack.stateText()).toBe(state);
    expect(platform.writes()).toEqual([]);

    // Without --stack it is the selected one, with it that one; from another folder with --cwd.
    await stack.succeed("stack", "init", "other");
    expect((await drift(stack)).stdout).toBe("No drift: stack other has no objects.\n");
    const outside = { folder: elsewhere, environment: stack.environment };
    expect((await drift(outside, "--cwd", stack.folder, "--stack", "test")).stdout).toBe(texts[0]);
  });

  test("what the platform does not answer about is unread: exit code 1, in every format and for many stacks", async () => {
    const stack = await platform.upOf(`
      const gone = new platform.SandboxTemplate("gone", { image: "a", resources: { cpu: "1" } });
      platform.SandboxTemplate.get("got", gone.id);
    `);
    const [gone] = platform.kept(sandboxTemplates);
    platform.emulator.outOfBand(sandboxTemplates).remove(gone?.id ?? "");
    const answered = await drift(stack);
    expect(answered.stdout).toMatch(/^SandboxTemplate gone .*\n {2}gone: `pulumi up --refresh` creates it again$/m);
    expect(answered.stdout).toMatch(
      /^SandboxTemplate got .*\n {2}gone: the program only reads it, and `pulumi up` fails/m,
    );
    platform.emulator.faults.add({ kind: "status", status: 501, method: "GET", path: "/**" });
    const state = stack.stateText();
    const json = await drift(stack, "--format", "json");
    expect(json.code).toBe(1);
    const { unread, ...report } = Report.parse(JSON.parse(json.stdout));
    expect(report).toEqual({ stack: "test", clean: 0, drifted: [] });
    expect(unread.map(({ name }) => name)).toEqual(["gone", "got"]);
    expect(json.stderr).toMatch(/^error: some objects could not be read, .*; the report names them$/m);
    const many = await drift(stack, "--stacks", "*");
    expect(many.code).toBe(1);
    expect(many.stdout).toMatch(/^ {2}test +2 of 2 objects could not be read$/m);
    // For the engine itself nothing has changed.
    ok(await stack.drift());
    expect(stack.stateText()).toBe(state);
    platform.emulator.faults.clear();
  });

  test("where the comparison fails: exit code 1, no report, and the reason with what to do", async () => {
    const stack = await platform.upOf(program);
    await stack.succeed("stack", "change-secrets-provider", "passphrase");
    const json = ["--format", "json"];
    const { environment, folder } = stack;
    const withoutPulumi = { ...environment, PATH: dirWithoutPulumi() };
    const failures: [what: string, where: Where, args: string[], reason: RegExp][] = [
      [
        "no such stack",
        stack,
        [...json, "--stack", "nobody"],
        /stack "nobody" could not be .*no stack named 'nobody'/s,
      ],
      ["no stack at all", { folder: elsewhere, environment }, json, /which stack is selected\..*Pulumi\.yaml/s],
      ["no engine", { folder, environment: withoutPulumi }, json, /`pulumi` is not on PATH: install the Pulumi CLI/],
      [
        "another passphrase",
        { folder, environment: { ...environment, PULUMI_CONFIG_PASSPHRASE: "canary-passphrase" } },
        json,
        /incorrect passphrase/,
      ],
    ];
    for (const [what, where, args, reason] of failures) {
      const { code, stdout, stderr } = await drift(where, ...args);
      expect([what, code, stdout]).toEqual([what, 1, ""]);
      expect(stderr).toMatch(reason);
      expect(stderr).not.toMatch(/canary|\n {4}at /);
    }
  });

  test("where the platform is down: exit code 1, no report, and which objects could not be read", async () => {
    const mortal = await startEmulator();
    const stack = await stacks.make(`
      for (const name of ["code", "data"]) new platform.SandboxTemplate(name, { image: "a", resources: { cpu: "1" } });
    `);
    await stack.configure(...connectionTo(mortal));
    await stack.succeed("up", "--yes", "--skip-preview");
    await mortal.close();
    const { code, stdout, stderr } = await drift(stack, "--format", "json");
    expect([code, stdout]).toEqual([1, ""]);
    expect(stderr).toMatch(
      /^error: stack "test" could not be compared with the platform, so nothing is known about drift/,
    );
    expect(stderr).toMatch(/^ {2}SandboxTemplate (code|data): .*got no answer: connect ECONNREFUSED/m);
    expect(stderr).toMatch(/Fix that and run this command again/);
    expect(stderr).not.toContain(mortal.apiKey);
  });

  test("where one of two platforms refuses the key: what the other has is compared, and each cause is said once", async () => {
    const [us, eu] = [await emulate(), await emulate()];
    const stack = await stacks.make(`
      const config = new pulumi.Config();
      for (const region of ["us", "eu"]) {
        const provider = new platform.Platform(region, { region, apiKey: config.requireSecret(region) });
        for (const name of ["code", "data"])
          new platform.SandboxTemplate(region + "-" + name, { image: "a", resources: { cpu: "1" } }, { provider });
      }
    `);
    await stack.configure(
      { "agent-platform:baseUrlUs": us.url, "agent-platform:baseUrlEu": eu.url },
      { "test:us": us.apiKey, "test:eu": eu.apiKey },
    );
    ok(await stack.up());
    const [first] = us.outOfBand(sandboxTemplates).list();
    us.outOfBand(sandboxTemplates).remove(first?.id ?? "");
    eu.faults.add({ kind: "status", status: 401, method: "GET", path: "/**" });
    const { code, stdout, stderr } = await drift(stack, "--format", "json");
    expect(code).toBe(1);
    const { unread, drifted, clean } = Report.parse(JSON.parse(stdout));
    expect([drifted.length, clean, unread.map(({ name }) => name)]).toEqual([1, 1, ["eu-code", "eu-data"]]);
    expect(stderr).toMatch(/^error: some objects could not be read.*\n {2}SandboxTemplate eu-\w+: .*answered 401/);
    expect(stderr.match(/Correct the connection/g)).toHaveLength(1);
    const many = await drift(stack, "--stacks", "*");
    expect([many.code, many.stderr]).toEqual([
      1,
      expect.stringMatching(/^warning: test: SandboxTemplate eu-\w+: .*answered 401/m),
    ]);
    expect(many.stdout).toMatch(/^ {2}test +1 of 4 objects drifted, 2 could not be read$/m);
  });
});

function dirWithoutPulumi(): string {
  const folder = join(elsewhere, "empty");
  mkdirSync(folder, { recursive: true });
  return folder;
}
