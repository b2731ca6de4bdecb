import { once } from "node:events";
import { createServer, type IncomingMessage, type Server, type ServerResponse } from "node:http";
import { text } from "node:stream/consumers";
import { Refusal } from "./agent-server-bodies";
import { AgentObjects, type AgentAnswer, type KeptAssistant, type KeptCron } from "./agent-server-objects";

/** What the server is like. */
export interface AgentServerOptions {
  /** @default ["agent", "other"] */
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

/** A stand-in for an agent server: assistants, crons and threads, as the official server for Python answers (agent-server.long.test.ts). */
export interface AgentServer {
  /** "http://127.0.0.1:<port>", the same after `stop` and `start`. */
  readonly url: string;
  readonly requests: AgentRequest[];
  /** By id, oldest first. What a test changes here is changed behind the API. */
  readonly assistants: Map<string, KeptAssistant>;
  readonly crons: Map<string, KeptCron>;
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

interface Fault extends WhichRequests {
  readonly kind: "lose" | "refuse" | "hold";
  times: number;
  readonly status?: number;
  readonly meet?: () => Promise<void>;
}

// As /info answered at langgraph-api 0.16.7.
const VERSIONS = { version: "0.16.7", langgraph_py_version: "1.2.22" };
const TRACING = { langsmith: false, langsmith_tracing_replicas: true, langsmith_tracing_session_on_runs: true };
const HOST = { kind: "self-hosted", project_id: null, host_revision_id: null, revision_id: null, tenant_id: null };

/** Starts one on a free port. */
export async function startAgentServer(options: AgentServerOptions = {}): Promise<AgentServer> {
  const { graphs = ["agent", "other"], apiKey, crons = true, filtersCrons, clock = Date } = options;
  const objects = new AgentObjects(graphs, () => clock.now(), filtersCrons);
  const flags = { assistants: true, crons, ...TRACING };
  const routes = [
    ["GET", "/ok", (): AgentAnswer => ({ body: { ok: true, services: {} } })] as const,
    ["GET", "/info", (): AgentAnswer => ({ body: { ...VERSIONS, flags, host: HOST } })] as const,
    ...objects.routes(crons),
  ].map(([method, path, act]) => ({ method, act, pattern: new RegExp(`^${path.replaceAll("*", "([^/]+)")}$`) }));
  const requests: AgentRequest[] = [];
  const faults: Fault[] = [];

  const answerTo = ({ method, path, key }: AgentRequest, body: string): AgentAnswer => {
    const [pathname = ""] = path.split("?");
    if (apiKey !== undefined && key === undefined) throw new Refusal(401, "Not authenticated");
    if (apiKey !== undefined && key !== apiKey) throw new Refusal(401, "Invalid API key");
    const known = routes.filter(({ pattern }) => pattern.test(pathname));
    const route = known.find((each) => each.method === method);
    if (route === undefined && known.length > 0) throw new Refusal(405, "Method Not Allowed");
    if (route === undefined) throw new Refusal(404, "Not Found");
    return route.act(route.pattern.exec(pathname)?.slice(1) ?? [], body);
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
    const answer = refusalsOf(() => answerTo(request, body));
    if (met?.kind === "lose") return void incoming.socket.destroy();
    send(response, answer);
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
    assistants: objects.assistants,
    crons: objects.crons,
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
      objects.reset();
      requests.length = 0;
      faults.length = 0;
    },
    stop,
    start: async () => {
      server ??= await listen(port);
    },
    close: stop,
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

function refusalsOf(act: () => AgentAnswer): AgentAnswer {
  try {
    return act();
  } catch (error) {
    if (!(error instanceof Refusal)) throw error;
    const { status, detail, message } = error;
    return { status, body: detail === null ? message : { detail } };
  }
}

function send(response: ServerResponse, { status = 200, body, headers = {} }: AgentAnswer): void {
  if (body === undefined) return void response.writeHead(status, headers).end();
  const [type, content] = typeof body === "string" ? ["text/plain", body] : ["application/json", JSON.stringify(body)];
  response.writeHead(status, { "content-type": type, ...headers }).end(content);
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
