import { writeFileSync } from "node:fs";
import { join } from "node:path";
import {
  defaultTenantIds,
  deployments,
  revisions,
  startEmulator,
  type Emulator,
  type EmulatorOptions,
  type Exchange,
  type Layer,
  type RevisionOutcome,
} from "../../../emulator";
import { isObject, type JsonObject } from "../../../provider/base/json";
import { PLAYED, type ObjectType, type Place, type Stored } from "../../conformance/cases";
import { startAgentServer, type AgentServer } from "../../support/agent-server";
import { isKept, nameOf, tableOf, TYPES, wordsOf, type Declaration } from "./program";

/** The keys: two of one tenant, for a rotation, and one of another tenant. */
export const KEYS = { first: "key-first", second: "key-second", other: "key-other-tenant" } as const;
const OTHER_TENANT = "00000000-0000-4000-8000-00000000000b";
const LATE_MS = 700;
/** No clock ends a slow deletion: it lasts for so many commands, or so many looks at it, as one that waits for it sends them. */
const SLOW_DELETE = { commands: 2, looks: 6 } as const;
const DELETE_MS = 100;

interface Quirk {
  readonly why: string;
  readonly emulator?: EmulatorOptions;
  readonly agent?: { readonly filtersCrons: boolean };
  /** Settings of the stack. */
  readonly settings?: Readonly<Record<string, string>>;
}

/** What the platform is like for a whole run. */
export const QUIRKS = tableOf<Quirk>()({
  "names a revision late, null until then": {
    why: "a PATCH answers before the platform has made its revision",
    emulator: { lateRevision: { ms: LATE_MS, names: "none" }, nullLatestRevisionMs: LATE_MS },
  },
  "names a revision late, the old one until then": {
    why: "the same, where answers come from before",
    emulator: { lateRevision: { ms: LATE_MS, names: "the one before" }, nullLatestRevisionMs: LATE_MS },
  },
  "deletes slowly": { why: "a deletion by hand takes longer than a command or two" },
  "takes a second deployment of a name": {
    why: "no document says that names are unique",
    emulator: { sameNames: true },
  },
  "answers 404 for a revision that it has just named": {
    why: "official clients wait for it",
    emulator: { freshRevision404Ms: LATE_MS },
  },
  "names the active revision late": { why: "it follows the rollout by a moment", emulator: { staleActiveMs: LATE_MS } },
  "writes a cpu as a number": { why: "some answers do", emulator: { numericCpu: true } },
  "gives one item a page": { why: "each list has several pages then", emulator: { pageSize: 1 } },
  "shows names of secrets only": {
    why: "older versions do, so that nothing can be compared",
    emulator: { secrets: "names" },
  },
  "hides commands": { why: "older versions do", emulator: { hideCommands: true } },
  "has an agent that ignores filters": { why: "servers before 0.9 do", agent: { filtersCrons: false } },
  "offers what is documented": {
    why: "all other endpoints are missing",
    emulator: { contract: "documented" },
    settings: { contract: "documented" },
  },
});
export type QuirkName = keyof typeof QUIRKS;
export const QUIRK_NAMES = wordsOf(QUIRKS);

/** An object, wherever it is. */
export interface Live extends Stored {
  readonly type: ObjectType;
}
/** What ties it to a row of the state. */
export const keyOf = ({ type, id }: Pick<Live, "type" | "id">): string => `${type} ${id}`;

/** A request that can change something. */
export interface Write {
  readonly method: string;
  readonly path: string;
  readonly fields: readonly string[];
}

/** The emulator with what a player needs besides: agents that go with their deployments, outages, revoked keys, what each revision was made from. */
export class Platform {
  readonly revokedKeys = new Set<string>();
  /** The packages that have sent requests since this was cleared. */
  readonly askedBy = new Set<string>();
  /** Each may answer in place of the platform. */
  readonly outages = new Map<string, (exchange: Exchange) => Response | undefined>();
  /** The deployment as it was when each revision was made. */
  private madeFrom = new Map<string, JsonObject>();
  /** By the name of a deployment: how its next revision ends. */
  readonly outcomes = new Map<string, RevisionOutcome>();
  private running: Emulator | undefined;
  private hosted: readonly string[] = [];
  /** What is left of slow deletions, by the deployment's id. */
  private readonly slow = new Map<string, Record<keyof typeof SLOW_DELETE, number>>();

  private constructor(
    readonly quirks: readonly QuirkName[],
    readonly agent: AgentServer,
  ) {}

  static async start(quirks: readonly QuirkName[] = []): Promise<Platform> {
    const [agent] = quirks.flatMap((name) => QUIRKS[name].agent ?? []);
    const platform = new Platform(quirks, await startAgentServer(agent));
    platform.running = await startEmulator(platform.options());
    return platform;
  }

  private options(): EmulatorOptions {
    // Whatever the deployment is renamed to (program.ts, HOST).
    const names = Array.from({ length: 60 }, (_, n) => nameOf({ type: "Deployment", named: 1 + 10 * n }));
    return this.quirks.reduce<EmulatorOptions>((all, name) => ({ ...all, ...QUIRKS[name].emulator }), {
      buildSeconds: 0.2,
      anyListener: true,
      deleteSeconds: DELETE_MS / 1000,
      agents: Object.fromEntries(names.map((name) => [name, this.agent.url])),
      tenants: [
        { ...defaultTenantIds, apiKey: KEYS.first },
        { ...defaultTenantIds, apiKey: KEYS.second },
        { tenantId: OTHER_TENANT, organizationId: OTHER_TENANT, apiKey: KEYS.other },
      ],
      revisionOutcome: ({ deploymentName }) => this.takeOutcome(deploymentName),
      layers: [this.layer()],
    });
  }

  /** With the same address and these objects, as `emulator.store.snapshot()` has them. */
  async restart(objects: Readonly<Record<string, readonly unknown[]>>, folder: string): Promise<void> {
    const { port } = this.emulator;
    await this.emulator.close();
    const dataFile = join(folder, "platform.json");
    writeFileSync(dataFile, JSON.stringify({ format: "agent-platform-emulator", version: 1, data: objects }));
    this.outcomes.clear();
    this.slow.clear();
    this.madeFrom.clear();
    this.hosted = [];
    this.wentWithHost.clear();
    this.running = await startEmulator({ ...this.options(), port, dataFile });
    this.look();
  }

  get emulator(): Emulator {
    if (this.running === undefined) throw new Error("The platform was not started.");
    return this.running;
  }
  get url(): string {
    return this.emulator.url;
  }
  get settings(): Readonly<Record<string, string>> {
    return this.quirks.reduce((all, name) => ({ ...all, ...QUIRKS[name].settings }), {});
  }
  private get place(): Place {
    return { emulator: this.emulator, agents: { host: this.agent } };
  }

  objects(): Live[] {
    const gone = new Set(this.deployments(true).map(({ id }) => id));
    const all = TYPES.flatMap((type) => PLAYED[type].objects(this.place).map((stored) => ({ ...stored, type })));
    return all.filter(({ id }) => !gone.has(id));
  }
  /** An object of the declaration's name. */
  named(declared: Pick<Declaration, "type" | "named">): Live | undefined {
    return this.objects().find(({ type, name }) => type === declared.type && name === nameOf(declared));
  }
  change({ type, id }: Live, part: JsonObject): void {
    PLAYED[type].change(this.place, id, part);
  }
  /** Bypasses the API, and takes effect at once. */
  remove({ type, id }: Live): void {
    PLAYED[type].remove(this.place, id);
    this.look();
  }

  /** A deletion by hand takes long on some platforms; one of ours never does, since a command waits for it. */
  deletionBegan(id: string): void {
    if (!this.quirks.includes("deletes slowly")) return;
    this.slow.set(id, { ...SLOW_DELETE });
    this.emulator.outOfBand(deployments).change(id, { deleted_at: "9999-01-01T00:00:00.000Z" });
  }

  /** A command has ended, or a deployment was looked at: slow deletions come closer to their end. */
  passed(what: keyof typeof SLOW_DELETE, of?: string): void {
    for (const [id, left] of this.slow) {
      if (of !== undefined && of !== id) continue;
      left[what] -= 1;
      if (left[what] > 0) continue;
      this.slow.delete(id);
      this.emulator.outOfBand(deployments).change(id, { deleted_at: new Date(0).toISOString() });
      this.look();
    }
  }

  private takeOutcome(name: string): RevisionOutcome | undefined {
    const outcome = this.outcomes.get(name);
    this.outcomes.delete(name);
    return outcome;
  }

  /** The deployment as it was when the revision that serves was made; undefined where no revision serves. */
  serving(deploymentId: string): JsonObject | undefined {
    const now = Date.now();
    const finished = this.revisionsOf(deploymentId).filter(
      ({ outcome, superseded_at: superseded, created_at: made, build_ms: ms }) =>
        outcome === "DEPLOYED" && superseded === null && now >= Date.parse(made) + ms,
    );
    return this.madeFrom.get(finished.at(-1)?.id ?? "");
  }

  /** Whether the latest revision of a deployment failed or is stuck, or the next one will be. */
  hasUnfinishedBusiness(): boolean {
    return this.outcomes.size > 0 || this.hasUnfinishedRollout();
  }
  hasUnfinishedRollout(): boolean {
    const latest = this.deployments(false).flatMap(({ id }) => this.revisionsOf(id).slice(-1));
    return latest.some(({ outcome }) => outcome !== "DEPLOYED");
  }

  /** The last request so far. */
  get last(): number {
    return this.emulator.requests.at(-1)?.seq ?? 0;
  }
  /** The requests after that one which can change something; a search of an agent's is none. */
  writesSince(last: number): Write[] {
    const isWrite = (method: string, path: string): boolean =>
      method !== "GET" && !/\/(search|count|stream|\w+_logs)$/.test(path);
    return this.emulator.requests
      .filter(({ seq, method, path }) => seq > last && isWrite(method, path))
      .map(({ method, path, requestBody: body }) => ({
        method,
        path: path.split("?")[0] ?? path,
        fields: isObject(body) ? Object.keys(body) : [],
      }));
  }

  /** A request by hand. */
  async ask(method: string, path: string, body?: JsonObject): Promise<void> {
    const headers = { "x-api-key": KEYS.second, "content-type": "application/json" };
    const response = await fetch(this.url + path, { method, headers, body: body && JSON.stringify(body) });
    if (!response.ok) throw new Error(`${method} ${path} by hand: ${response.status} ${await response.text()}`);
  }

  async close(): Promise<void> {
    await this.emulator.close();
    await this.agent.close();
  }

  private revisionsOf(deploymentId: string) {
    const all = this.emulator.outOfBand(revisions).list();
    return all.filter(({ deployment_id: of }) => of === deploymentId);
  }

  /** Those whose deletion has ended, or the others. */
  private deployments(gone: boolean) {
    const all = this.emulator.outOfBand(deployments).list();
    const isGone = (at: string | null): boolean => at !== null && Date.now() >= Date.parse(at) + DELETE_MS;
    return all.filter((each) => isGone(each.deleted_at) === gone);
  }

  /** What agents kept that are gone. */
  readonly wentWithHost = new Set<string>();
  /** An agent's graphs have assistants of their own, which stay. */
  forgetKept(): void {
    for (const type of TYPES.filter(isKept))
      for (const { id } of PLAYED[type].objects(this.place)) {
        this.wentWithHost.add(keyOf({ type, id }));
        PLAYED[type].remove(this.place, id);
      }
  }

  /** Takes note of new revisions, and takes with a deployment what its agent kept. */
  private look(): void {
    const bodies = new Map(PLAYED.Deployment.objects(this.place).map(({ id, body }) => [id, body]));
    for (const { id, deployment_id: of } of this.emulator.outOfBand(revisions).list()) {
      const body = bodies.get(of);
      if (!this.madeFrom.has(id) && body !== undefined) this.madeFrom.set(id, body);
    }
    const hosts = this.deployments(false).flatMap(({ id, name }) => (isHost(name) ? [id] : []));
    if (this.hosted.some((id) => !hosts.includes(id))) this.forgetKept();
    this.hosted = hosts;
  }

  private layer(): Layer {
    return {
      beforeRoute: (exchange) => Promise.resolve(this.insteadOf(exchange)),
      afterCommit: (exchange, response) => {
        if (exchange.request.method !== "GET") this.look();
        return Promise.resolve(response);
      },
    };
  }

  private insteadOf(exchange: Exchange): Response | undefined {
    const { headers } = exchange.request;
    const [, looked] = /^\/v2\/deployments\/([^/]+)$/.exec(exchange.entry.path) ?? [];
    if (exchange.request.method === "GET" && looked !== undefined) this.passed("looks", looked);
    const asks = headers.get("user-agent") ?? "";
    if (asks.startsWith("pulumi-agent-platform/")) this.askedBy.add(asks);
    if (this.revokedKeys.has(headers.get("x-api-key") ?? ""))
      return Response.json({ detail: "This API key was revoked" }, { status: 401 });
    for (const [name, answer] of this.outages) {
      const response = answer(exchange);
      if (response === undefined) continue;
      exchange.entry.fault = name;
      return response;
    }
    return undefined;
  }
}

const isHost = (name: string): boolean => /-\d*1$/.test(name);
