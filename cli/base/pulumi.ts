import { type ChildProcess, spawn } from "node:child_process";
import type { z } from "zod";
import { errorCode } from "../../provider/base/errors";
import { shellWord } from "../../provider/base/shell";
import { CliError } from "./cli-error";

/** Where and on what the engine runs. */
export interface Target {
  readonly folder: string;
  readonly environment: NodeJS.ProcessEnv;
  /** Kills the engine: for a command that changes nothing, and whose answer may never come. */
  readonly deadline?: AbortSignal;
}

interface EngineResult {
  readonly code: number | null;
  readonly stdout: string;
  readonly stderr: string;
}

/** The running engines: a signal to this process is passed on to all of them. */
const running = new Set<ChildProcess>();
let interrupted = false;

/** Whether a signal has ended what this process ran: then that is why it fails. */
export const wasInterrupted = (): boolean => interrupted;

/** Throws if it has. */
export function refuseInterrupted(): void {
  if (interrupted) throw new CliError("the command was interrupted");
}

function stop(): void {
  interrupted = true;
  for (const child of running) child.kill("SIGTERM");
}

// On Ctrl-C the terminal signals the engine too: it ends by itself, and we end after it.
function wait(): void {
  interrupted = true;
}

/** A user's variables for their own commands: the engine refuses what they say beside --preview-only, writes for them, prints no state, or fails for a change. */
const UNSET = {
  PULUMI_SKIP_CONFIRMATIONS: undefined,
  PULUMI_OPTION_YES: undefined,
  PULUMI_OPTION_SKIP_PREVIEW: undefined,
  PULUMI_OPTION_CONFIG: undefined,
  PULUMI_OPTION_CLEAR_PENDING_CREATES: undefined,
  PULUMI_OPTION_IMPORT_PENDING_CREATES: undefined,
  PULUMI_OPTION_FILE: undefined,
  PULUMI_OPTION_EXPECT_NO_CHANGES: undefined,
};

/**
 * Runs `pulumi` to its end, whatever its exit code. Throws CliError if it cannot be started, or if it failed because a signal has ended this command.
 */
export async function runPulumi(args: readonly string[], target: Target): Promise<EngineResult> {
  const { folder, environment, deadline } = target;
  refuseInterrupted();
  // Before it starts, so that no signal ends this command alone.
  if (running.size === 0) process.on("SIGTERM", stop).on("SIGHUP", stop).on("SIGINT", wait);
  const child = spawn("pulumi", [...args, "--non-interactive", "--color", "never"], {
    cwd: folder,
    env: { ...environment, ...UNSET },
    stdio: ["ignore", "pipe", "pipe"],
    ...(deadline && { signal: deadline, killSignal: "SIGKILL" }),
  });
  running.add(child);
  let stdout = "";
  let stderr = "";
  child.stdout.setEncoding("utf8").on("data", (text: string) => (stdout += text));
  child.stderr.setEncoding("utf8").on("data", (text: string) => (stderr += text));
  try {
    const code = await new Promise<number | null>((resolve, reject) => {
      child.once("error", (error) => reject(notStarted(error)));
      child.once("close", resolve);
    });
    if (code !== 0) refuseInterrupted();
    return { code, stdout, stderr };
  } finally {
    running.delete(child);
    if (running.size === 0) process.off("SIGTERM", stop).off("SIGHUP", stop).off("SIGINT", wait);
  }
}

function notStarted(error: Error): CliError {
  const message =
    errorCode(error) === "ENOENT"
      ? "`pulumi` is not on PATH: install the Pulumi CLI (https://www.pulumi.com/docs/install/), or add the folder of an installed one to PATH"
      : `\`pulumi\` cannot be started: ${error.message}`;
  return new CliError(message, { cause: error });
}

/** Why a command failed, in its words, a line each. */
export const reasonsIn = ({ stderr }: Pick<EngineResult, "stderr">): string[] =>
  lines(stderr).map((line) => line.replace(/^error: /, ""));

/** What a command prints that has to succeed. Throws CliError with why it did not, after what `failed` says. */
export async function outputOf(args: readonly string[], target: Target, failed = ""): Promise<string> {
  const result = await runPulumi(args, target);
  if (result.code === 0) return result.stdout;
  throw new CliError(failed + reasonsIn(result).join(" "));
}

/** The same of a command that prints JSON of this shape. */
export async function printedAs<Read>(
  shape: z.ZodType<Read>,
  args: readonly string[],
  target: Target,
  failed = "",
): Promise<Read> {
  const text = await outputOf([...args, "--json"], target, failed);
  try {
    return shape.parse(JSON.parse(text));
  } catch (error) {
    // The text itself is left out: it may hold secrets.
    const said = `\`pulumi ${args.slice(0, 2).join(" ")} --json\` printed something else: check which \`pulumi\` is on PATH`;
    throw new CliError(failed + said, { cause: error });
  }
}

/** The output of a command without empty lines. */
export const lines = (text: string): string[] => text.split("\n").filter((line) => line.trim() !== "");

/** The variable with which `--json` streams events. Without it a preview prints a digest, which lacks most of them. */
export const STREAMING = { PULUMI_ENABLE_STREAMING_JSON_PREVIEW: "true" } as const;

/** The name of the selected stack. */
export async function selectedStack(target: Target): Promise<string> {
  const remedy = "Choose one with --stack, in the folder of a Pulumi project. The engine says: ";
  return (await outputOf(["stack", "--show-name"], target, `cannot tell which stack is selected. ${remedy}`)).trim();
}

/** The end of a command of the engine for people, which then asks where this command asked. */
export function whereAsked({ folder }: Target, stack: string | undefined): string {
  const elsewhere = folder === process.cwd() ? undefined : folder;
  return Object.entries({ stack, cwd: elsewhere })
    .map(([name, value]) => (value === undefined ? "" : ` --${name} ${shellWord(value)}`))
    .join("");
}

/** Why the engine did not do its work for a stack. @param failed What it means: "could not be compared". @param command The engine's own, for people to try. */
export const engineFailed = (
  stack: string,
  target: Target,
  failed: string,
  command: string,
  reasons: readonly string[],
): CliError =>
  new CliError(
    `stack "${stack}" ${failed}. The engine says:${shownReasons(reasons)}\n` +
      `Fix that and run this command again; \`pulumi ${command}${whereAsked(target, stack)}\` tries the same by hand.`,
  );

/** How many reasons to print: a platform that is down yields one per object. */
const REASONS = 10;

/** A sentence, followed by the reasons, each on lines of its own; blank ones are left out. */
export function shownReasons(texts: readonly string[]): string {
  const reasons = texts.map((text) => text.trim()).filter((text) => text !== "");
  const left = reasons.length - REASONS;
  const kept = left > 0 ? [...reasons.slice(0, REASONS), `(and ${left} more)`] : reasons;
  return kept.map((reason) => `\n  ${reason.replace(/\n/g, "\n  ")}`).join("");
}
