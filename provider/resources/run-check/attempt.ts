import { createHash } from "node:crypto";
import type { Clock } from "../../base/clock";
import {
  AgentPlatformError,
  isCancelled,
  isHttpError,
  isTransportError,
  isUnclear,
  messageOf,
} from "../../base/errors";
import { isParsedJson, type Json } from "../../base/json";
import type { AgentClient, RunOptions } from "../../streaming/client";
import { RunError } from "../../streaming/errors";
import type { RunEvent, StreamMode } from "../../streaming/events";
import { Judgement, modesFor } from "./expectations";
import { type Disclosure, LastEvents } from "./last-events";
import type { RunCheckInputs } from "./fields";
import { showDuration } from "../../base/time";

export interface Passed {
  readonly runId: string;
  /** The server's own count of attempts at this run. */
  readonly attempt: number | null;
  /** The thread of a stateful run. */
  readonly threadId: string | null;
  readonly firstEventMs: number;
  readonly totalMs: number;
  readonly events: number;
  /** SHA-256 of all data, in order. */
  readonly digest: string;
  /** The data of the last event; kept only on request. */
  readonly output: Json | undefined;
}

interface AttemptOptions {
  readonly client: AgentClient;
  readonly clock: Clock;
  readonly disclosure: Disclosure;
  readonly assistant: string;
  /** The thread to run on; null for a run without a thread. */
  readonly threadId: string | null;
  /** Gives the run up. */
  readonly signal: AbortSignal;
}

/**
 * Sends one run and judges it. Throws AgentPlatformError with the run's id, its last events and the time; {@link NotStarted} if and only if
 * the run was certainly not started.
 */
export async function attempt(inputs: RunCheckInputs, options: AttemptOptions): Promise<Passed> {
  const { client, clock, disclosure, assistant, threadId, signal } = options;
  const began = clock.now();
  const run = { ...runOf(inputs), signal };
  const stream = threadId === null ? client.runs.stream(run) : client.threads.stream(threadId, run);
  const judgement = new Judgement(inputs.expect ?? {});
  const seen = new Seen();
  const failed = (problem: string, cause?: unknown): AgentPlatformError => {
    const runId = stream.run?.runId;
    const named = runId === undefined ? "the run" : `run ${runId}`;
    const why = disclosure.clean(problem).replace(`${named} failed: `, "it failed: ");
    const text = `${named} of assistant "${assistant}" at ${inputs.url} did not pass after ${showMs(clock.now() - began)}: ${why}`;
    const end = shown(seen.lastEvents, disclosure);
    if (runId !== undefined && isVerdict(cause)) return new RunFailed(text, end, runId);
    return new AgentPlatformError(`${text}\n${adviceOn(cause)}${end === "" ? "" : ` ${end}`}`);
  };
  let [totalMs, problems]: [number, string[]] = [0, []];
  try {
    for await (const event of withPauses(stream)) {
      if (judgement.see(event, clock.now() - began)) seen.add(event);
    }
    totalMs = clock.now() - began;
    problems = judgement.problems(totalMs, disclosure.showsData);
  } catch (error) {
    if (surelyNotStarted(error)) throw new NotStarted(messageOf(error), true);
    throw failed(messageOf(error), error);
  }
  if (stream.run === undefined) problems.unshift(UNNAMED);
  if (stream.run === undefined || problems.length > 0) throw failed(problems.join("; "));
  const { runId, attempt: tries = null } = stream.run;
  const { events, last } = seen;
  const firstEventMs = judgement.firstMs ?? totalMs;
  const digest = seen.digest.digest("hex");
  const output = inputs.keepOutput === true && isParsedJson(last) ? last : undefined;
  return { runId, attempt: tries, threadId, firstEventMs, totalMs, events, digest, output };
}

/** How long buffered events are judged without a pause. */
const LOOK_MS = 50;

/** The same events. Lets an abort signal act even if the agent sends without a pause. */
async function* withPauses(events: AsyncIterable<RunEvent>): AsyncGenerator<RunEvent> {
  let looked = performance.now();
  for await (const event of events) {
    yield event;
    if (performance.now() - looked < LOOK_MS) continue;
    await new Promise(setImmediate);
    looked = performance.now();
  }
}

class Seen {
  readonly digest = createHash("sha256");
  readonly lastEvents = new LastEvents();
  events = 0;
  last: unknown;

  add(event: RunEvent): void {
    this.events += 1;
    this.digest.update(`${event.mode}\n${JSON.stringify(event.data)}\n`);
    this.lastEvents.see(event);
    this.last = event.data;
  }
}

// docs/internals/platform.md, Stream modes: the first chunk of a run stream carries run_id. Events without a run prove nothing.
const UNNAMED = "the stream named no run (no metadata event with a run_id), so nothing proves that it started";

function runOf({ assistantId, input, streamSubgraphs, expect = {} }: RunCheckInputs): RunOptions<StreamMode> {
  return {
    assistantId,
    ...(input !== undefined && { input }),
    ...(streamSubgraphs !== undefined && { streamSubgraphs }),
    streamMode: modesFor(expect),
  };
}

/** The agent itself failed: the run ended in an unexpected way, or the graph threw. Any other error says nothing about the agent. */
export class RunFailed extends AgentPlatformError {
  constructor(
    readonly text: string,
    /** The end of its output. */
    readonly seen: string,
    readonly runId: string,
  ) {
    super(`${text}\n${adviceOn(undefined)}${seen === "" ? "" : ` ${seen}`}`);
  }

  /** The same failure, with this text instead of the advice. */
  with(next: string, cause?: unknown): AgentPlatformError {
    return new AgentPlatformError(`${this.text}\n${next}${this.seen === "" ? "" : `\n${this.seen}`}`, { cause });
  }
}

/**
 * Whether the end of a run says something about the agent. It does not if somebody stopped the run or it exceeded the server's time limit; the server's
 * status shows that (docs/internals/platform.md, Stream modes). Nor does an error of the server itself, or one without a kind, as of a gateway.
 */
const isVerdict = (cause: unknown): boolean =>
  cause === undefined || (cause instanceof RunError && cause.kind !== undefined && !NOT_THROWN.includes(cause.kind));

const NOT_THROWN = ["UserInterrupt", "UserRollback", "CancelledError", "TimeoutError", "HTTPException"];

export class NotStarted extends AgentPlatformError {
  constructor(
    message: string,
    /** Whether the reason is transient, so that another attempt makes sense. */
    readonly mayPass: boolean,
  ) {
    super(message);
  }
}

/**
 * True if nothing was sent, or if there is nothing at that address yet (404). Any other refusal may come from a gateway that forwarded the request:
 * after a 502, 503 or 504, the run may have started.
 */
export function surelyNotStarted(error: unknown): boolean {
  if (isTransportError(error)) return !error.mayHaveHappened;
  return isHttpError(error) && error.status === 404;
}

function adviceOn(cause: unknown): string {
  if (isCancelled(cause)) return "The next `pulumi up` runs it again.";
  const unclear = isUnclear(cause) ? "It is not known whether the run began, so it was not sent a second time. " : "";
  return `${unclear}Correct the agent or the check; the next \`pulumi up\` runs it again.`;
}

function shown(events: LastEvents, disclosure: Disclosure): string {
  const lines = events.show(disclosure).map((line) => `\n  ${line}`);
  if (lines.length === 0) return "";
  const what = disclosure.showsData
    ? "Its last events:"
    : "Its last events, without their data, which may hold a secret:";
  return `${what}${lines.join("")}`;
}

const showMs = (ms: number): string => (ms < 10_000 ? `${(ms / 1000).toFixed(1)}s` : showDuration(ms));
