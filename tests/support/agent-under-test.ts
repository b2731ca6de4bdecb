import { connect, type Socket } from "node:net";
import { setImmediate as turn } from "node:timers/promises";
import { z } from "zod";
import type { Graph } from "../../emulator/agents/graph";
import { startEmulator, type Emulator, type EmulatorOptions } from "../../emulator/start";
import { ask, deploymentOf } from "./ask";

/** One event of a stream. Heartbeats and other comments are left out. */
export interface StreamEvent {
  readonly event: string;
  readonly data: unknown;
}

const created = z.object({ id: z.string() });
const thread = z.object({ thread_id: z.string() });
const run = z.object({ run_id: z.string() });

/** A deployment of an emulator on a real port, and the requests of its agent. */
export class AgentUnderTest {
  constructor(
    readonly emulator: Emulator,
    readonly deploymentId: string,
  ) {}

  get url(): string {
    return `${this.emulator.url}/agents/${this.deploymentId}`;
  }

  post(path: string, body: unknown, init: RequestInit = {}): Promise<Response> {
    const text = typeof body === "string" ? body : JSON.stringify(body);
    return fetch(this.url + path, { method: "POST", headers: this.headers(), body: text, ...init });
  }

  get(path: string, init: RequestInit = {}): Promise<Response> {
    return fetch(this.url + path, { headers: this.headers(), ...init });
  }

  /** The events of a stateless run. */
  async run(body: Record<string, unknown>): Promise<readonly StreamEvent[]> {
    return eventsOf(await this.post("/runs/stream", { assistant_id: "agent", input: { topic: "cats" }, ...body }));
  }

  /** A new thread. */
  async thread(): Promise<string> {
    return thread.parse(await (await this.post("/threads", {})).json()).thread_id;
  }

  /** A new background run. */
  async background(threadId: string, body: Record<string, unknown>): Promise<string> {
    const answer = await this.post(`/threads/${threadId}/runs`, { assistant_id: "agent", ...body });
    return run.parse(await answer.json()).run_id;
  }

  headers(): Record<string, string> {
    return { "x-api-key": this.emulator.apiKey, "content-type": "application/json" };
  }
}

const emulators: Emulator[] = [];
afterAll(() => Promise.all(emulators.splice(0).map((emulator) => emulator.close())));

/** An emulator with one deployment, DEPLOYED unless the options say otherwise. It is closed behind the suite. */
export async function agentUnderTest(options: EmulatorOptions = {}, image = "agent:1"): Promise<AgentUnderTest> {
  const emulator = await startEmulator({ buildSeconds: 0, ...options });
  emulators.push(emulator);
  return new AgentUnderTest(emulator, await deployed(emulator, image));
}

/** The id of a new deployment. */
export async function deployed(
  emulator: Emulator,
  image: string,
  name = "agent",
  variables: Readonly<Record<string, string>> = {},
): Promise<string> {
  return created.parse(await ask(emulator, "POST", "/v2/deployments", deploymentOf(name, image, variables))).id;
}

/** The events of a whole answer. */
export async function eventsOf(response: Response): Promise<readonly StreamEvent[]> {
  return parseEvents(await response.text());
}

/** The events of a text, read strictly: an event line, a data line, a blank line. */
export function parseEvents(text: string): readonly StreamEvent[] {
  const frames = text.replaceAll("\r\n", "\n").split("\n\n");
  return frames.flatMap((frame) => {
    if (frame === "" || frame.startsWith(":")) return [];
    const match = /^event: ([^\n]*)\ndata: ([^\n]*)$/.exec(frame);
    if (match?.[1] === undefined || match[2] === undefined) throw new Error(`No event: ${frame}`);
    const data: unknown = JSON.parse(match[2]);
    return [{ event: match[1], data }];
  });
}

/** The names of events, task ids of subgraphs as `<id>`. */
export const namesOf = (events: readonly StreamEvent[]): readonly string[] =>
  events.map(({ event }) => event.replace(/[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}/g, "<id>"));

/** Resolves once it holds; other promises go on meanwhile. */
export async function until(holds: () => boolean | Promise<boolean>): Promise<void> {
  while (!(await holds())) await turn();
}

/** A request on a socket of its own, and all that it gets. */
export class RawRequest {
  readonly socket: Socket;
  text = "";

  constructor({ emulator, deploymentId }: AgentUnderTest, path: string, body: unknown) {
    const json = JSON.stringify(body);
    this.socket = connect(emulator.port, "127.0.0.1");
    this.socket.on("data", (data: Buffer) => (this.text += data.toString()));
    this.socket.on("error", () => undefined);
    this.socket.write(
      `POST /agents/${deploymentId}${path} HTTP/1.1\r\nHost: x\r\nX-API-KEY: ${emulator.apiKey}\r\n` +
        `Content-Length: ${Buffer.byteLength(json)}\r\n\r\n${json}`,
    );
  }
}

const flood = (tokens: number, size: number): Graph => ({
  channels: { topic: "last" },
  steps: [{ flood: { actions: [{ type: "flood", tokens, size }] } }],
});
/** Graphs of much output. */
export const floods = { endless: flood(Infinity, 1000), big: flood(20_000, 1000) };

/** Runs that take 17 s of the clock, no time, and for ever. */
export const slow = { assistant_id: "agent", input: { topic: "a", delay_ms: 17_000 }, stream_mode: "custom" };
export const hello = { assistant_id: "agent", input: { topic: "a" }, stream_mode: "custom" };
export const endless = { assistant_id: "endless", input: {}, stream_mode: "messages-tuple" };
