import { existsSync, mkdirSync, readFileSync, renameSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { z } from "zod";
import { sandboxTemplates } from "../../emulator";
import { STACK_KEYS, ok, type CliStack } from "../support/cli-stack";
import { cliCommand } from "../support/cli-command";
import type { Result } from "../support/run-process";
import { describeWithEngine } from "../support/with-engine";
import { onEmulator } from "./on-emulator";
import { ask } from "../support/ask";

const platform = onEmulator({ buildSeconds: 0 });

/** A stack for each environment, from one program: `prod-us` is not up yet, and `prod-ap` was cut off, and has a passphrase that is not known here. */
async function project(): Promise<CliStack> {
  const stack = await platform.stackOf(`
    new platform.SandboxTemplate("code", { image: "python:3.12", resources: { cpu: "1" } });
  `);
  const { url, apiKey } = platform.emulator;
  Object.assign(stack.environment, { AGENT_PLATFORM_BASE_URL: url, AGENT_PLATFORM_API_KEY: apiKey });
  await stack.succeed("stack", "init", "prod-us", ...STACK_KEYS);
  await stack.succeed("stack", "init", "prod-eu", ...STACK_KEYS);
  await stack.succeed("up", "--yes", "--skip-preview", "--stack", "prod-eu");
  const unknown = { PULUMI_CONFIG_PASSPHRASE: "canary-passphrase" };
  await stack.run(["stack", "init", "prod-ap"], { environment: unknown });
  const begun = { urn: "urn:pulumi:prod-ap::test::random:index:Id::id", type: "random:index:Id", custom: true };
  const latest = { manifest: {}, pending_operations: [{ type: "creating", resource: begun }] };
  writeFileSync(stateFile(stack, "prod-ap"), JSON.stringify({ version: 3, checkpoint: { latest } }));
  platform.emulator.clearLog();
  return stack;
}

const stateFile = ({ folder }: CliStack, name: string): string =>
  join(folder, "backend", ".pulumi", "stacks", "test", `${name}.json`);

const Rows = z.object({
  version: z.literal(1),
  stacks: z.array(
    z.looseObject({
      stack: z.string(),
      outcome: z.string(),
      clean: z.number().optional(),
      reason: z.string().optional(),
    }),
  ),
});
const outcomesOf = ({ stdout }: Result): Record<string, string> =>
  Object.fromEntries(Rows.parse(JSON.parse(stdout)).stacks.map(({ stack, outcome }) => [stack, outcome]));

const templates = () => platform.emulator.outOfBand(sandboxTemplates);
const idOf = (name: string): string =>
  templates()
    .list()
    .find((template) => template.name === name)?.id ?? "";

describeWithEngine("many stacks, on the real engine", () => {
  test("drift of all that match: a row each, the worst one's exit code, and one that fails stops no other", async () => {
    const stack = await project();
    const clean = await cliCommand(stack, "drift", "--stacks", "*-us");
    expect([clean.code, clean.stderr]).toEqual([0, ""]);
    expect(clean.stdout).toBe("1 stack: 1 without drift.\n\n  prod-us  no drift (0 objects)\n");

    templates().change(idOf("code"), { image: "python:3.13" });
    const drifted = await cliCommand(stack, "drift", "--stacks", "*-us", "--stacks", "*-eu");
    expect(drifted.code).toBe(7);
    expect(drifted.stdout).toMatch(
      /^2 stacks: 1 with drift, 1 without drift\.\n\n {2}prod-eu +1 of 1 object drifted$/m,
    );
    expect(drifted.stdout).toMatch(/^ {2}image +"python:3\.12" +-> "python:3\.13"$/m);

    const failed = await cliCommand(stack, "drift", "--stacks", "prod-*", "--parallel", "2", "--format", "json");
    expect(failed.code).toBe(1);
    expect(outcomesOf(failed)).toEqual({ "prod-ap": "failed", "prod-eu": "drift", "prod-us": "none" });
    expect(failed.stdout).toMatch(
      /"reason": "stack \\"organization\/test\/prod-ap\\" could not be compared .*incorrect passphrase/,
    );
    expect(failed.stdout).toContain('"engine": "a run was cut off while it created or imported something"');
    expect(failed.stderr).toBe("error: 1 of 3 stacks could not be compared; the report says why\n");
    expect(failed.output).not.toContain("canary");
    expect(platform.writes()).toEqual([]);
  });

  test("inventory: every object with its stack and id, and what no stack has, without a passphrase or a secret", async () => {
    const stack = await platform.upOf(`
      new platform.SandboxTemplate("code", { image: "python:3.12", resources: { cpu: "1" } });
      new platform.OAuthProvider("github", {
        providerId: "github", name: "GitHub", clientId: "c", clientSecret: "canary-client-secret",
        authUrl: "https://a.example/auth", tokenUrl: "https://a.example/token",
      });
    `);
    await stack.succeed("stack", "init", "empty");
    const { url, apiKey } = platform.emulator;
    const outside = {
      // No project is needed, and no passphrase.
      folder: tmpdir(),
      environment: {
        ...stack.environment,
        PULUMI_CONFIG_PASSPHRASE: undefined,
        AGENT_PLATFORM_BASE_URL: url,
        AGENT_PLATFORM_API_KEY: apiKey,
      },
    };
    const ours = `  SandboxTemplate  code    code      ${idOf("code")}`;
    const clean = await cliCommand(outside, "inventory");
    expect([clean.code, clean.stderr]).toEqual([0, ""]);
    expect(clean.stdout).toMatch(/^2 stacks with 1 sandbox template, 1 OAuth provider\.$/m);
    expect(clean.stdout).toContain(`Stack organization/test/test at ${url}:\n`);
    expect(clean.stdout).toContain(ours);
    expect(clean.stdout).toContain(`In no stack, at ${url}: nothing.`);

    await makeTemplate("forgotten");
    const json = await cliCommand(outside, "inventory", "--stacks", "test/empty", "--format", "json");
    expect([json.code, json.stderr]).toEqual([7, ""]);
    expect(JSON.parse(json.stdout)).toMatchObject({
      version: 2,
      stacks: 1,
      objects: [],
      orphans: [{ kind: "SandboxTemplate", name: "forgotten", id: idOf("forgotten"), readBy: [] }],
      failed: [],
    });

    // A state that cannot be read may hold it.
    const path = withoutStateOfEmpty(stack);
    const failed = await cliCommand({ ...outside, environment: { ...outside.environment, PATH: path } }, "inventory");
    expect(failed.code).toBe(1);
    expect(failed.stdout).toContain(ours);
    expect(failed.stdout).toMatch(/^Stack organization\/test\/empty could not be read: it is gone$/m);
    expect(failed.stderr).toMatch(
      /^error: the state of 1 stack could not be read, so objects listed as in no stack may be in one of them\n$/,
    );
    for (const { output } of [clean, json, failed]) expect(output).not.toMatch(/canary|ciphertext/);
    expect(platform.writes()).toHaveLength(1);
  });

  test("generate --orphans: a program of what no stack has, and a word for the rest; none where a state cannot be read", async () => {
    const stack = await platform.upOf(`
      new platform.SandboxTemplate("code", { image: "python:3.12", resources: { cpu: "1" } });
    `);
    await stack.succeed("stack", "init", "empty");
    await makeTemplate("forgotten");
    const generate = (name: string, ...args: string[]): Promise<Result> =>
      cliCommand(
        stack,
        "generate",
        "--stack",
        "test",
        "--cwd",
        stack.folder,
        "--out",
        join(stack.folder, name),
        ...args,
      );
    const read = (...path: string[]): string => readFileSync(join(stack.folder, ...path), "utf8");

    const unfolded = (result: Result): string => ok(result).replace(/\s+/g, " ");
    expect(unfolded(await generate("every"))).toMatch(/: 2 sandbox templates\. Continue/);

    expect(unfolded(await generate("rest", "--orphans"))).toMatch(
      /: 1 sandbox template\. 1 left out, because a stack has it: organization\/test\/test Continue/,
    );
    expect(read("rest", "index.ts").match(/new SandboxTemplate\(".*?"/g)).toEqual(['new SandboxTemplate("forgotten"']);
    expect(read("rest", "README.md")).toContain(
      `- The sandbox template \`"code"\` (\`"${idOf("code")}"\`): it is in the state of \`"organization/test/test"\`.`,
    );

    // A state that cannot be read may hold it.
    const path = withoutStateOfEmpty(stack);
    Object.assign(stack.environment, { PATH: path });
    const failed = await generate("none", "--orphans");
    expect([failed.code, failed.stdout]).toEqual([1, ""]);
    expect(failed.stderr).toMatch(
      /^error: nothing was written, because .*\n.*organization\/test\/empty: it is gone\n$/,
    );
    expect(existsSync(join(stack.folder, "none"))).toBe(false);
    expect(platform.writes()).toHaveLength(1);
  });
});

/** The PATH with a `pulumi` that cannot read the state of the stack "empty". */
function withoutStateOfEmpty(stack: CliStack): string {
  const bin = join(stack.folder, "bin");
  mkdirSync(bin);
  // Not as the command reads it by itself.
  const file = stateFile(stack, "empty");
  renameSync(file, `${file}.zst`);
  const unlessEmpty = `case "$*" in *export*test/empty*) echo "error: it is gone" >&2; exit 255;; esac`;
  writeFileSync(join(bin, "pulumi"), `#!/bin/sh\n${unlessEmpty}\nexec "${stack.pulumi}" "$@"\n`, { mode: 0o755 });
  return `${bin}:${stack.environment["PATH"] ?? ""}`;
}

/** As another user with a key of the platform would do it. */
const makeTemplate = (name: string): Promise<unknown> =>
  ask(platform.emulator, "POST", "/v2/sandboxes/templates", { name, image: "python:3.12", resources: { cpu: "1" } });
