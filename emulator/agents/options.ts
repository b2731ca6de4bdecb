import type { Clock } from "../base/clock";
import type { Graph } from "./graph";
import { EmulatorError } from "../base/emulator-error";

/** A server of the user's own, as the agent of the deployments of a name: its address, or the command that starts it. */
export type OwnAgent = string | { readonly command: string };

/** The same, checked. Throws EmulatorError, with the remedy, for a value that is neither an address nor a command. */
export function ownServer(name: string, given: OwnAgent): { readonly url: URL } | { readonly command: string } {
  if (typeof given !== "string") {
    if (given.command.trim() !== "") return { command: given.command };
    throw new EmulatorError(`The command of agent "${name}" is empty.`);
  }
  const url = URL.canParse(given) ? new URL(given) : undefined;
  if (url !== undefined && ["http:", "https:"].includes(url.protocol) && url.username === "") return { url };
  throw new EmulatorError(
    `The agent "${name}" needs a whole address without a name or password in it, such as http://127.0.0.1:2024.`,
  );
}

export const isOnThisMachine = ({ hostname }: URL): boolean =>
  ["localhost", "[::1]"].includes(hostname) || /^127(?:\.\d{1,3}){3}$/.test(hostname);

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
  /** Seconds between the heartbeats of a stream; 0 is none. @default 5 */
  readonly heartbeatSeconds?: number;
}

/** The options with every default filled in, times in milliseconds. */
export type AgentSettings = Readonly<ReturnType<typeof agentSettings>>;

/**
 * Throws EmulatorError for an agent of your own that cannot be one.
 * @param serverOf Where the process of a revision answers; undefined while it has none.
 */
export const agentSettings = (
  { agentStartSeconds = 0, graphs = {}, agents = {}, heartbeatSeconds = 5 }: AgentOptions,
  clock: Clock,
  serverOf: (revisionId: string) => URL | undefined,
) => ({
  ...{ graphs, serverOf, agentStartMs: agentStartSeconds * 1000 },
  own: new Map(Object.entries(agents).map(([name, given]) => [name, ownServer(name, given)])),
  stream: { clock, heartbeatMs: heartbeatSeconds * 1000 || Infinity },
});
