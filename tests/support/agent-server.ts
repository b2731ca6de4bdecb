import { once } from "node:events";
import { createServer, type IncomingMessage, type Server, type ServerResponse } from "node:http";
import { text } from "node:stream/consumers";
import { z } from "zod";
import { startEmulator, type Emulator, type EmulatorOptions, type Graph } from "../../emulator";
import {
  agentAssistants,
  agentCrons,
  type AssistantRecord,
  type CronRecord,
  threads,
} from "../../emulator/platform/agent-records";
import type { Collection, StoredRecord } from "../../emulator/store/collection";
import { ask, deploymentOf } from "./ask";

/** An assistant as it is kept. Its fields may be changed: that is a change behind the API. */
export type KeptAssistant = AssistantRecord;
/** A cron as it is kept. Its fields may be changed, too. */
export type KeptCron = CronRecord;

/** What the server is like. */
export interface AgentServerOptions {
  /** Beside "agent" and "boom". @default ["other"] */
  readonly graphs?: readonly string[];
  /** The key that each request needs. @default none is asked for */
  readonly apiKey?: string;
  /** False: a server without crons, whose flag says so and whose paths for them are unknown. @default true */
  readonly crons?: boolean;
  /** False: a search of crons does not know `metadata`, as before version 0.9. @default true */
  readonly filtersCrons?: boolean;
  /** What is in front of it. */
  readonly layers?: EmulatorOptions["layers"];
  /** @default the machine's */
  readonly clock?: { now(): number };
}

/** A request that arrived. */
export interface AgentRequest {
  readonly method: string;
  /** With its query. */
  readonly path: string;
  /** What its JSON says; the text where it is none. */
  readonly body: unknown;
  readonly key: string | undefined;
}

/** An agent of the emulator at an address of its own. Its crons are never due. */
export interface AgentServer {
  /** "http://127.0.0.1:<port>", the same after `stop` and `start`. */
  readonly url: string;
  readonly requests: AgentRequest[];
  /** By id, oldest first, without the assistants of the graphs. What a test changes here is changed behind the API. */
  readonly assistants: Kept<KeptAssistant>;
  readonly crons: Kept<KeptCron>;
  readonly faults: Emulator["faults"];
  /** Forgets all objects, the log and the faults. */
  reset(): void;
  /** The agent is down: connections are refused. Its objects stay. */
  stop(): Promise<void>;
  start(): Promise<void>;
  /** May be called twice. */
  close(): Promise<void>;
}

/** The objects of a collection by the ids that the agent gives them. A value is the kept object itself. */
class Kept<T extends StoredRecord> {
  constructor(
    private readonly all: Collection<T>,
    private readonly owner: Partial<T>,
    private readonly idOf: (record: T) => string,
  ) {}

  *[Symbol.iterator](): IterableIterator<[string, T]> {
    for (const each of this.values()) yield [this.idOf(each), each];
  }
  get size(): number {
    return this.all.all().length;
  }
  values = (): readonly T[] => this.all.all();
  keys = (): readonly string[] => this.values().map(this.idOf);
  get = (id: string): T | undefined => this.values().find((each) => this.idOf(each) === id);
  has = (id: string): boolean => this.get(id) !== undefined;
  set = (id: string, record: unknown): void => void this.all.put({ ...z.custom<T>().parse(record), ...this.owner, id });
  delete = (id: string): void => this.all.remove(this.get(id)?.id ?? "");
}

const NO_GRAPH: Graph = { channels: {}, steps: [] };

/** Starts one on a free port. */
export async function startAgentServer(options: AgentServerOptions = {}): Promise<AgentServer> {
  const { graphs = ["other"], apiKey, crons = true, filtersCrons = true, layers = [], clock = Date } = options;
  const emulator = await startEmulator({
    ...{ buildSeconds: 0, layers },
    clock: { now: () => clock.now(), after: () => () => undefined },
    graphs: Object.fromEntries(graphs.map((name) => [name, NO_GRAPH])),
  });
  const deployment = await ask(emulator, "POST", "/v2/deployments", deploymentOf("agent"));
  const { id: deploymentId } = z.object({ id: z.string() }).parse(deployment);
  const owner = { tenant_id: emulator.tenantId, deployment_id: deploymentId };
  const kept = [agentAssistants.in(emulator.store), agentCrons.in(emulator.store), threads.in(emulator.store)] as const;
  const requests: AgentRequest[] = [];

  const answerTo = async ({ method, path, key }: AgentRequest, body: string): Promise<Response> => {
    if (apiKey !== undefined && key !== apiKey) return Response.json({ detail: "Invalid API key" }, { status: 401 });
    if (!crons && path.includes("/runs/crons")) return Response.json({ detail: "Not Found" }, { status: 404 });
    const asked = filtersCrons ? body : body.replace(/"metadata":\{[^}]*\}/, '"metadata":{}');
    const answer = await fetch(`${emulator.url}/agents/${deploymentId}${path}`, {
      method,
      headers: { "x-api-key": emulator.apiKey },
      ...(body !== "" && { body: path === "/runs/crons/search" ? asked : body }),
    });
    if (crons || path !== "/info") return answer;
    return new Response((await answer.text()).replace('"crons":true', '"crons":false'));
  };

  const serve = async (incoming: IncomingMessage, response: ServerResponse): Promise<void> => {
    const body = await text(incoming);
    const { method = "", url: path = "", headers } = incoming;
    const key = headers["x-api-key"];
    const request = { method, path, body: bodyOf(body), key: typeof key === "string" ? key : undefined };
    requests.push(request);
    const answer = await answerTo(request, body);
    const content = await answer.text();
    const shown = [...answer.headers].filter(([name]) => /^(?:content-type|x-pagination)/.test(name));
    response.writeHead(answer.status, Object.fromEntries(shown)).end(content);
  };

  const listen = async (port: number): Promise<Server> => {
    const made = createServer(
      (incoming, response) => void serve(incoming, response).catch(() => incoming.socket.destroy()),
    );
    await once(made.listen(port, "127.0.0.1"), "listening");
    return made;
  };
  let server: Server | undefined = await listen(0);
  const address = server.address();
  if (address === null || typeof address === "string") throw new Error("it listens on no port");
  const { port } = address;
  const stop = async (): Promise<void> => {
    const stopped = server;
    server = undefined;
    if (stopped === undefined) return;
    const closed = once(stopped, "close");
    stopped.close();
    stopped.closeAllConnections();
    await closed;
  };
  return {
    url: `http://127.0.0.1:${port}`,
    requests,
    assistants: new Kept(kept[0], owner, (each) => each.assistant_id),
    crons: new Kept(kept[1], owner, (each) => each.cron_id),
    faults: emulator.faults,
    reset: () => {
      for (const all of kept) for (const { id } of all.all()) all.remove(id);
      requests.length = 0;
      emulator.faults.clear();
    },
    stop,
    start: async () => {
      server ??= await listen(port);
    },
    close: async () => {
      await stop();
      await emulator.close();
    },
  };
}

function bodyOf(body: string): unknown {
  try {
    return JSON.parse(body);
  } catch {
    return body;
  }
}

/** What has arrived to change something since the last call, without ids: "PATCH /assistants/:id". */
export function changingRequests({ requests }: AgentServer): string[] {
  const isWrite = ({ method, path }: AgentRequest): boolean => method !== "GET" && !path.endsWith("/search");
  const shown = ({ method, path }: AgentRequest): string =>
    `${method} ${path.replace(/[0-9a-f]{8}-[0-9a-f-]{27}/, ":id")}`;
  return requests.splice(0).filter(isWrite).map(shown);
}
