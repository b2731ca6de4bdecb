import { spawn, type ChildProcess } from "node:child_process";
import {
  deployments,
  revisions,
  startEmulator,
  type Emulator,
  type EmulatorOptions,
  type FaultInput,
} from "../../emulator";
import { providersOn, templatesOn } from "../support/ask";
import { CliStack, ok } from "../support/cli-stack";
import { ProgramHost } from "../support/kept-host";
import { processesOf } from "../support/processes";

/** Ways to cut a run off. */
export const CUTS = [
  "SIGINT",
  "SIGINT twice",
  "SIGTERM",
  "SIGKILL of the CLI",
  "SIGKILL of the plugin",
  "SIGKILL of both",
] as const;
export type Cut = (typeof CUTS)[number];

/** A point of a run that the emulator can prove was hit, and the programs around it. */
export interface Phase {
  readonly name: string;
  /** Bodies of programs; the run from `before` to `after` is cut off. Undefined: there is nothing before. */
  readonly before?: string;
  readonly after: string;
  /** `after`, adopting the object that is in the way. */
  readonly adopting: string;
  /** Stops the request that marks the phase; its log entry proves that the phase was hit. */
  readonly hold: FaultInput;
  /** The declared objects, by name. */
  readonly declared: readonly string[];
  /** The number of revisions that may exist, where the phase makes one. */
  readonly revisions?: number;
  readonly options?: EmulatorOptions;
}

/** How a cut-off run ended. */
export interface Outcome {
  /** `up` alone put everything right, or needed `adopt`, which its error named. */
  readonly recovered: "by up" | "by up with adopt";
  /** Declared objects that the platform does not hold in the end. */
  readonly lost: number;
  /** Objects that it holds besides the declared ones. */
  readonly doubled: number;
}

const template = (image: string, extra = ""): string =>
  `new platform.SandboxTemplate("code", { image: "${image}", resources: { cpu: "1" }${extra} });`;
const provider = (name: string, extra = ""): string =>
  `new platform.OAuthProvider("github", { providerId: "github", name: "${name}", clientId: "c", authUrl: "https://a.example", tokenUrl: "https://a.example"${extra} });`;
const agent = (image: string, extra = ""): string =>
  `new platform.Deployment("agent", { source: "external_docker", sourceRevisionConfig: { imageUri: "${image}" }${extra} });`;
const ADOPT = ", adopt: true";

const creating = (kind: string, path: string, program: (extra?: string) => string, declared: string): Phase[] =>
  (["before-route", "after-commit"] as const).map((phase) => ({
    name: phase === "before-route" ? `before the POST of ${kind}` : `between the POST of ${kind} and its answer`,
    after: program(),
    adopting: program(ADOPT),
    hold: { kind: "hold", phase, method: "POST", path },
    declared: [declared],
  }));

/** One phase a row. */
export const PHASES: readonly Phase[] = [
  ...creating("a deployment", "/v2/deployments", (extra = "") => agent("a:1", extra), "agent"),
  ...creating("a template", "/v2/sandboxes/templates", (extra = "") => template("a", extra), "code"),
  ...creating("an OAuth provider", "/v2/auth/providers", (extra = "") => provider("GitHub", extra), "github"),
  {
    name: "while waiting for a revision",
    after: agent("a:1"),
    adopting: agent("a:1", ADOPT),
    hold: { kind: "hold", method: "GET", path: "/v2/deployments/*/revisions/*" },
    declared: ["agent"],
    revisions: 1,
    options: { buildSeconds: 4 },
  },
  {
    name: "between the PATCH of a deployment and its answer",
    before: agent("a:1"),
    after: agent("a:2"),
    adopting: agent("a:2", ADOPT),
    hold: { kind: "hold", phase: "after-commit", method: "PATCH", path: "/v2/deployments/*" },
    declared: ["agent"],
    revisions: 2,
  },
  ...(["before-route", "after-commit"] as const).map((phase) => ({
    name:
      phase === "before-route"
        ? "during the delete of a deployment"
        : "between the DELETE of a deployment and its answer",
    before: agent("a:1"),
    after: "",
    adopting: "",
    hold: { kind: "hold", phase, method: "DELETE", path: "/v2/deployments/*" } as const,
    declared: [],
  })),
  ...(["before-route", "after-commit"] as const).map((phase) => ({
    name:
      phase === "before-route"
        ? "during the replacement of a template, before its POST"
        : "during the replacement of a template, after its POST",
    before: template("a"),
    after: template("b"),
    adopting: template("b", ADOPT),
    hold: { kind: "hold", phase, method: "POST", path: "/v2/sandboxes/templates" } as const,
    declared: ["code"],
  })),
];

/** Cuts one run off, and checks that the next `up` leaves exactly the declared objects, in state and on the platform. */
export async function cutOff(phase: Phase, cut: Cut): Promise<Outcome> {
  const emulator = await startEmulator({ buildSeconds: 0.4, ...phase.options });
  const stack = await CliStack.make(phase.before ?? phase.after);
  // Not for the run that is cut off (`whileHeld`): it is as users' are.
  stack.host = new ProgramHost();
  try {
    await stack.configure({ "agent-platform:baseUrl": emulator.url }, { "agent-platform:apiKey": emulator.apiKey });
    if (phase.before !== undefined) ok(await stack.up());
    stack.write(phase.after);
    await cutTheRun(stack, emulator, phase, cut);
    await noPluginLeft(stack);
    await stack.run(["cancel", "--yes"]);
    const recovered = await recover(stack, phase);
    const found = objects(emulator);
    const lost = phase.declared.filter((name) => !found.includes(name)).length;
    const doubled = found.length - phase.declared.length + lost;
    if (phase.revisions !== undefined) expect(emulator.outOfBand(revisions).list()).toHaveLength(phase.revisions);
    ok(await stack.nothingToDo());
    return { recovered, lost, doubled };
  } finally {
    stack.host.stop();
    stack.remove();
    await emulator.close();
  }
}

/** Runs `up` until the request of the phase is held, cuts, and lets the platform go on with the request. */
async function cutTheRun(
  stack: CliStack,
  emulator: Emulator,
  phase: Pick<Phase, "name" | "hold">,
  cut: Cut,
): Promise<void> {
  await whileHeld(stack, emulator, phase, async (child) => {
    const plugins = pluginsOf(stack);
    expect(plugins.length).toBeGreaterThan(0);
    const kill = (signal: NodeJS.Signals, pids: readonly number[]): void =>
      pids.forEach((pid) => process.kill(pid, signal));
    const cli = [child.pid ?? 0];
    if (cut === "SIGKILL of the plugin") kill("SIGKILL", plugins);
    else if (cut === "SIGKILL of both") kill("SIGKILL", [...cli, ...plugins]);
    else kill(cut === "SIGTERM" ? "SIGTERM" : cut === "SIGKILL of the CLI" ? "SIGKILL" : "SIGINT", cli);
    if (cut === "SIGINT twice") {
      // The engine tells two interrupts apart only where it has seen the first.
      await pause(500);
      if (child.exitCode === null) kill("SIGINT", cli);
      await pause(500);
    }
  });
}

/** Runs `up`, acts while the request of the phase is held, lets the platform go on with it, and gives the exit code of `up`. */
export async function whileHeld(
  stack: CliStack,
  emulator: Emulator,
  phase: Pick<Phase, "name" | "hold">,
  act: (up: ChildProcess) => Promise<unknown>,
): Promise<number | null> {
  const hold = emulator.faults.add(phase.hold);
  const child = spawn("pulumi", ["--non-interactive", "up", "--yes", "--skip-preview"], {
    cwd: stack.folder,
    env: stack.environment,
    stdio: "ignore",
    // Signals go to the CLI alone, as from a CI job that is cancelled.
    detached: true,
  });
  const ended = new Promise<number | null>((resolve) => child.once("close", resolve));
  const reached = await Promise.race([hold.reached, ended]);
  // The run does not count without this proof.
  if (reached === null || typeof reached === "number") {
    throw new Error(`the run ended before the phase "${phase.name}" was reached`);
  }
  await act(child);
  hold.remove();
  return await ended;
}

/** A plugin may finish its work, but is gone 5 seconds later. */
export async function noPluginLeft(stack: Pick<CliStack, "folder">): Promise<void> {
  await untilPluginsAreGone(stack);
  expect(pluginsOf(stack)).toEqual([]);
}

/** The same where a stack has several providers: the process of a dynamic one that was not called yet lives on, without our code (docs/internals/engine.md, trap 18). */
export async function noPluginAtWork(stack: Pick<CliStack, "folder">): Promise<void> {
  await untilPluginsAreGone(stack);
  processesOf(stack, /dynamic-provider/).forEach((pid) => process.kill(pid));
  await noPluginLeft(stack);
}

async function untilPluginsAreGone(stack: Pick<CliStack, "folder">): Promise<void> {
  for (let tenths = 0; tenths < 50 && pluginsOf(stack).length > 0; tenths++) await pause(100);
}

/** Brings a stack up after a cut-off run, the way that the errors name. */
export async function recover(
  stack: CliStack,
  phase: Pick<Phase, "declared" | "adopting" | "after">,
): Promise<Outcome["recovered"]> {
  const first = await stack.up();
  if (first.code === 0) return "by up";
  // The error names the object in the way, and the way out.
  expect(first.output).toMatch(
    new RegExp(`(Deployment|SandboxTemplate|OAuthProvider) "(${phase.declared.join("|")})".*adopt`),
  );
  stack.write(phase.adopting);
  ok(await stack.up());
  stack.write(phase.after);
  return "by up with adopt";
}

/** The names of all that the platform holds. */
export function objects(emulator: Emulator): string[] {
  const agents = emulator.outOfBand(deployments).list();
  return [
    ...agents.flatMap(({ deleted_at, name }) => (deleted_at === null ? [name] : [])),
    ...templatesOn(emulator),
    ...providersOn(emulator),
  ];
}

const pluginsOf = (stack: Pick<CliStack, "folder">): number[] =>
  processesOf(stack, /dynamic-provider|pulumi-resource-(pulumi-nodejs|agent-platform)/);

// Real processes take real time.
const pause = (milliseconds: number): Promise<void> => new Promise((resolve) => setTimeout(resolve, milliseconds));
