import { revisions, type ActiveFault, type FaultInput, type RevisionOutcome } from "../../../emulator";
import { progressOf, type RevisionRecord } from "../../../emulator/platform/revision-record";
import { messageOf } from "../../../provider/base/errors";
import { MANAGED_TYPES, type ResourceType } from "../../../provider/resources/resource-types";

import { PlatformUnderTest } from "../../support/platform-under-test";
import { EngineModel } from "../../support/engine-model";
import { makes } from "../makes";
import type { Subject } from "../subjects";
import type { Weather } from "./steps";
import { Witness } from "./witness";
import { OURS, THEIRS, type World } from "./worlds";
import type { Handler } from "../../../provider/dynamic/handler";

const TYPED = ["AgentPlatformError", "HttpError", "TransportError", "AnswerError"];
const MODELLED = ["SandboxTemplate", "OAuthProvider", "Deployment", "Rollout"] as const;
/** In an error of a wait that the revision itself ended, or another one that took its place. */
const OF_THE_REVISION = /ended as [A-Z_]+_FAILED|is still |is not as declared/;

/** The platform of a world with two workspaces, a key for each, and a witness of all requests. */
export class Ground {
  weather: Weather | undefined;
  /** Broken promises. */
  readonly breaches: string[] = [];
  /** How the next revisions end. */
  outcome: RevisionOutcome = "DEPLOYED";
  /** The revisions that our requests made. */
  readonly made = new Set<string>();

  private constructor(
    readonly world: World,
    readonly platform: PlatformUnderTest,
    private readonly witness: Witness,
    private readonly handlers: ReadonlyMap<string, Handler>,
  ) {}

  static async start(world: World): Promise<Ground> {
    const witness = new Witness();
    const made: { ground?: Ground } = {};
    const platform = await PlatformUnderTest.start({
      anyListener: true,
      buildSeconds: 5,
      tenants: [OURS, THEIRS],
      layers: [witness],
      revisionOutcome: () => made.ground?.outcome,
      ...world.emulator,
    });
    const handlers = new Map<string, Handler>();
    for (const { apiKey } of [OURS, THEIRS]) {
      for (const kind of MODELLED) {
        handlers.set(`${apiKey} ${kind}`, await platform.handler(kind, { ...world.settings, apiKey }));
      }
    }
    return (made.ground = new Ground(world, platform, witness, handlers));
  }

  get emulator() {
    return this.platform.emulator;
  }

  /** Whether this platform can show everything. */
  get showsProviders(): boolean {
    return this.world.emulator.contract !== "documented";
  }

  /** Whether this platform can delete and change everything. */
  get isWhole(): boolean {
    return this.world.emulator.contract !== "documented";
  }

  resource(kind: ResourceType, apiKey: string = OURS.apiKey): EngineModel {
    const handler = this.handlers.get(`${apiKey} ${kind}`);
    if (handler === undefined) throw new Error(`no handler of ${kind}`);
    return new EngineModel(this.watched(kind, handler), kind);
  }

  reset(): void {
    this.platform.reset();
    this.platform.clock.advance(86_400_000);
    this.weather = undefined;
    this.outcome = "DEPLOYED";
    this.witness.begin();
    this.breaches.length = 0;
    this.made.clear();
  }

  /** One command: a process of its own, in this weather. Returns the warnings that it printed. */
  async command(act: () => Promise<void>): Promise<readonly string[]> {
    this.platform.newProcess();
    const { weather } = this;
    const from = this.platform.warnings.length;
    const on = weather?.during === "command" ? this.emulator.faults.add(weather.fault) : undefined;
    try {
      await act();
    } finally {
      on?.remove();
    }
    return this.platform.warnings.slice(from);
  }

  revisionsOf(deploymentId: string): readonly RevisionRecord[] {
    const all = this.emulator.outOfBand(revisions).list();
    return all.filter(({ deployment_id: of }) => of === deploymentId);
  }

  /** The revision that really serves, whatever answers say. */
  servingOf(deploymentId: string): RevisionRecord | undefined {
    const now = this.platform.clock.now();
    return this.revisionsOf(deploymentId)
      .filter((each) => progressOf(each, now).status === "DEPLOYED")
      .at(-1);
  }

  /** A request by hand, with a key. */
  async make(subject: Subject, declared: Parameters<Subject["make"]>[1]): Promise<void> {
    await subject.make(this.platform, declared);
  }

  private watched(kind: ResourceType, handler: Handler): Handler {
    const named = MANAGED_TYPES.some((managedType) => managedType === kind);
    return {
      configure: () => Promise.resolve(),
      check: (olds, news) => handler.check(olds, news),
      diff: async (id, olds, news) => {
        const diff = await handler.diff(id, olds, news);
        // The option of every class whose natural key can be taken (sdk/resource.ts): the engine then does not ask diff.
        return { ...diff, deleteBeforeReplace: diff.deleteBeforeReplace || (named && diff.replaces.length > 0) };
      },
      create: (news) => this.during(kind, "create", () => handler.create(news)),
      read: (id, props) => this.during(kind, "read", () => handler.read(id, props)),
      update: (id, olds, news) => this.during(kind, "update", () => handler.update(id, olds, news)),
      delete: (id, props) => this.during(kind, "delete", () => handler.delete(id, props)),
    };
  }

  private async during<T>(kind: ResourceType, verb: string, act: () => Promise<T>): Promise<T> {
    const before = new Set(this.revisionIds());
    this.witness.begin();
    const isWait = kind === "Rollout" && (verb === "create" || verb === "update");
    const on = isWait && this.weather?.during === "wait" ? this.switchOn(this.weather.fault) : undefined;
    try {
      return await act();
    } catch (error) {
      this.judgeError(`${kind} ${verb}`, error, on);
      throw error;
    } finally {
      on?.remove();
      this.judgeRequests(
        `${kind} ${verb}`,
        this.revisionIds().filter((id) => !before.has(id)),
      );
    }
  }

  private switchOn(fault: FaultInput): ActiveFault {
    return this.emulator.faults.add(fault);
  }

  private judgeError(what: string, error: unknown, on: ActiveFault | undefined): void {
    const name = error instanceof Error ? error.name : "";
    if (!TYPED.includes(name)) this.breaches.push(`${what} threw ${messageOf(error)}`);
    if (on !== undefined && on.fired > 0 && !OF_THE_REVISION.test(messageOf(error))) {
      this.breaches.push(`a wait did not outlive "${this.weather?.name ?? ""}": ${messageOf(error)}`);
    }
  }

  private judgeRequests(what: string, newRevisions: readonly string[]): void {
    const posts = this.witness.witnessed.filter(({ method, path }) => makes(method, path));
    const first = posts.findIndex(({ status }) => status !== undefined && status < 300);
    if (first >= 0 && posts.slice(first + 1).some(({ status }) => status !== undefined)) {
      this.breaches.push(`doubled: ${what} sent another POST after one that had made it`);
    }
    const isTold = this.world.hidesRevisions !== true || this.weather?.fault.kind !== "reset-after-commit";
    if (newRevisions.length > 1 && isTold) this.breaches.push(`doubled: ${what} made ${newRevisions.length} revisions`);
    for (const id of newRevisions) this.made.add(id);
    if (this.witness.isEndless) this.breaches.push(`${what} went on until it was cut off`);
    this.witness.begin();
  }

  private revisionIds(): string[] {
    const all = this.emulator.outOfBand(revisions).list();
    return all.map(({ id }) => id);
  }
}
