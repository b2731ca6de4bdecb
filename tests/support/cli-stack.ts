import { createHash } from "node:crypto";
import { cpSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { basename, dirname, join } from "node:path";
import { z } from "zod";
import { packageFile } from "../../provider/base/version";
import { dynamicToken, nativeToken, type ResourceType } from "../../provider/resources/resource-types";
import { ensureEngine } from "../../tools/engine";
import type { ProgramHost } from "./kept-host";
import { runProcess, type Ended, type Result, type RunOptions } from "./run-process";

/** The exit code of a command whose `--expect-no-changes` does not hold. */
export const CHANGES = 7;
const CHECKOUT = join(__dirname, "..", "..");
const PROJECT = "test";
const STACK = "test";

/** The folder of the native plugin, as `packages` in a Pulumi.yaml names it. */
export const PLUGIN = join(dirname(packageFile()), "plugin");

/** Through which plugin a stack's resources reach the platform. */
export type Front = "dynamic" | "native";
/** The front of the stacks whose test names none. */
export const FRONT: Front = process.env["FRONT"] === "native" ? "native" : "dynamic";

/** The type of a kind in a stack whose test names no front. */
export const typeInState = (kind: ResourceType): string =>
  FRONT === "native" ? nativeToken(kind) : dynamicToken(kind);

/** The output of a command; throws with the output where the command fails. */
export function ok({ code, output }: Result): string {
  if (code !== 0) throw new Error(`exit code ${code}:\n${output}`);
  return output;
}

/** The output of a command that has to fail; throws with the output where it does not. */
export function notOk({ code, output }: Result): string {
  if (code === 0) throw new Error(`did not fail:\n${output}`);
  return output;
}

const Fields = z.record(z.string(), z.unknown());
const Resource = z.looseObject({
  urn: z.string(),
  type: z.string(),
  id: z.string().optional(),
  provider: z.string().default(""),
  dependencies: z.array(z.string()).default([]),
  inputs: Fields.default({}),
  outputs: Fields.default({}),
  delete: z.boolean().default(false),
  pendingReplacement: z.boolean().default(false),
  protect: z.boolean().default(false),
  retainOnDelete: z.boolean().default(false),
});
const StateFile = z.object({
  checkpoint: z.object({ latest: z.object({ resources: z.array(Resource).default([]) }).default({ resources: [] }) }),
});
/** A resource as state has it. */
export type StateResource = z.output<typeof Resource>;

/** A project's folder, and what its commands run with. */
export interface Workplace {
  readonly folder: string;
  readonly environment: NodeJS.ProcessEnv;
  /** The CLI of the pinned engine. */
  readonly pulumi: string;
}

/**
 * Where the folders of tests lie: below the checkout, since program and plugin resolve this package from there upwards. In a run of jest,
 * one of its own, which has to be empty when the run ends (tests/jest/run.js).
 */
export const WORKPLACES = join(CHECKOUT, ".state", "tests", process.env["TEST_RUN"] ?? "");

/** Where the secrets of a test's stack have their key: in a run of jest not in a passphrase, which takes half of a short command's time. For `stack init`. */
export const STACK_KEYS =
  process.env["VAULT_SERVER_URL"] === undefined ? [] : ["--secrets-provider=hashivault://tests"];

/** For programs and dynamic resources of tests, but not where a folder stands for a user's, nor in a benchmark. */
const STARTS_SOON = `--require=${join(dirname(PLUGIN), "dist", "sdk", "load-later.js")}`;

/** A new folder with a local backend, a login and a random passphrase of its own. */
export async function makeWorkplace(name: string, parent = WORKPLACES): Promise<Workplace> {
  const engine = await ensureEngine();
  mkdirSync(parent, { recursive: true });
  const folder = mkdtempSync(join(parent, `${name}-`));
  mkdirSync(join(folder, "backend"));
  const environment: NodeJS.ProcessEnv = {
    ...withoutOurSettings(process.env),
    PATH: [engine.bin, process.env["YAML_HOST_BIN"] ?? engine.bin, process.env["PATH"] ?? ""].join(":"),
    PULUMI_BACKEND_URL: `file://${join(folder, "backend")}`,
    PULUMI_HOME: join(folder, "home"),
    PULUMI_CONFIG_PASSPHRASE: `passphrase-${Math.random()}`,
    PULUMI_SKIP_UPDATE_CHECK: "true",
    // A command is short: a tenth of its processor time would go to collecting garbage.
    GOGC: "400",
    // Its output is a log, whether or not the tests run in a terminal.
    CI: "true",
    ...(parent === WORKPLACES && process.env["TEST_RUN"] !== undefined ? { NODE_OPTIONS: STARTS_SOON } : {}),
  };
  return { folder, environment, pulumi: join(engine.bin, "pulumi") };
}

/** A stack on the real engine, by its plain CLI. */
export class CliStack implements Workplace {
  readonly folder: string;
  readonly environment: NodeJS.ProcessEnv;
  readonly pulumi: string;
  /** The process of the programs, if it is kept between commands. If not, each command starts one, as users' do. */
  host: ProgramHost | undefined;

  constructor({ folder, environment, pulumi }: Workplace) {
    this.folder = folder;
    this.environment = environment;
    this.pulumi = pulumi;
  }

  /** A project of its own, and its stack. `program` is as {@link write} takes it; `backend` the settings of one that is no file. */
  static async make(
    program: string,
    { parent, front = FRONT, backend }: { parent?: string; front?: Front; backend?: NodeJS.ProcessEnv } = {},
  ): Promise<CliStack> {
    const stack = new CliStack(await makeWorkplace("stack", parent));
    Object.assign(stack.environment, backend);
    stack.choose(front);
    writeFileSync(join(stack.folder, "package.json"), JSON.stringify({ name: "test", main: "index.js" }));
    stack.write(program);
    await stack.succeed("stack", "init", STACK, ...STACK_KEYS);
    return stack;
  }

  /** A stack like this one, with its configuration, in a folder of its own. It takes no command; this one has no resources yet. */
  twin(): Workplace {
    const folder = mkdtempSync(join(WORKPLACES, "stack-"));
    cpSync(this.folder, folder, { recursive: true, filter: (path) => basename(path) !== "home" });
    // What `pulumi stack select` would write.
    const project = createHash("sha1").update(join(folder, "Pulumi.yaml")).digest("hex");
    const workspaces = join(folder, "home", "workspaces");
    mkdirSync(workspaces, { recursive: true });
    const selected = JSON.stringify({ stack: `organization/${PROJECT}/${STACK}` });
    writeFileSync(join(workspaces, `${PROJECT}-${project}-workspace.json`), selected);
    const own = { PULUMI_BACKEND_URL: `file://${join(folder, "backend")}`, PULUMI_HOME: join(folder, "home") };
    return { folder, environment: { ...this.environment, ...own }, pulumi: this.pulumi };
  }

  /** The plugin that the stack's resources use from now on; the native one is in this folder. */
  choose(front: Front, plugin = PLUGIN): void {
    const native = `packages:\n  agent-platform: ${plugin}\nconfig:\n  agent-platform:plugin:\n    value: native\n`;
    writeFileSync(
      join(this.folder, "Pulumi.yaml"),
      `name: ${PROJECT}\nruntime: nodejs\n${front === "native" ? native : ""}`,
    );
  }

  /** Replaces the program: the body of a CommonJS module, in which `pulumi` and `platform` (this package) are there. */
  write(program: string): void {
    const head = 'const pulumi = require("@pulumi/pulumi");\nconst platform = require("pulumi-agent-platform");\n';
    writeFileSync(join(this.folder, "index.js"), head + program);
  }

  /** Sets configuration; the values of `secrets` go through standard input, as the README has it. */
  async configure(settings: Record<string, string>, secrets: Record<string, string> = {}): Promise<void> {
    const plain = Object.entries(settings).flatMap(([key, value]) => ["--plaintext", `${key}=${value}`]);
    if (plain.length > 0) await this.succeed("config", "set-all", ...plain);
    for (const [key, value] of Object.entries(secrets)) {
      ok(await this.run(["config", "set", "--secret", key], { input: value }));
    }
  }

  up(...args: string[]): Promise<Ended> {
    return this.run(["up", "--yes", "--skip-preview", "--parallel", "64", ...args]);
  }

  preview(...args: string[]): Promise<Ended> {
    return this.run(["preview", "--diff", ...args]);
  }

  refresh(...args: string[]): Promise<Ended> {
    return this.run(["refresh", "--yes", "--skip-preview", ...args]);
  }

  /** Neither the program nor the platform differs from the state: one command says both. */
  nothingToDo(): Promise<Ended> {
    return this.preview("--refresh", "--expect-no-changes");
  }

  /** Refresh without recording: 7 where something drifted. */
  drift(): Promise<Ended> {
    return this.run(["refresh", "--preview-only", "--diff", "--expect-no-changes"]);
  }

  destroy(...args: string[]): Promise<Ended> {
    return this.run(["destroy", "--yes", "--skip-preview", "--parallel", "64", ...args]);
  }

  /** Runs a command and fails the test with its output where it fails. */
  async succeed(...args: string[]): Promise<Ended> {
    const result = await this.run(args);
    if (result.code !== 0) throw new Error(`pulumi ${args.join(" ")} ended with ${result.code}:\n${result.output}`);
    return result;
  }

  async run(args: readonly string[], options: RunOptions = {}): Promise<Ended> {
    const environment = { ...this.environment, ...options.environment };
    const client = await this.clientOf(args, environment);
    const all = ["--non-interactive", ...args, ...(client === undefined ? [] : [client])];
    return runProcess(this.pulumi, all, this.folder, { ...options, environment });
  }

  private clientOf(args: readonly string[], environment: NodeJS.ProcessEnv): Promise<string> | undefined {
    if (runsProgram(args)) return this.host?.client(environment);
    return ["refresh", "destroy"].includes(args[0] ?? "") ? this.host?.clientNow : undefined;
  }

  /** The state file's text, as it is on disk. */
  stateText(): string {
    return readFileSync(this.stateFile, "utf8");
  }

  /** Puts another text in its place, and forgets what the backend remembers of the old one. */
  putState(text: string): void {
    writeFileSync(this.stateFile, text);
    for (const name of [`${STACK}.json.attrs`, `${STACK}.json.bak`, `${STACK}.json.bak.attrs`]) {
      rmSync(join(dirname(this.stateFile), name), { force: true });
    }
  }

  private get stateFile(): string {
    return join(this.folder, "backend", ".pulumi", "stacks", "test", `${STACK}.json`);
  }

  /** The resources in state, without the stack itself and the providers. */
  resources(): StateResource[] {
    const { checkpoint } = StateFile.parse(JSON.parse(this.stateText()));
    return checkpoint.latest.resources.filter(
      ({ type }) => type.includes("agent-platform") && !type.startsWith("pulumi:providers:"),
    );
  }

  async outputs(): Promise<Record<string, unknown>> {
    return z
      .record(z.string(), z.unknown())
      .parse(JSON.parse((await this.succeed("stack", "output", "--json")).stdout));
  }

  remove(): void {
    rmSync(this.folder, { recursive: true, force: true });
  }
}

const runsProgram = ([command = "", ...args]: readonly string[]): boolean =>
  ["up", "preview"].includes(command) || args.includes("--run-program");

/** A developer's own connection must not leak into a test. */
export function withoutOurSettings(environment: NodeJS.ProcessEnv): NodeJS.ProcessEnv {
  return Object.fromEntries(Object.entries(environment).filter(([name]) => !/^(AGENT_PLATFORM|PULUMI)_/.test(name)));
}
