import { spawn, type ChildProcess } from "node:child_process";
import { once } from "node:events";
import { chmodSync, cpSync, existsSync, mkdirSync, readFileSync, readdirSync, rmSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import type { Emulator } from "../../emulator";
import { STACK_KEYS, makeWorkplace, ok, PLUGIN, type Workplace } from "../support/cli-stack";
import { processesOf } from "../support/processes";
import { runProcess, type Ended } from "../support/run-process";

export const FLEET = join(__dirname, "..", "..", "fleet", "dist", "main.js");
/** The same, as Node takes it: half of a short command's time would go to optimizing the embedded database. */
export const OF_NODE = ["--liftoff-only", FLEET];

/** Notes the pid of each engine before it begins, and each earlier one of its stack that still runs then. */
const WATCH = `#!/bin/sh
case "$1" in up|destroy|refresh|preview|cancel) ;; *) exec PULUMI "$@" ;; esac
seen="SEEN/$(basename "$PWD")"
for pid in $(cat "$seen" 2>/dev/null); do
  [ "$pid" != $$ ] && grep -qs '^State:.[^ZX]' "/proc/$pid/status" && tr '\\0' ' ' < "/proc/$pid/cmdline" | grep -q pulumi && echo "$pid $$ $*" >> "SEEN/overlaps"
done
echo $$ >> "$seen"
exec PULUMI "$@"
`;

/** A folder with a fleet of small YAML stacks, a project each, and the command line on it. */
export class FleetFolder {
  private constructor(
    private readonly workplace: Workplace,
    readonly emulators: readonly Emulator[],
  ) {}

  static async make(
    count: number,
    emulators: readonly Emulator[],
    settings: NodeJS.ProcessEnv = {},
  ): Promise<FleetFolder> {
    const workplace = await makeWorkplace("fleet");
    const fleet = new FleetFolder(workplace, emulators);
    Object.assign(workplace.environment, settings, {
      AGENT_PLATFORM_API_KEY: emulators[0]?.apiKey,
      FLEET_LEASE_SECONDS: "6",
      PATH: `${join(fleet.folder, "watch")}:${workplace.environment["PATH"] ?? ""}`,
    });
    mkdirSync(join(fleet.folder, "seen"));
    mkdirSync(join(fleet.folder, "watch"));
    const pulumi = join(fleet.folder, "watch", "pulumi");
    writeFileSync(pulumi, WATCH.replaceAll("PULUMI", workplace.pulumi).replaceAll("SEEN", join(fleet.folder, "seen")));
    chmodSync(pulumi, 0o755);
    for (let at = 0; at < count; at++) fleet.write(at);
    ok(await fleet.pulumi(0, "stack", "init", "prod", ...STACK_KEYS));
    // The other stacks are copies of the first: an engine for each would take longer than the test.
    for (let at = 1; at < count; at++) {
      cpSync(fleet.file(0, "Pulumi.prod.yaml"), fleet.file(at, "Pulumi.prod.yaml"));
      for (const file of readdirSync(dirname(fleet.state(0)))) {
        const to = join(dirname(fleet.state(at)), file);
        mkdirSync(dirname(to), { recursive: true });
        const text = readFileSync(join(dirname(fleet.state(0)), file), "utf8");
        writeFileSync(to, text.replaceAll(fleet.name(0), fleet.name(at)));
      }
    }
    return fleet;
  }

  get folder(): string {
    return this.workplace.folder;
  }

  get environment(): NodeJS.ProcessEnv {
    return this.workplace.environment;
  }

  name(at: number): string {
    return `agent-${String(at).padStart(4, "0")}`;
  }

  id(at: number): string {
    return `${this.name(at)}/prod`;
  }

  /** Writes a project's program: one template. */
  write(at: number, cpu = "500m"): void {
    this.writeProgram(
      at,
      `  ${this.name(at)}:
    type: agent-platform:SandboxTemplate
    properties: { image: "python:3.12-slim", resources: { cpu: "${cpu}", memory: 512Mi } }
`,
    );
  }

  /** Writes a project with these resources, in YAML. */
  writeProgram(at: number, resources: string, config = ""): void {
    mkdirSync(join(this.folder, "agents", this.name(at)), { recursive: true });
    const { url = "" } = this.emulators[at % this.emulators.length] ?? {};
    const program = `name: ${this.name(at)}
runtime: yaml
packages:
  agent-platform: ${PLUGIN}
config:
  agent-platform:baseUrl: { value: "${url}" }
${config}resources:
${resources}`;
    writeFileSync(this.file(at, "Pulumi.yaml"), program);
  }

  /** Writes the fleet.yaml. */
  plan(text: string): void {
    writeFileSync(join(this.folder, "fleet.yaml"), text);
  }

  /** What Pulumi writes for the update of a person who is still at it. */
  lockByPerson(at: number): void {
    const folder = join(this.folder, "backend", ".pulumi", "locks", "organization", this.name(at), "prod");
    mkdirSync(folder, { recursive: true });
    const lock = { pid: 4242, username: "anna", hostname: "laptop", timestamp: "2026-11-27T10:00:00Z" };
    writeFileSync(join(folder, "person.json"), JSON.stringify(lock));
  }

  /** Whether an engine runs, or has run. */
  haveBegun(): boolean {
    return readdirSync(join(this.folder, "seen")).length > 0;
  }

  /** Engines that began while another one of their stack still ran. */
  overlaps(): string {
    const file = join(this.folder, "seen", "overlaps");
    return existsSync(file) ? readFileSync(file, "utf8") : "";
  }

  /** Runs a command of the fleet to its end. */
  run(args: readonly string[], options: { readonly input?: string } = {}): Promise<Ended> {
    return runProcess(process.execPath, [...OF_NODE, ...args], this.folder, {
      ...options,
      environment: this.environment,
    });
  }

  /** Starts one that goes on. */
  start(...args: string[]): FleetProcess {
    return this.startIn(this.environment, args);
  }

  /** The same, with an engine of another version. */
  startOn(version: string, ...args: string[]): FleetProcess {
    const folder = join(this.folder, version);
    mkdirSync(folder);
    writeFileSync(join(folder, "pulumi"), `#!/bin/sh\necho ${version}\n`, { mode: 0o755 });
    return this.startIn({ ...this.environment, PATH: `${folder}:${this.environment["PATH"] ?? ""}` }, args);
  }

  private startIn(env: NodeJS.ProcessEnv, args: readonly string[]): FleetProcess {
    return new FleetProcess(
      spawn(process.execPath, [...OF_NODE, ...args], {
        cwd: this.folder,
        env,
        stdio: ["ignore", "pipe", "pipe"],
      }),
    );
  }

  pulumi(at: number, ...args: string[]): Promise<Ended> {
    return this.pulumiWith(at, undefined, ...args);
  }

  /** The same, with something on its standard input. */
  pulumiWith(at: number, input: string | undefined, ...args: string[]): Promise<Ended> {
    const folder = join(this.folder, "agents", this.name(at));
    const options = { environment: this.environment, ...(input !== undefined && { input }) };
    return runProcess(this.workplace.pulumi, [...args, "--non-interactive"], folder, options);
  }

  file(at: number, name: string): string {
    return join(this.folder, "agents", this.name(at), name);
  }

  remove(): void {
    // A language host outlives its engine that was killed (docs/internals/engine.md, trap 45).
    for (const host of processesOf(this, /pulumi-language-yaml/)) process.kill(host);
    rmSync(this.folder, { recursive: true, force: true });
  }

  private state(at: number): string {
    return join(this.folder, "backend", ".pulumi", "stacks", this.name(at), "prod.json");
  }
}

/** A running command of the fleet. */
export class FleetProcess {
  output = "";
  private readonly ended: Promise<unknown>;

  constructor(private readonly child: ChildProcess) {
    for (const stream of [child.stdout, child.stderr])
      stream?.setEncoding("utf8").on("data", (text: string) => (this.output += text));
    this.ended = once(child, "exit");
  }

  get hasEnded(): boolean {
    return this.child.exitCode !== null || this.child.signalCode !== null;
  }

  get code(): number | null {
    return this.child.exitCode;
  }

  async kill(signal: NodeJS.Signals = "SIGKILL"): Promise<void> {
    this.child.kill(signal);
    await this.ended;
  }

  async end(): Promise<void> {
    await this.ended;
  }
}
