import { createServer, type Server, type ServerResponse } from "node:http";
import { once } from "node:events";
import { z } from "zod";
import { ManualClock, startEmulator, type Emulator } from "../../../emulator";
import { AgentPlatformError, messageOf } from "../../../provider/base/errors";
import { createHandler } from "../../../provider/dynamic/handler";
import { Ownership } from "../../../provider/lifecycle/identity/ownership";
import { WriteCounter } from "../../../provider/lifecycle/observe/writes";
import { Declarations } from "../../../provider/lifecycle/fields/declarations";
import { createSession } from "../../../provider/lifecycle/session";
import { openResource } from "../../../provider/resources/registry";
import type { ResourceType } from "../../../provider/resources/resource-types";
import { EngineModel } from "../../support/engine-model";
import { GatedLimits, Lock, Turns } from "./gate";

/** What a check comes to on the second image; it passes on any other. */
export type Outcome = "passes" | "fails" | "cannot be asked";
/** What somebody else does: a push whose build takes its time, one that serves at once, a redeploy of the first revision that serves at once. */
export type Other = "push" | "push serves" | "redeploy serves";
/** The command after the first one. */
export type Next = "up" | "up --refresh" | "another image" | "another trigger";

export interface Story {
  /** Of each check of the program. */
  readonly checks: readonly Outcome[];
  /** What somebody else does, before the request of that number. */
  readonly other?: { readonly what: Other; readonly at: number };
  /** The run is killed before the request of that number; the last one is its end, before the state of its last step is written. */
  readonly cutAt?: number;
  /** How many requests of the first check come before how many of the second. */
  readonly turns?: readonly [number, number];
  readonly next: Next;
}

/** One command, as it ended. */
export interface Ran {
  readonly isGreen: boolean;
  readonly said: string;
  /** How many requests went to the platform. */
  readonly requests: number;
  /** Those that change something. */
  readonly writes: readonly string[];
  readonly runs: readonly Run[];
  /** The image and the id of the revision that serves at its end. */
  readonly serves: Serving;
}

interface Run {
  readonly check: number;
  readonly on: string;
  readonly outcome: Outcome;
}

interface Serving {
  readonly id: string;
  readonly image: string;
  /** The revision that is being built. */
  readonly coming: string | undefined;
}

const Deployment = z.object({
  id: z.string(),
  latest_revision_id: z.string().nullable(),
  active_revision_id: z.string().nullable(),
  source_revision_config: z.object({ image_uri: z.string() }).loose(),
});
const Revision = z.object({ status: z.string(), source_revision_config: z.object({ image_uri: z.string() }).loose() });

export const imageOf = (version: number): string => `registry.example/desk:${version}`;
const PUSHED = "registry.example/desk:pushed";

class Killed extends AgentPlatformError {}

/** A platform, an agent that answers for whatever serves, and a program of one deployment with its checks. */
export class World {
  private constructor(
    private readonly clock: ManualClock,
    private readonly emulator: Emulator,
    private readonly agent: Server,
    private readonly agentUrl: string,
  ) {}

  private outcomes: readonly Outcome[] = [];
  private runs: Run[] = [];
  /** By resource. */
  private readonly models = new Map<string, EngineModel>();
  private readonly ownership = new Ownership();
  private readonly writes = new WriteCounter();
  private readonly declarations = new Declarations();
  private gate: (who: number) => Promise<() => void> = () => Promise.resolve(() => undefined);
  /** The entries of the platform's log that are of somebody else. */
  private others = new Set<number>();

  static async start(): Promise<World> {
    const clock = new ManualClock();
    const emulator = await startEmulator({ clock, buildSeconds: 0.4 });
    const answer: { by?: World } = {};
    const agent = createServer((request, response) => {
      request.resume().on("end", () => {
        // Whoever has hung up needs no answer.
        answer.by?.answer(request.url ?? "", request.method ?? "", response).catch(() => response.destroy());
      });
    }).listen(0, "127.0.0.1");
    await once(agent, "listening");
    const { port } = z.object({ port: z.number() }).parse(agent.address());
    const world = new World(clock, emulator, agent, `http://127.0.0.1:${port}`);
    answer.by = world;
    return world;
  }

  async close(): Promise<void> {
    this.agent.closeAllConnections();
    this.agent.close();
    await this.emulator.close();
  }

  /** The first revision serves, and its checks have passed. */
  async begin(checks: readonly Outcome[]): Promise<void> {
    this.emulator.reset();
    this.outcomes = checks;
    for (const model of this.models.values()) model.state = undefined;
    const first = await this.run({ image: imageOf(1) });
    if (!first.isGreen) throw new Error(first.said);
  }

  /** One command. @param does Called before each request of it, with its number. */
  async run(
    program: { readonly image: string; readonly trigger?: number },
    { refresh = false, turns, does = () => Promise.resolve(undefined) }: Partial<RunOptions> = {},
  ): Promise<Ran> {
    this.emulator.clearLog();
    this.runs = [];
    let number = 0;
    const order = turns && new Turns(turns);
    let killed: ReadonlyMap<string, EngineModel["state"]> | undefined;
    this.gate = async (who) => {
      if (who >= 0) await order?.pass(who);
      const free = await lock.take();
      if (killed === undefined) {
        number += 1;
        if ((await does(number)) === "kill") killed = this.snapshot();
      }
      if (killed === undefined) return free;
      free();
      throw new Killed("killed");
    };
    const lock = new Lock();
    this.ownership.forget();
    this.writes.add();
    for (const [index, name] of this.names().entries()) if (!this.models.has(name)) await this.open(name, index - 2);
    let said = "";
    try {
      if (refresh) for (const name of this.names()) if (this.model(name).hasState) await this.model(name).refresh();
      await this.up(program, order);
    } catch (error) {
      said = messageOf(error);
    }
    // What the last step did, its state does not know.
    const endsKilled = killed === undefined && (await does(number + 1, true)) === "kill";
    for (const [name, state] of killed ?? (endsKilled ? this.before : [])) {
      const model = this.models.get(name);
      if (model !== undefined) model.state = state;
    }
    const writes = this.emulator.requests
      .filter(({ method, path, seq }) => method !== "GET" && path.startsWith("/v2") && !this.others.has(seq))
      .map(({ method, path }) => `${method} ${path}`);
    const ran = { isGreen: said === "" && killed === undefined && !endsKilled, said, requests: number, writes };
    return { ...ran, runs: this.runs, serves: await this.serving() };
  }

  /** Somebody else. */
  async act(what: Other): Promise<void> {
    const { id } = await this.deployment();
    const path = `/v2/deployments/${id}`;
    if (what === "redeploy serves") await this.ask("POST", `${path}/revisions/${await this.first(path)}/redeploy`);
    else await this.ask("PATCH", path, { source_revision_config: { image_uri: PUSHED } });
    if (what !== "push") this.clock.advance(60_000);
  }

  /** The time that a build takes goes by. */
  settle(): void {
    this.clock.advance(60_000);
  }

  private before: ReadonlyMap<string, EngineModel["state"]> = new Map();

  private names(): string[] {
    return ["Deployment", "Rollout", ...this.outcomes.map((_, index) => `RunCheck ${index}`)];
  }

  private snapshot(): ReadonlyMap<string, EngineModel["state"]> {
    return new Map([...this.models].map(([name, { state }]) => [name, structuredClone(state)]));
  }

  private async up(
    program: { readonly image: string; readonly trigger?: number },
    order: Turns | undefined,
  ): Promise<void> {
    const [deployment, rollout, ...checks] = this.names().map((name) => this.model(name));
    if (deployment === undefined || rollout === undefined) throw new Error("no models");
    const { image: imageUri, trigger } = program;
    this.before = this.snapshot();
    await deployment.up({
      name: "desk",
      source: "external_docker",
      sourceConfig: { resourceSpec: {} },
      sourceRevisionConfig: { imageUri },
      ...(trigger !== undefined && { redeployTrigger: trigger }),
    });
    const { id: deploymentId, outputs } = deployment.current;
    this.before = this.snapshot();
    await rollout.up({
      deploymentId,
      revisionId: outputs["latestRevisionId"],
      followsPushes: false,
      deploymentName: "desk",
    });
    const { activeRevisionId: revisionId } = rollout.current.outputs;
    this.before = this.snapshot();
    const ended = await Promise.allSettled(
      checks.map((check, index) =>
        check
          .up({
            url: `${this.agentUrl}/${index}`,
            customUrl: `${this.agentUrl}/${index}`,
            assistantId: "agent",
            attempts: 2,
            rollBack: true,
            deploymentId,
            revisionId,
            secretsRevisionId: outputs["secretsRevisionId"],
          })
          .finally(() => order?.end(index)),
      ),
    );
    const failures = ended.flatMap((each) => (each.status === "rejected" ? [messageOf(each.reason)] : []));
    if (failures.length > 0) throw new Error(failures.join("\n\n"));
  }

  private model(name: string): EngineModel {
    const model = this.models.get(name);
    if (model === undefined) throw new Error(`no ${name}`);
    return model;
  }

  /** Once for all stories, each with a connection of its own: a process for each would take more ports than a machine has. */
  private async open(name: string, who: number): Promise<void> {
    const kind: ResourceType = name === "Deployment" ? name : name === "Rollout" ? name : "RunCheck";
    const { clock, emulator, ownership, writes, declarations } = this;
    const sleeping = {
      now: () => clock.now(),
      sleep: (milliseconds: number) => {
        clock.advance(milliseconds);
        return Promise.resolve();
      },
    };
    const session = {
      ...createSession({ clock: sleeping, random: () => 0.5, ownership, writes, declarations }),
      limits: new GatedLimits(() => this.gate(who), sleeping),
    };
    const handler = createHandler(openResource(kind, session), session);
    const all: Record<string, string> = { baseUrl: emulator.url, apiKey: emulator.apiKey };
    await handler.configure({ config: { get: (key) => all[key.replace("agent-platform:", "")] } });
    this.models.set(name, new EngineModel(handler, kind));
  }

  private async answer(url: string, method: string, response: ServerResponse): Promise<void> {
    // A connection that is kept may end just as the next request comes.
    response.setHeader("connection", "close");
    const check = Number(url.split("/")[1]);
    const { id, image } = await this.serving();
    const outcome = image === imageOf(2) ? (this.outcomes[check] ?? "passes") : "passes";
    if (outcome === "cannot be asked") {
      response.writeHead(503).end();
      return;
    }
    if (method === "GET") {
      response.end('{"ok":true}');
      return;
    }
    this.runs.push({ check, on: id, outcome });
    const event = (name: string, data: unknown): string => `event: ${name}\ndata: ${JSON.stringify(data)}\n\n`;
    const end =
      outcome === "fails" ? event("error", { error: "ValueError", message: "broken" }) : event("values", { a: 1 });
    response.writeHead(200, { "content-type": "text/event-stream" }).end(event("metadata", { run_id: "r-1" }) + end);
  }

  private async serving(): Promise<Serving> {
    const { id, active_revision_id: active, latest_revision_id: latest } = await this.deployment();
    if (active === null) return { id: "", image: "", coming: latest ?? undefined };
    const of = async (revision: string) =>
      Revision.parse(await this.ask("GET", `/v2/deployments/${id}/revisions/${revision}`));
    const { image_uri: image } = (await of(active)).source_revision_config;
    return { id: active, image, coming: latest === active ? undefined : (latest ?? undefined) };
  }

  private async deployment(): Promise<z.output<typeof Deployment>> {
    const list = z.object({ resources: z.array(Deployment) }).parse(await this.ask("GET", "/v2/deployments"));
    const [only] = list.resources;
    if (only === undefined) throw new Error("no deployment");
    return only;
  }

  private async first(path: string): Promise<string> {
    const list = z
      .object({ resources: z.array(z.object({ id: z.string() })) })
      .parse(await this.ask("GET", `${path}/revisions?limit=100`));
    return list.resources.at(-1)?.id ?? "";
  }

  /** Past the gate. */
  private async ask(method: string, path: string, body?: unknown): Promise<unknown> {
    const { url, apiKey } = this.emulator;
    const headers = { "X-Api-Key": apiKey, "Content-Type": "application/json" };
    const known = this.emulator.requests.length;
    const response = await fetch(url + path, {
      method,
      headers,
      ...(body !== undefined && { body: JSON.stringify(body) }),
    });
    for (const { seq } of this.emulator.requests.slice(known)) this.others.add(seq);
    if (!response.ok) throw new Error(`${method} ${path} answered ${response.status}: ${await response.text()}`);
    return response.json();
  }
}

interface RunOptions {
  readonly refresh: boolean;
  readonly turns: readonly [number, number] | undefined;
  readonly does: (number: number, isEnd?: boolean) => Promise<"kill" | undefined>;
}
