import { spawn } from "node:child_process";
import { statSync } from "node:fs";
import { CliError } from "../base/cli-error";
import { parseEvents, type EngineEvents } from "./events";

/** Where and on what the engine runs. */
export interface Target {
  readonly folder: string;
  readonly environment: NodeJS.ProcessEnv;
}

interface Result {
  readonly code: number | null;
  readonly stdout: string;
  readonly stderr: string;
}

/** The name of the selected stack. */
export async function selectedStack(target: Target): Promise<string> {
  const result = await run(["stack", "--show-name"], target);
  if (result.code !== 0) throw failed("which stack is selected could not be determined", lines(result.stderr));
  return result.stdout.trim();
}

/** Compares a stack with the platform without writing to either. Only a complete comparison is returned. */
export async function compare(stack: string, target: Target): Promise<EngineEvents> {
  // Without the variable, --json prints a digest that lacks the outcome of a refresh.
  const environment = { ...target.environment, PULUMI_ENABLE_STREAMING_JSON_PREVIEW: "true" };
  const args = ["refresh", "--preview-only", "--json", `--stack=${stack}`];
  const result = await run(args, { ...target, environment });
  const what = `stack "${stack}" could not be compared with the platform`;
  if (result.code !== 0) throw failed(what, [...errorsIn(result.stdout), ...lines(result.stderr)]);
  const events = parseEvents(result.stdout);
  if (!events.complete)
    throw failed(what, [...events.errors, "the engine ended before every resource had its outcome"]);
  return events;
}

/** The errors of a failed run, which may have printed something other than events. */
function errorsIn(stdout: string): readonly string[] {
  try {
    return parseEvents(stdout).errors;
  } catch {
    return [];
  }
}

/** How many reasons to print: a platform that is down yields one per object. */
const REASONS = 10;

function failed(what: string, reasons: readonly string[]): CliError {
  const left = reasons.length - REASONS;
  const kept = left > 0 ? [...reasons.slice(0, REASONS), `(and ${left} more)`] : reasons;
  const shown = kept.map((reason) => `\n  ${reason.replace(/\n/g, "\n  ")}`).join("");
  return new CliError(
    `${what}, so nothing is known about drift. The engine says:${shown}\n` +
      "Fix that and run this command again; `pulumi refresh --preview-only` tries the same by hand.",
  );
}

const lines = (text: string): string[] => text.split("\n").filter((line) => line.trim() !== "");

function run(args: readonly string[], { folder, environment }: Target): Promise<Result> {
  if (!statSync(folder, { throwIfNoEntry: false })?.isDirectory()) {
    throw new CliError(`there is no folder ${folder}: --cwd names the folder of the Pulumi project`);
  }
  const child = spawn("pulumi", [...args, "--non-interactive", "--color", "never"], {
    cwd: folder,
    env: environment,
    stdio: ["ignore", "pipe", "pipe"],
  });
  const stop = (): void => void child.kill("SIGTERM");
  // On Ctrl-C the terminal signals the engine too: it ends by itself, and we end after it.
  const wait = (): void => undefined;
  process.on("SIGTERM", stop);
  process.on("SIGINT", wait);
  let stdout = "";
  let stderr = "";
  child.stdout.setEncoding("utf8").on("data", (text: string) => (stdout += text));
  child.stderr.setEncoding("utf8").on("data", (text: string) => (stderr += text));
  return new Promise<Result>((resolve, reject) => {
    child.once("error", (error) => reject(notStarted(error)));
    child.once("close", (code) => resolve({ code, stdout, stderr }));
  }).finally(() => {
    process.off("SIGTERM", stop);
    process.off("SIGINT", wait);
  });
}

function notStarted(error: Error): CliError {
  const missing = "code" in error && error.code === "ENOENT";
  const message = missing
    ? "`pulumi` is not on PATH: install the Pulumi CLI (https://www.pulumi.com/docs/install/), or put the folder of an installed one on PATH"
    : `\`pulumi\` cannot be started: ${error.message}`;
  return new CliError(message, { cause: error });
}
