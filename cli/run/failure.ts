import { isArgumentError, isHttpError, isTransportError, messageOf } from "../../provider/base/errors";
import { shellWord } from "../../provider/base/shell";
import { RunError, StreamError } from "../../provider/streaming/errors";
import { usageOf } from "./request";
import { CliError } from "../base/cli-error";

/** How a failed command ends. */
export interface Failure {
  /** 2: the command line is wrong, and nothing was sent; 1: anything else. */
  readonly code: 1 | 2;
  readonly message: string;
  readonly advice?: string;
}

/** The state of the run when it failed. */
export interface Situation {
  /** False while the platform is asked where the agent is. */
  readonly isFound: boolean;
  /** The agent is named by its address, and not by its deployment. */
  readonly isByUrl: boolean;
  readonly hasKey: boolean;
  readonly joined: boolean;
  readonly thread: string | undefined;
  readonly runId: string | undefined;
}

/** The exit code, message and advice for an error. */
export function failureOf(error: unknown, situation: Situation): Failure {
  const message = messageOf(error);
  if (error instanceof CliError) return { code: error.exitCode, message };
  const usage = isArgumentError(error) ? usageOf(error) : undefined;
  if (usage !== undefined) return { code: 2, message: usage };
  return { code: 1, message, advice: adviceOn(error, situation) };
}

/** The flags that show the rest of a run; undefined if it cannot be joined, or its id is not known. */
export function joinHint({ thread, runId }: Situation): string | undefined {
  return thread === undefined || runId === undefined
    ? undefined
    : `--thread ${shellWord(thread)} --join ${shellWord(runId)}`;
}

function adviceOn(error: unknown, situation: Situation): string | undefined {
  if (!situation.isFound)
    return isTransportError(error) ? "Check that the platform runs, and answers at the stack's baseUrl." : undefined;
  if (error instanceof RunError) return onRun(error, situation);
  if (error instanceof StreamError) {
    const hint = joinHint(situation);
    if (hint !== undefined) return `See the rest of the run with ${hint}.`;
    return /may still be going$/.test(error.message) ? undefined : "It is not known whether the run is still going.";
  }
  if (isHttpError(error)) return onRefusal(error.status, situation);
  if (!isTransportError(error)) return undefined;
  const reach = "Check that the agent is running and answers at its address.";
  return error.mayHaveHappened ? `${reach} The run may have begun.` : reach;
}

function onRun({ kind }: RunError, { joined, runId }: Situation): string | undefined {
  if (kind === "EmptyInputError") return "Give the graph its input with --input.";
  // A server also ends a stream this way if the run does not exist.
  if (joined) return `If there is no such run, correct --thread and --join (run ${runId ?? "unknown"}).`;
  return undefined;
}

function onRefusal(status: number, { isByUrl, hasKey, joined, thread }: Situation): string | undefined {
  // The answer says it all.
  if (status < 400) return undefined;
  if (status === 401 || status === 403) {
    const where = isByUrl ? "in AGENT_PLATFORM_API_KEY" : "of the deployment's connection (apiKey)";
    return hasKey
      ? `The key ${where} is not accepted: set one that this agent accepts.`
      : `No key was sent: set the one ${where}.`;
  }
  const named = [...(thread === undefined ? [] : ["--thread"]), joined ? "--join" : "--assistant"];
  if (status === 404) return `Correct ${[...(isByUrl ? ["--url"] : []), ...named].join(" or ")}: nothing is there.`;
  if (status === 409) return "The thread is busy: wait until its run has ended, or see it with --join.";
  if (status === 429 || status >= 500) return "Try again later; check the deployment if the problem persists.";
  return `Correct ${[...named, "--mode", ...(joined ? [] : ["--input"])].join(" or ")}: the answer says which.`;
}
