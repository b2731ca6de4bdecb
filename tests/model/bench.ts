import { z } from "zod";
import { messageOf } from "../../provider/base/errors";
import type { ActiveFault, FaultKind, Layer } from "../../emulator";
import { RESOURCE_TYPES, MANAGED_TYPES, type ResourceType } from "../../provider/resources/resource-types";

import { PlatformUnderTest } from "../support/platform-under-test";
import { EngineModel } from "../support/engine-model";
import { CARRIER, KINDS, MISREADINGS, REQUEST_TIMEOUT_MS, type Plan, type Verb } from "./programs";
import { SUBJECTS, type Stored } from "./subjects";
import { makes } from "./makes";
import { Tally } from "./tally";
import type { Handler } from "../../provider/dynamic/handler";

/** The names of our errors (errors.ts): anything else that a verb throws is a bug of ours. */
const TYPED = ["AgentPlatformError", "HttpError", "TransportError", "AnswerError"];

/** A body of any POST, by the field that holds its natural key. */
const posted = z.union([
  z.object({ provider_id: z.string() }).transform(({ provider_id: key }) => key),
  z.object({ compute_id: z.string() }).transform(({ compute_id: key }) => key),
  z.object({ name: z.string() }).transform(({ name: key }) => key),
]);
const faultKind = z.custom<FaultKind>((value) => KINDS.some((kind) => kind === value));

interface Operation {
  readonly verb: Verb;
  readonly from: number;
  /** The objects that were there before. */
  readonly before: ReadonlySet<string>;
  readonly switched: readonly ActiveFault[];
}

/** The emulator, its handlers, and the faults that are on while a verb of them runs. One for all runs. */
export class Bench {
  /** Faults of the step under way. */
  plans: readonly Plan[] = [];
  readonly tally = new Tally();
  /** The kinds of faults that struck the last verb. */
  struck: ReadonlySet<FaultKind> = new Set();
  /** Broken promises; checked after every step. */
  readonly breaches: string[] = [];
  private operation: Operation | undefined;
  private readonly handlers = new Map<ResourceType, Handler>();

  private constructor(readonly platform: PlatformUnderTest) {}

  static async start(): Promise<Bench> {
    const made: { bench?: Bench } = {};
    const layer: Layer = {
      beforeRoute: ({ request, url, body }) => {
        if (makes(request.method, url.pathname)) made.bench?.watchPost(body);
        return Promise.resolve(undefined);
      },
    };
    const bench = new Bench(await PlatformUnderTest.start({ buildSeconds: 0.6, anyListener: true, layers: [layer] }));
    made.bench = bench;
    // Made once: every handler keeps its connections open. The patient one is for commands without faults.
    for (const kind of RESOURCE_TYPES) {
      const impatient = await bench.platform.handler(kind, { requestTimeout: String(REQUEST_TIMEOUT_MS / 1000) });
      bench.handlers.set(kind, bench.watched(kind, impatient, await bench.platform.handler(kind)));
    }
    return bench;
  }

  get emulator() {
    return this.platform.emulator;
  }

  resource(kind: ResourceType): EngineModel {
    const handler = this.handlers.get(kind);
    if (handler === undefined) throw new Error(`no handler of ${kind}`);
    return new EngineModel(handler, kind);
  }

  /** A day later, on an empty platform. */
  reset(): void {
    this.platform.reset();
    this.platform.clock.advance(86_400_000);
    this.plans = [];
    this.breaches.length = 0;
    // Its history of writes is kept only while such a fault is on; this one never strikes.
    this.emulator.faults.add({ kind: "stale-read", method: "OPTIONS" });
  }

  private watched(kind: ResourceType, impatient: Handler, patient: Handler): Handler {
    const handler = () => (this.plans.length > 0 ? impatient : patient);
    const named = MANAGED_TYPES.some((managedType) => managedType === kind);
    return {
      configure: () => Promise.resolve(),
      check: (olds, news) => handler().check(olds, news),
      diff: async (id, olds, news) => {
        const diff = await handler().diff(id, olds, news);
        // The option of every class whose natural key can be taken (sdk/resource.ts): the engine then does not ask diff.
        return { ...diff, deleteBeforeReplace: diff.deleteBeforeReplace || (named && diff.replaces.length > 0) };
      },
      create: (news) => this.during("create", () => handler().create(news)),
      read: (id, props) => this.during("read", () => handler().read(id, props)),
      update: (id, olds, news) => this.during("update", () => handler().update(id, olds, news)),
      delete: (id, props) => this.during("delete", () => handler().delete(id, props)),
    };
  }

  private async during<T>(verb: Verb, act: () => Promise<T>): Promise<T> {
    const { faults, requests } = this.emulator;
    const switched = this.plans.filter((plan) => plan.during === verb).map(({ fault }) => faults.add(fault));
    const before = new Set(this.objects().map(({ id }) => id));
    this.operation = { verb, from: requests.length, before, switched };
    try {
      const result = await act();
      this.ended(this.operation, undefined);
      return result;
    } catch (error) {
      this.ended(this.operation, error);
      throw error;
    } finally {
      for (const fault of switched) fault.remove();
      this.operation = undefined;
    }
  }

  private ended({ verb, from }: Operation, error: unknown): void {
    const struck = new Set<FaultKind>();
    for (const { fault, method } of this.emulator.requests.slice(from)) {
      const kind = faultKind.safeParse(fault);
      if (!kind.success) continue;
      struck.add(kind.data);
      const isLook = MISREADINGS.includes(kind.data) && method === "GET";
      if (method === CARRIER[verb] || isLook) this.tally.fired(kind.data, verb);
    }
    for (const kind of struck) {
      const counts = this.tally.of(kind);
      counts.tried += 1;
      counts[error === undefined ? "survived" : "failedCleanly"] += 1;
    }
    this.struck = struck;
    const name = error instanceof Error ? error.name : "";
    if (error !== undefined && !TYPED.includes(name)) this.breaches.push(`${verb} threw ${messageOf(error)}`);
  }

  /**
   * A platform that does not refuse a name twice would now hold two. After a stale look it cannot be known better: the look
   * is all that there is, and this platform's refusal then ends it.
   */
  private watchPost(body: string): void {
    const { operation } = this;
    if (operation === undefined) return;
    const key = posted.parse(JSON.parse(body));
    const made = this.objects().some((object) => object.name === key && !operation.before.has(object.id));
    const looks = this.emulator.requests.slice(operation.from);
    if (!made || looks.some(({ fault }) => fault === "stale-read")) return;
    this.breaches.push(`doubled: another POST of ${key}, which the one before had made`);
  }

  private objects(): Stored[] {
    return SUBJECTS.flatMap((subject) => subject.objects(this.emulator));
  }
}
