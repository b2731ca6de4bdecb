import { deployments, oauthProviders, revisions, sandboxTemplates } from "../../../emulator";
import type { ResourceType, ManagedType } from "../../../provider/resources/resource-types";
import type { JsonObject } from "../../../provider/base/json";
import { PlatformUnderTest } from "../../support/platform-under-test";
import type { EngineModel } from "../../support/engine-model";
import { SUBJECTS, type Declared, type Stored, type Subject } from "../subjects";
import { Spoiler } from "./spoiler";
import type { Contract } from "../../../provider/base/connection";

/** The contract of each side. */
export interface World {
  readonly name: string;
  readonly platform: Contract;
  readonly provider: Contract;
}

export const EXTENDED: World = { name: "extended", platform: "extended", provider: "extended" };
export const DOCUMENTED: World = { name: "documented", platform: "documented", provider: "documented" };
/** The default configuration against a platform that offers less. */
export const DEGRADED: World = {
  name: "extended, at a documented platform",
  platform: "documented",
  provider: "extended",
};

/** The texts that no message may hold. */
export const API_KEY = "canary-api-key";

const BYSTANDERS = [900, 901];

export function subjectOf(kind: ManagedType): Subject {
  const subject = SUBJECTS.find((each) => each.kind === kind);
  if (subject === undefined) throw new Error(`no subject of ${kind}`);
  return subject;
}

type State = EngineModel["state"];

/** Everything at one moment: the objects of the platform, and the state of each resource. */
interface Snapshot {
  readonly at: number;
  readonly put: readonly ((by: number) => void)[];
  readonly states: readonly (readonly [ResourceType, State])[];
  readonly got: { readonly id: string; readonly props: JsonObject } | undefined;
}

/** One platform with a spoiler in front, and a resource of each kind. */
export class Stage {
  /** The result of the latest `.get`. */
  got: { readonly id: string; readonly props: JsonObject } | undefined;

  private constructor(
    readonly world: World,
    readonly platform: PlatformUnderTest,
    readonly spoiler: Spoiler,
    private readonly models: ReadonlyMap<ResourceType, EngineModel>,
  ) {}

  static async start(world: World): Promise<Stage> {
    const spoiler = new Spoiler();
    const { platform: contract } = world;
    const options = { contract, buildSeconds: 0.5, apiKey: API_KEY, anyListener: true, layers: [spoiler] };
    const platform = await PlatformUnderTest.start(options);
    const models = new Map<ResourceType, EngineModel>();
    for (const kind of ["SandboxTemplate", "OAuthProvider", "Deployment", "Rollout"] as const) {
      models.set(kind, await platform.resource(kind, { contract: world.provider }));
    }
    return new Stage(world, platform, spoiler, models);
  }

  close(): Promise<void> {
    return this.platform.close();
  }

  model(kind: ResourceType): EngineModel {
    const model = this.models.get(kind);
    if (model === undefined) throw new Error(`no model of ${kind}`);
    return model;
  }

  objects(kind: ManagedType): Stored[] {
    return subjectOf(kind).objects(this.platform.emulator);
  }

  make(kind: ManagedType, declared: Declared): Promise<unknown> {
    return subjectOf(kind).make(this.platform, declared);
  }

  /** The revisions of all deployments. */
  revisionIds(): readonly string[] {
    const all = this.platform.emulator.outOfBand(revisions).list();
    return all.map(({ id }) => id);
  }

  /** An empty platform with some objects of others. */
  async begin(): Promise<void> {
    this.spoiler.begin(undefined);
    this.platform.reset();
    this.platform.clock.advance(60_000);
    for (const model of this.models.values()) model.state = undefined;
    this.got = undefined;
    for (const { kind } of SUBJECTS.filter(({ kind: each }) => this.models.has(each))) {
      for (const name of BYSTANDERS) await this.make(kind, { name, fixed: 1, values: {} });
    }
  }

  snapshot(): Snapshot {
    const { store } = this.platform.emulator;
    const shifted = (time: string, by: number) => new Date(Date.parse(time) + by).toISOString();
    const times = <T extends { created_at: string; updated_at: string }>(record: T, by: number): T => ({
      ...record,
      created_at: shifted(record.created_at, by),
      updated_at: shifted(record.updated_at, by),
    });
    const put = [
      ...sandboxTemplates
        .in(store)
        .all()
        .map((each) => (by: number) => void sandboxTemplates.in(store).put(times(each, by))),
      ...oauthProviders
        .in(store)
        .all()
        .map((each) => (by: number) => void oauthProviders.in(store).put(times(each, by))),
      ...deployments
        .in(store)
        .all()
        .map((each) => (by: number) => void deployments.in(store).put(times(each, by))),
      ...revisions
        .in(store)
        .all()
        .map((each) => (by: number) => {
          revisions.in(store).put({ ...times(each, by), visible_from: shifted(each.visible_from, by) });
        }),
    ];
    const states = [...this.models].map(([kind, { state }]) => [kind, state && structuredClone(state)] as const);
    return { at: this.platform.clock.now(), put, states, got: this.got };
  }

  /** As in the snapshot, at another time. */
  restore({ at, put, states, got }: Snapshot): void {
    this.spoiler.begin(undefined);
    this.platform.reset();
    this.platform.clock.advance(60_000);
    const by = this.platform.clock.now() - at;
    for (const each of put) each(by);
    for (const [kind, state] of states) this.model(kind).state = state && structuredClone(state);
    this.got = got;
  }
}
