import { createHash } from "node:crypto";
import { LONGEST_TIMER_MS, type Clock } from "../../lifecycle/clock";
import { AgentPlatformError, isHttpError, isTransportError, messageOf } from "../../lifecycle/errors";
import { isParsedJson, type Json } from "../../lifecycle/json";
import { showDuration } from "../../lifecycle/wait";
import { redact } from "../../http/redact";
import { AgentClient, type RunOptions } from "../../streaming/client";
import { nodeOf, textOf, type RunEvent, type StreamMode } from "../../streaming/events";
import type { RunStream } from "../../streaming/run-stream";
import { Judgement, modesFor } from "./expectations";
import type { RunCheckInputs } from "./schema";

/** What a run that passed leaves in state. */
export interface Passed {
  readonly runId: string | null;
  /** The server's own count of attempts at this run. */
  readonly attempt: number | null;
  /** The thread of a stateful run. */
  readonly threadId: string | null;
  readonly firstEventMs: number;
  readonly totalMs: number;
  readonly events: number;
  /** SHA-256 of all data, in order. */
  readonly digest: string;
  /** The data of the last event; kept only where asked for. */
  readonly output: Json | undefined;
}

/** What an attempt takes from its surroundings. */
export interface AttemptOptions {
  readonly apiKey: string | undefined;
  readonly allowInsecure: boolean;
  readonly clock: Clock;
  /** When the run is given up. */
  readonly until: number;
}

/** How many of the last events an error shows, and how much of each. */
const SHOWN = 3;
const LONGEST = 300;

/**
 * One run, judged. Throws AgentPlatformError with the run's id, its last events and the time; {@link NotReady} where nothing was started.
 * A run that was started is never started twice.
 */
export async function attempt(inputs: RunCheckInputs, options: AttemptOptions): Promise<Passed> {
  const { apiKey, allowInsecure, clock, until } = options;
  const { url, assistantId, input, streamSubgraphs, stateful, expect = {}, keepOutput } = inputs;
  const began = clock.now();
  const limit = new AbortController();
  const timer = setTimeout(
    () => limit.abort(new AgentPlatformError("runTimeout is over; raise it, or look why the run takes so long")),
    Math.min(Math.max(1, until - began), LONGEST_TIMER_MS),
  );
  const client = new AgentClient({ url: url ?? "", ...(apiKey === undefined ? {} : { apiKey }), allowInsecure });
  const run: RunOptions<StreamMode> = {
    assistantId,
    ...(input === undefined ? {} : { input }),
    ...(streamSubgraphs === undefined ? {} : { streamSubgraphs }),
    streamMode: modesFor(expect),
    signal: limit.signal,
  };
  let threadId: string | null = null;
  let stream: RunStream | undefined;
  const judgement = new Judgement(expect);
  const digest = createHash("sha256");
  const last: RunEvent[] = [];
  let [events, firstEventMs] = [0, 0];
  const fail = (problem: string, cause?: unknown): AgentPlatformError => {
    const run = stream?.run === undefined ? "the run" : `run ${stream.run.runId}`;
    const shown = last.map((event) => `\n  ${show(event)}`).join("");
    const text = `${run} of assistant "${assistantId}" at ${url ?? ""} did not pass after ${showMs(clock.now() - began)}: ${problem}`;
    const whole = `${text}\nCorrect the agent or the check; the next \`pulumi up\` runs it again.${shown === "" ? "" : ` Its last events:${shown}`}`;
    return new AgentPlatformError(redact(whole, apiKey === undefined ? [] : [apiKey]), { cause });
  };
  try {
    if (stateful === true) ({ threadId } = await client.threads.create({}, { signal: limit.signal }));
    stream = threadId === null ? client.runs.stream(run) : client.threads.stream(threadId, run);
    for await (const event of stream) {
      const afterMs = clock.now() - began;
      if (events === 0) firstEventMs = afterMs;
      events += 1;
      judgement.see(event, afterMs);
      digest.update(`${event.mode}\n${JSON.stringify(event.data)}\n`);
      last.push(event);
      if (last.length > SHOWN) last.shift();
    }
  } catch (error) {
    if (events === 0 && stream?.run === undefined && isNotReady(error)) throw new NotReady(messageOf(error));
    throw fail(messageOf(error), error);
  } finally {
    clearTimeout(timer);
  }
  const totalMs = clock.now() - began;
  const problems = judgement.problems(totalMs);
  if (problems.length > 0) throw fail(problems.join("; "));
  return {
    runId: stream.run?.runId ?? null,
    attempt: stream.run?.attempt ?? null,
    threadId,
    firstEventMs,
    totalMs,
    events,
    digest: digest.digest("hex"),
    output: keepOutput === true ? dataOf(last.at(-1)) : undefined,
  };
}

/** The agent does not accept requests yet: nothing was started, so it may be asked again. */
export class NotReady extends AgentPlatformError {}

/** Refused, or an answer that says that no agent is there yet. */
function isNotReady(error: unknown): boolean {
  if (isTransportError(error)) return !error.mayHaveHappened;
  return isHttpError(error) && [404, 502, 503].includes(error.status);
}

function dataOf(event: RunEvent | undefined): Json | undefined {
  const data: unknown = event?.data;
  return isParsedJson(data) ? data : undefined;
}

/** An event on a line: where it comes from, and its data; of a token its text. */
function show(event: RunEvent): string {
  const token = event.mode === "messages-tuple" ? event.data : undefined;
  const where = [event.mode, ...event.namespace, ...(token === undefined ? [] : [nodeOf(token[1]) ?? ""])].join(" ");
  const data = JSON.stringify(token === undefined ? event.data : textOf(token[0]));
  return `${where}: ${data.length > LONGEST ? `${data.slice(0, LONGEST)}...` : data}`;
}

const showMs = (ms: number): string => (ms < 10_000 ? `${(ms / 1000).toFixed(1)}s` : showDuration(ms));
