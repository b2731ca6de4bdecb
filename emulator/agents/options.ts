import type { Clock } from "../base/clock";
import type { Graph } from "./graph";
import { ownServer, type OwnAgent, type OwnServer } from "./own-agent";
import type { StreamSettings } from "./reader";
import type { LineEnds } from "./sse";

/** The agents of deployments, and the streams of their runs. */
export interface AgentOptions {
  /** Seconds for which a fresh deployment, its first revision DEPLOYED, still answers 503. @default 0 */
  readonly agentStartSeconds?: number;
  /**
   * Servers of your own that are the agents of deployments, by the deployment's name: an address, or the command that starts one for each revision
   * (docs/emulator.md). @default none
   */
  readonly agents?: Readonly<Record<string, OwnAgent>>;
  /** Graphs of every deployment in addition to `agent` and `boom` (agents/graph.ts). @default none */
  readonly graphs?: Readonly<Record<string, Graph>>;
  /** Seconds between the heartbeats of a stream. @default 5 */
  readonly heartbeatSeconds?: number;
  /** How lines of a stream end: the Python server writes CRLF, the JavaScript one LF. @default "crlf" */
  readonly streamLineEnds?: LineEnds;
  /** Send an `end` event before a stream ends, as some servers do. @default false */
  readonly streamEndEvent?: boolean;
}

/** The options with every default filled in, times in milliseconds. */
export interface AgentSettings {
  readonly agentStartMs: number;
  readonly graphs: Readonly<Record<string, Graph>>;
  readonly own: ReadonlyMap<string, OwnServer>;
  /** Where the process of a revision answers; undefined while it has none. */
  readonly serverOf: (revisionId: string) => URL | undefined;
  readonly stream: StreamSettings;
}

/** @param serverOf As in the settings. Throws EmulatorError for an agent of your own that cannot be one. */
export function agentSettings(options: AgentOptions, clock: Clock, serverOf: AgentSettings["serverOf"]): AgentSettings {
  return {
    agentStartMs: (options.agentStartSeconds ?? 0) * 1000,
    graphs: options.graphs ?? {},
    own: new Map(Object.entries(options.agents ?? {}).map(([name, given]) => [name, ownServer(name, given)])),
    serverOf,
    stream: {
      clock,
      lineEnds: options.streamLineEnds ?? "crlf",
      heartbeatMs: (options.heartbeatSeconds ?? 5) * 1000,
      endEvent: options.streamEndEvent ?? false,
    },
  };
}
