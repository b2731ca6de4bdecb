import { once } from "node:events";
import { createServer, type IncomingMessage, type Server, type ServerResponse } from "node:http";
import { text } from "node:stream/consumers";
import { z } from "zod";
import { startEmulator, type Graph } from "../../emulator";
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

/** Which requests a fault is for. @default all */
export interface WhichRequests {
  readonly method?: string;
  /** How the path begins. */
  readonly path?: string;
}

/** A request that waits before it is carried out. */
export interface HeldRequest {
  /** Resolves when it has arrived. */
  readonly arrived: Promise<void>;
  release(): void;
}

/** An agent of the emulator at an address of its own, with faults. Its crons are never due. */
export interface AgentServer {
  /** "http://127.0.0.1:<port>", the same after `stop` and `start`. */
  readonly url: string;
  readonly requests: AgentRequest[];
  /** By id, oldest first, without the assistants of the graphs. What a test changes here is changed behind the API. */
  readonly assistants: Kept<KeptAssistant>;
  readonly crons: Kept<KeptCron>;
  /** The answers to the next such requests get lost, after they were carried out. */
  lose(which?: WhichRequests, times?: number): void;
  /** The next such requests are answered by something in between, and not carried out. @param status @default 503 */
  refuse(which?: WhichRequests, times?: number, status?: number): void;
  /** The next such request waits. */
  hold(which?: WhichRequests): HeldRequest;
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

interface Fault extends WhichRequests {
  readonly kind: "lose" | "refuse" | "hold";
  times: number;
  readonly status?: number;
  readonly meet?: () => Promise<void>;
}

const NO_GRAPH: Graph = { channels: {}, steps: [] };

/** Starts one on a free port. */
export async function startAgentServer(options: AgentServerOptions = {}): Promise<AgentServer> {
  const { graphs = ["other"], apiKey, crons = true, filtersCrons = true, clock = Date } = options;
  const emulator = await startEmulator({
    buildSeconds: 0,
    clock: { now: () => clock.now(), after: () => () => undefined },
    graphs: Object.fromEntries(graphs.map((name) => [name, NO_GRAPH])),
  });
  const deployment = await ask(emulator, "POST", "/v2/deployments", deploymentOf("agent"));
  const { id: deploymentId } = z.object({ id: z.string() }).parse(deployment);
  const owner = { tenant_id: emulator.tenantId, deployment_id: deploymentId };
  const kept = [agentAssistants.in(emulator.store), agentCrons.in(emulator.store), threads.in(emulator.store)] as const;
  const requests: AgentRequest[] = [];
  const faults: Fault[] = [];

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
    const met = faults.find((each) => each.times > 0 && isFor(each, request));
    if (met !== undefined) met.times -= 1;
    await met?.meet?.();
    if (met?.kind === "refuse") return void response.writeHead(met.status ?? 503).end("[]");
    const answer = await answerTo(request, body);
    const content = await answer.text();
    if (met?.kind === "lose") return void incoming.socket.destroy();
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
  const add = (kind: "lose" | "refuse", which: WhichRequests, times: number, status = 503): void => {
    faults.push({ kind, ...which, times, status });
  };
  return {
    url: `http://127.0.0.1:${port}`,
    requests,
    assistants: new Kept(kept[0], owner, (each) => each.assistant_id),
    crons: new Kept(kept[1], owner, (each) => each.cron_id),
    lose: (which = {}, times = 1) => add("lose", which, times),
    refuse: (which = {}, times = 1, status = 503) => add("refuse", which, times, status),
    hold: (which = {}) => {
      const [arrived, released] = [gate(), gate()];
      const meet = (): Promise<void> => {
        arrived.open();
        return released.opened;
      };
      faults.push({ kind: "hold", ...which, times: 1, meet });
      return { arrived: arrived.opened, release: released.open };
    },
    reset: () => {
      for (const all of kept) for (const { id } of all.all()) all.remove(id);
      requests.length = 0;
      faults.length = 0;
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

const isFor = ({ method, path = "" }: WhichRequests, request: AgentRequest): boolean =>
  (method ?? request.method) === request.method && request.path.startsWith(path);

function bodyOf(body: string): unknown {
  try {
    return JSON.parse(body);
  } catch {
    return body;
  }
}

function gate(): { readonly opened: Promise<void>; readonly open: () => void } {
  let open = (): void => undefined;
  const opened = new Promise<void>((resolve) => (open = resolve));
  return { opened, open: () => open() };
}

/** What has arrived to change something since the last call, without ids: "PATCH /assistants/:id". */
export function changingRequests({ requests }: AgentServer): string[] {
  const isWrite = ({ method, path }: AgentRequest): boolean => method !== "GET" && !path.endsWith("/search");
  const shown = ({ method, path }: AgentRequest): string =>
    `${method} ${path.replace(/[0-9a-f]{8}-[0-9a-f-]{27}/, ":id")}`;
  return requests.splice(0).filter(isWrite).map(shown);
}
