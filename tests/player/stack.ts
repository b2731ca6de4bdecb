import { AgentPlatformError, messageOf } from "../../provider/base/errors";
import type { JsonObject } from "../../provider/base/json";
import type { Handler } from "../../provider/dynamic/handler";
import { RequestLimit, RequestLimits } from "../../provider/http/limiter";
import { Declarations } from "../../provider/lifecycle/observe/declarations";
import { Ownership } from "../../provider/lifecycle/identity/ownership";
import { createSession } from "../../provider/lifecycle/session";
import { RESOURCES } from "../../provider/resources/registry";
import { RESOURCE_TYPES, type ResourceType } from "../../provider/resources/resource-types";
import type { Stored } from "../conformance/cases";
import { EngineModel } from "../support/engine-model";
import { configured } from "../support/platform-under-test";
import {
  argumentsOf,
  canRepeat,
  hasRevisions,
  isObjectType,
  isOfAgent,
  keyOf,
  nameOf,
  type Declaration,
} from "./declarations";
import { apiKeyOf, collectionOf, type World } from "./world";

/** What a stack is like. */
export interface StackOptions {
  /** Its name in its backend, which is in each row. @default its name here */
  readonly name?: string;
  /** The key that the provider of the native plugin keeps. @default none, as with dynamic resources */
  readonly key?: string;
  /** More settings of its provider. */
  readonly settings?: Readonly<Record<string, string>>;
  /** Its API key opens another workspace. @default the same one */
  readonly isElsewhere?: boolean;
  /** Wraps the handler of each resource. @default none does */
  readonly watch?: (handler: Handler, type: ResourceType, key: string) => Handler;
  /** It keeps to the platform's limit of requests, and waits as a Retry-After asks. @default false: no schedule has to wait for that */
  readonly isLimited?: boolean;
}

/** How a command ended. */
export interface Ran<T = unknown> {
  readonly isGreen: boolean;
  /** What it came to, or how it failed. */
  readonly got?: T;
  readonly error?: unknown;
  /** Its error; "" where it is green. */
  readonly said: string;
  readonly warnings: readonly string[];
  /** The lasting lines that warn of nothing. */
  readonly lines: readonly string[];
}

const NO_TIME = { now: () => 0, sleep: () => Promise.resolve() };

/** Tells the schedule what is under way. Without a limit, each request is admitted: they are not what is scarce here. */
class CountedLimit extends RequestLimit {
  constructor(
    private readonly sends: () => () => void,
    private readonly limit?: RequestLimit,
  ) {
    super(1, 1, NO_TIME);
  }

  override async admit(turn: Parameters<RequestLimit["admit"]>[0]) {
    const ended = this.limit === undefined ? () => undefined : await this.limit.admit(turn);
    if (ended === undefined) return undefined;
    const answered = this.sends();
    return (refusedForMs?: number) => {
      ended(refusedForMs);
      answered();
    };
  }
}
class CountedLimits extends RequestLimits {
  constructor(
    private readonly sends: () => () => void,
    private readonly limits?: RequestLimits,
  ) {
    super(NO_TIME);
  }

  override of(...identity: Parameters<RequestLimits["of"]>): RequestLimit {
    return new CountedLimit(this.sends, this.limits?.of(...identity));
  }
}

/** How the engine begins the line about a row whose creation was under way as a command was killed; each row is named once. */
export const INTERRUPTED = "interrupted while creating ";

/** One process with its resources, each under a key of its own; a deployment's Rollout has that of the deployment. */
export class Stack {
  /** Its processes can tell each other nothing: the disk is full. */
  isFull = false;
  private readonly ownership = this.newOwnership();
  private readonly writes = { count: 0 };
  private readonly declarations = new Declarations();
  private readonly handlers = new Map<string, Handler>();
  private readonly models = new Map<string, EngineModel>();
  private kept: ReadonlyMap<string, Pick<EngineModel, "state" | "replaced">> = new Map();
  /** The rows that a command is creating, and those that a killed one was. */
  private creating: string[] = [];
  private pending: string[] = [];
  private warnings: string[] = [];
  private lines: string[] = [];

  private constructor(
    private readonly world: World,
    readonly who: string,
    private readonly options: StackOptions,
  ) {}

  static async open(world: World, who: string, options: StackOptions): Promise<Stack> {
    const stack = new Stack(world, who, options);
    for (const type of RESOURCE_TYPES) stack.handlers.set(type, await stack.handler(type, who));
    return stack;
  }

  /** A resource whose requests are those of a part of this process. */
  async addPart(part: string, type: ResourceType): Promise<void> {
    this.handlers.set(`${type} ${part}`, await this.handler(type, part));
  }

  /** What it makes a key of. */
  get row(): string {
    return `${this.options.key ?? ""} ${this.options.name ?? this.who}`;
  }

  reset(): void {
    this.models.clear();
    [this.creating, this.pending] = [[], []];
  }

  model(type: ResourceType, key = "it"): EngineModel {
    const place = `${type} ${key}`;
    const known = this.models.get(place);
    if (known !== undefined) return known;
    const handler = this.handlers.get(place) ?? this.handlers.get(type);
    if (handler === undefined) throw new Error(`no handler of ${type}`);
    const model = new EngineModel(this.options.watch?.(handler, type, key) ?? handler, type);
    this.models.set(place, model);
    return model;
  }

  of(declaration: Declaration): EngineModel {
    return this.model(declaration.type, keyOf(declaration));
  }

  private newOwnership(): Ownership {
    return new Ownership((entry) => {
      if (this.isFull) throw new AgentPlatformError("ENOSPC: no space left on device");
      return [entry];
    });
  }

  /** The object of its state, as the platform has it. */
  object(declaration: Declaration): Stored | undefined {
    const { state } = this.of(declaration);
    return state && this.world.objects(declaration.type).find(({ id }) => id === state.id);
  }

  /** The ids of what the stack holds, also of what it has replaced and not deleted yet. */
  held(type: ResourceType): string[] {
    const own = [...this.models].flatMap(([place, model]) => (place.startsWith(`${type} `) ? [model] : []));
    return own.flatMap(({ state, replaced }) => [state, ...replaced].flatMap((each) => each?.id ?? []));
  }

  /** One command in a process of its own. What a killed one did in its last step, its state does not know. */
  async command<T>(act: () => Promise<T>): Promise<Ran<T>> {
    Object.assign(this.ownership, this.newOwnership());
    Object.assign(this.declarations, new Declarations());
    this.writes.count += 1;
    [this.warnings, this.lines] = [this.pending.splice(0).map((row) => INTERRUPTED + row), []];
    const ended = await act().then(
      (got) => ({ isGreen: true, said: "", got }),
      (error: unknown) => ({ isGreen: false, said: messageOf(error), error }),
    );
    const { warnings, lines } = this;
    if (!this.world.isKilled(this.who)) return { ...ended, warnings, lines };
    for (const [place, model] of this.models) {
      const { state, replaced = [] } = this.kept.get(place) ?? {};
      Object.assign(model, { state, replaced });
    }
    return { isGreen: false, said: "killed", warnings, lines };
  }

  /** The state as the engine has written it by now. */
  noteKill(): void {
    const copyOf = ({ state, replaced }: EngineModel) => structuredClone({ state, replaced });
    this.kept = new Map([...this.models].map(([place, model]) => [place, copyOf(model)]));
    this.pending = [...this.creating];
  }

  /** @param over Arguments beside the declared ones: `adopt`. */
  async up(declaration: Declaration, over: JsonObject = {}): Promise<void> {
    await this.upAlone(declaration, over);
    if (hasRevisions(declaration.type)) await this.rollOut(declaration);
  }

  /** A deployment without its Rollout. */
  async upAlone(declaration: Declaration, over: JsonObject = {}): Promise<void> {
    await this.of(declaration).up({ ...argumentsOf(declaration), ...this.givenTo(declaration), ...over });
  }

  async rollOut(declaration: Declaration): Promise<void> {
    const { id, outputs } = this.of(declaration).current;
    await this.model("Rollout", keyOf(declaration)).up({
      deploymentId: id,
      revisionId: outputs["latestRevisionId"],
      deploymentName: nameOf(declaration),
      followsPushes: false,
      rolloutTimeout: "3m",
    });
  }

  /** What the class adds, or the native plugin knows: the row, and whose agent has it. */
  givenTo(declaration: Declaration): JsonObject {
    const { who, options } = this;
    const { type } = declaration;
    const isNative = options.key !== undefined && "__progressUrn" in RESOURCES[type].table.fields;
    if (!canRepeat(type) && !isNative) return {};
    const row = `urn:pulumi:${options.name ?? who}::test::agent-platform:index:${type}::${keyOf(declaration)}`;
    return { __progressUrn: row, ...this.placeOf(declaration) };
  }

  placeOf(declaration: Declaration): JsonObject {
    const { agents, emulator } = this.world;
    return isOfAgent(declaration.type) ? agents.placeOf(declaration, emulator.url) : {};
  }

  /** True where it shows drift. */
  async refresh(declaration: Declaration): Promise<boolean> {
    const [model, rollout] = [this.of(declaration), this.model("Rollout", keyOf(declaration))];
    const isThere = (): boolean => model.hasState;
    if (!isThere()) return false;
    const drift = await model.refresh();
    if (!isThere()) rollout.state = undefined;
    return (rollout.hasState && (await rollout.refresh())) || drift;
  }

  async destroy(declaration: Declaration): Promise<void> {
    await this.model("Rollout", keyOf(declaration)).destroy();
    await this.of(declaration).destroy();
  }

  private async handler(type: ResourceType, who: string): Promise<Handler> {
    const { world, ownership, writes, declarations, options } = this;
    const collection = collectionOf(type);
    const created = createSession({
      log: {
        progress: () => undefined,
        finishProgress: () => Promise.resolve(),
        warn: (message) => void this.warnings.push(message),
        info: (message) => void this.lines.push(message),
        alike: () => undefined,
        debug: () => undefined,
      },
      clock: { now: () => world.now(), sleep: (milliseconds) => world.tick(who, milliseconds, collection) },
      random: () => 0.5,
      writes,
      ownership,
      declarations,
    });
    const kept = options.isLimited === true ? created.limits : undefined;
    const session = { ...created, limits: new CountedLimits(() => world.schedule.send(who), kept) };
    const settings = { baseUrl: world.emulator.url, apiKey: apiKeyOf(who), ...options.settings };
    const plain = await configured(type, session, settings, options.key);
    const written = <T>(answer: Promise<T>): Promise<T> => answer.finally(() => world.written(who));
    const handler: Handler = {
      ...plain,
      create: async (inputs) => {
        this.creating.push(type);
        return written(plain.create(inputs)).finally(() => this.creating.splice(this.creating.indexOf(type), 1));
      },
      update: (...given) => written(plain.update(...given)),
      delete: (...given) => written(plain.delete(...given)),
    };
    if (!isObjectType(type) || (canRepeat(type) && !isOfAgent(type))) return handler;
    // The option of every class whose natural key can be taken (sdk/resource.ts): the engine then does not ask diff.
    const diff: Handler["diff"] = async (...given) => {
      const found = await handler.diff(...given);
      return { ...found, deleteBeforeReplace: found.deleteBeforeReplace || found.replaces.length > 0 };
    };
    return { ...handler, diff };
  }
}
