import { setTimeout as pause } from "node:timers/promises";
import { segment } from "../http/segment";
import { LONGEST_TIMER_MS } from "../base/clock";
import { AgentPlatformError, ArgumentError, isHttpError, isTransient, messageOf } from "../base/errors";
import { withoutSlash } from "../base/address";
import { isObject, textIn, type Json, type JsonObject } from "../base/json";
import { StreamError } from "./errors";
import { STREAM_MODES, type StreamMode } from "./events";
import { Frames } from "./frames";
import { EventStream, type RunStream } from "./run-stream";
import type { AgentAddress, AgentRequest } from "./transport";

// Only what sends a request needs axios, and no declaration of this package names its types.
const transport = () => import("./transport");

/** Loads what the first request needs: a tenth of a second that then does not count as the agent's. */
export async function loadTransport(): Promise<void> {
  await Promise.all([transport(), import("axios")]);
}

/** Where an agent answers, and how patient to be. */
export interface AgentClientOptions {
  /** Base URL of the agent server: a deployment's `url`. */
  readonly url: string;
  /** Sent as `x-api-key`. Never in a message of an error. @default no key is sent */
  readonly apiKey?: string;
  /** Seconds until an answer begins. @default 30 */
  readonly requestTimeout?: number;
  /** Seconds of silence after which a stream is given up; heartbeats end a silence. A model that thinks is silent too. @default 300 */
  readonly idleTimeout?: number;
  /** Allow plain http to another machine. @default false */
  readonly allowInsecure?: boolean;
}

/** What to run, and what to stream from it (docs/internals/platform.md, POST /runs/stream). */
export interface RunOptions<Mode extends StreamMode = "values"> {
  /** An assistant's id, or the name under which the graph is deployed. */
  readonly assistantId: string;
  /** The graph's input, in the graph's own shape. @default nothing is sent */
  readonly input?: Json;
  /** One mode or several. @default the server's, "values" */
  readonly streamMode?: Mode | readonly Mode[];
  /** Stream the output of subgraphs too; `namespace` then says which one it comes from. @default false */
  readonly streamSubgraphs?: boolean;
  /** Ends the stream and closes the connection; the loop throws its reason. */
  readonly signal?: AbortSignal;
  /** Further fields of the request, as the server names them. */
  readonly extra?: JsonObject;
}

export interface JoinOptions<Mode extends StreamMode = StreamMode> {
  /** @default all that the run streams */
  readonly streamMode?: Mode | readonly Mode[];
  readonly signal?: AbortSignal;
}

/** A conversation that keeps the output of its runs. */
export interface Thread {
  readonly threadId: string;
  /** Everything that the server says about it, unchanged. */
  readonly fields: Readonly<JsonObject>;
}

/**
 * A client of the streaming runs API (docs/internals/platform.md, Endpoints). Streams are async iterables: the request is sent when the loop
 * begins, once, and never repeated, since a repeated one would start a second run.
 *
 * Errors: ArgumentError for a wrong argument, before anything is sent; HttpError for a refusal (its `status`, its `detail`); TransportError
 * if no answer came; RunError if the run failed; StreamError if the stream is incomplete; the signal's reason.
 *
 * @example
 * import { AgentClient, textOf } from "pulumi-agent-platform";
 *
 * const client = new AgentClient({ url: "https://desk.example.com", apiKey: process.env["AGENT_API_KEY"] ?? "" });
 * const question = { assistantId: "agent", input: { topic: "opening hours" } };
 * for await (const event of client.runs.stream({ ...question, streamMode: ["updates", "messages-tuple"] })) {
 *   if (event.mode === "messages-tuple") process.stdout.write(textOf(event.data[0]));
 * }
 */
export class AgentClient {
  private readonly address: AgentAddress;
  private readonly idleTimeoutMs: number;

  constructor({ url, apiKey, requestTimeout = 30, idleTimeout = 300, allowInsecure = false }: AgentClientOptions) {
    const requestTimeoutMs = milliseconds("requestTimeout", requestTimeout);
    this.idleTimeoutMs = milliseconds("idleTimeout", idleTimeout);
    this.address = { url: withoutSlash(url), apiKey, allowInsecure, requestTimeoutMs };
  }

  /**
   * Checks that a server answers (GET /ok). The request starts nothing, so it may be repeated. HttpError if it answers anything but
   * success: a 404 may come from a server that does not know this path.
   */
  async ok({ signal }: { readonly signal?: AbortSignal } = {}): Promise<void> {
    const { sendRequest } = await transport();
    const { data } = await sendRequest(this.address, { method: "GET", path: "/ok", signal });
    // Only the status matters.
    data.destroy();
  }

  readonly runs = {
    /** A run without a thread, which keeps nothing (docs/internals/platform.md, POST /runs/stream). */
    stream: <Mode extends StreamMode = "values">(options: RunOptions<Mode>): RunStream<Mode> =>
      this.start<Mode>("/runs/stream", options),

    /**
     * The output of an active run from now on; earlier output is not sent again
     * (docs/internals/platform.md, GET /threads/{thread_id}/runs/{run_id}/stream). A run that has ended streams nothing. A server may also end the stream
     * with an error event if there is no such run.
     */
    join: <Mode extends StreamMode = StreamMode>(
      threadId: string,
      runId: string,
      options: JoinOptions<Mode> = {},
    ): RunStream<Mode> => {
      const path = `/threads/${segment(threadId, "threadId")}/runs/${segment(runId, "runId")}/stream`;
      const modes = modesOf(options.streamMode);
      // Servers take one mode here; with several, events of other modes are dropped as they come.
      const query = modes?.length === 1 ? { query: { stream_mode: modes.join() } } : {};
      const request = { method: "GET", path, ...query, signal: options.signal } as const;
      return this.open<Mode>(request, modes ?? STREAM_MODES, { threadId, runId });
    },
  };

  readonly threads = {
    /** A new thread (docs/internals/platform.md, POST /threads). Sent once: after a lost answer there may be one more, unused. */
    create: async (fields: JsonObject = {}, { signal }: { signal?: AbortSignal } = {}): Promise<Thread> => {
      const { fetchJson } = await transport();
      const thread = await fetchJson(this.address, { method: "POST", path: "/threads", body: fields, signal });
      if (isObject(thread) && typeof thread["thread_id"] === "string") {
        return { threadId: thread["thread_id"], fields: thread };
      }
      throw new AgentPlatformError("POST /threads answered without a thread_id. Is the url the agent's address?");
    },

    /** A run whose outputs the thread keeps (docs/internals/platform.md, POST /threads/{thread_id}/runs/stream). */
    stream: <Mode extends StreamMode = "values">(threadId: string, options: RunOptions<Mode>): RunStream<Mode> =>
      this.start<Mode>(`/threads/${segment(threadId, "threadId")}/runs/stream`, options, { threadId }),
  };

  private start<Mode extends StreamMode>(path: string, options: RunOptions<Mode>, on?: OnThread): RunStream<Mode> {
    const { assistantId, input, streamMode, streamSubgraphs, signal, extra } = options;
    if (assistantId === "") throw new ArgumentError("assistantId", "must not be empty");
    const modes = modesOf(streamMode);
    const body = {
      ...extra,
      assistant_id: assistantId,
      ...(input === undefined ? {} : { input }),
      ...(streamMode === undefined ? {} : { stream_mode: typeof streamMode === "string" ? streamMode : modes }),
      ...(streamSubgraphs === undefined ? {} : { stream_subgraphs: streamSubgraphs }),
    };
    return this.open<Mode>({ method: "POST", path, body, signal }, modes ?? ["values"], on);
  }

  private open<Mode extends StreamMode>(
    request: AgentRequest,
    asked: readonly StreamMode[],
    on?: OnThread,
  ): RunStream<Mode>;
  private open(request: AgentRequest, asked: readonly StreamMode[], on?: OnThread): RunStream {
    const frames = new Frames(new Set(asked), on?.runId !== undefined);
    return new EventStream({
      frames,
      signal: request.signal,
      idleTimeoutMs: this.idleTimeoutMs,
      open: async () => {
        const { sendRequest } = await transport();
        const { data, headers } = await sendRequest(this.address, { ...request, accept: "text/event-stream" });
        return { body: data, contentType: String(headers["content-type"] ?? "") };
      },
      confirmOver: async () => {
        const { threadId, runId } = { ...frames.run, ...on };
        if (threadId !== undefined && runId !== undefined) await this.confirmOver(threadId, runId, request.signal);
      },
    });
  }

  /** Throws StreamError unless the run is over, or the server does not say. An event of a join shows that it was not. One that is just over may say so late. */
  private async confirmOver(threadId: string, runId: string, signal: AbortSignal | undefined): Promise<void> {
    const path = `/threads/${segment(threadId)}/runs/${segment(runId)}`;
    const { fetchJson } = await transport();
    const incomplete = (problem: string) => new StreamError({ runId, attempt: undefined }, `ended${problem}`);
    for (let looks = 1; looks <= 3; looks++) {
      const seen = await fetchJson(this.address, { method: "GET", path, signal }).catch((error: unknown) => {
        if (isTransient(error) && !(isHttpError(error) && error.status === 404))
          throw incomplete(`, and nobody says whether the run did: ${messageOf(error)}`);
      });
      if (!isObject(seen) || !["pending", "running"].includes(textIn(seen, "status") ?? "")) return;
      const joined = this.open({ method: "GET", path: `${path}/stream`, signal }, STREAM_MODES)[Symbol.asyncIterator]();
      const { done } = await joined.next();
      await joined.return?.();
      if (done !== true) break;
      await pause(AGAIN_MS, undefined, { signal });
    }
    throw incomplete(" while the run was still going");
  }
}

/** How long a run that is just over may still be said to go on. */
const AGAIN_MS = 250;

/** Where to ask about the run of a stream. A join names the run. */
type OnThread = Readonly<Partial<Record<"threadId" | "runId", string>>>;

/** The requested modes; undefined: the server decides. Throws on an unknown mode, before anything is sent. */
function modesOf(asked: StreamMode | readonly StreamMode[] | undefined): readonly StreamMode[] | undefined {
  if (asked === undefined) return undefined;
  const modes = typeof asked === "string" ? [asked] : [...asked];
  const wrong = modes.find((mode) => !STREAM_MODES.includes(mode));
  if (wrong === undefined && modes.length > 0) return modes;
  const known = STREAM_MODES.join(", ");
  throw new ArgumentError(
    "streamMode",
    wrong === undefined ? `must name a mode: ${known}` : `"${wrong}" is not one of: ${known}`,
  );
}

function milliseconds(name: string, seconds: number): number {
  if (seconds > 0 && seconds * 1000 <= LONGEST_TIMER_MS) return seconds * 1000;
  const longest = Math.floor(LONGEST_TIMER_MS / 1000);
  throw new ArgumentError(name, `must be a number of seconds above 0 and at most ${longest}`);
}
