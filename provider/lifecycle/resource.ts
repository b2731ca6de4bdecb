import type { Resolved } from "../base/connection";
import type { JsonObject } from "../base/json";
import { Checker, type Difference, type Findings } from "./checks";
import type { ResourceDefinition } from "./definition";
import { describe, namedVerb, nameOf, workOf } from "./naming";
import type { Call, State } from "./observe/context";
import { createReader, type Reader } from "./observe/reader";
import { ResourceClient, type AskWorkspace } from "./resource-client";
import type { Session } from "./session";
import { Verbs, type CreatedState, type ReadState } from "./verbs";

/**
 * A resource of the platform: the lifecycle rules that hold for every kind, applied to its definition. It deals in problems, changes, states
 * and observations; provider/dynamic and provider/native translate for the engine. Every verb throws AgentPlatformError.
 */
export interface Resource {
  readonly kind: string;
  /** Reads objects that no state holds, through the same connection. */
  readonly reader: Reader;
  /** Connects to this platform from now on. Problems of the configuration are kept for `check`, which reports them in full. */
  connect(resolved: Resolved): void;
  /**
   * No request is sent. Names the secrets that differ on the row of the resource, once for each.
   * @param before The inputs in state; empty for a new resource. @param urn Where the arguments do not have it.
   */
  check(before: JsonObject, inputs: JsonObject, urn?: string): Findings;
  /** No request is sent. Values of the inputs may be unknown. */
  diff(state: State, inputs: JsonObject): Difference;
  /**
   * The problems that `up` would meet, as far as the platform shows them; nothing is changed. Asks only where `preview` is "online", about a new
   * resource or one that changes, and until this process has written. @param before As for {@link check}.
   */
  previewOnline(before: JsonObject, inputs: JsonObject, urn?: string): Promise<readonly string[]>;
  /**
   * The outputs of an object after its creation, or an update to these inputs, as far as they are known before it. Values of the inputs may be
   * unknown. @param before The outputs in state; empty for a new object.
   */
  preview(inputs: JsonObject, before: JsonObject): JsonObject;
  create(inputs: JsonObject, call?: Call): Promise<CreatedState>;
  /**
   * An object that no state holds, by its id or its natural key: its state, with its shortest declaration as the inputs. Undefined if it does not exist.
   * @param urn Of the resource that is to have it.
   */
  find(key: string, urn: string): Promise<ReadState | undefined>;
  /** Undefined if the object is gone: the platform said so, twice if there is only a list to go by. */
  read(state: State, call?: Call): Promise<ReadState | undefined>;
  /** The outputs after the update. */
  update(state: State, inputs: JsonObject, call?: Call): Promise<JsonObject>;
  delete(state: State, call?: Call): Promise<void>;
}

/** A definition, opened for one process. Each verb is a span, and its errors name the object. */
export function createResource<Inputs, Live>(
  definition: ResourceDefinition<Inputs, Live>,
  session: Session,
  askWorkspace: AskWorkspace,
): Resource {
  const { kind } = definition;
  const { tracer } = session;
  const client = new ResourceClient(definition, session, askWorkspace);
  const reader = createReader(definition, client);
  const checks = new Checker(definition, session, client);
  const verbs = new Verbs(definition, session, client, reader);
  const goneOrDone = (read: ReadState | undefined): string => (read === undefined ? "gone" : "done");
  return {
    kind,
    reader,
    connect: (resolved) => client.connect(resolved),
    check: (before, inputs, urn) => checks.check(before, inputs, urn),
    diff: (state, inputs) => checks.diff(state, inputs),
    previewOnline: (before, inputs, urn) => checks.previewOnline(before, inputs, urn),
    preview: (inputs, before) => checks.preview(inputs, before),
    create(inputs, call) {
      const outcomeOf = ({ unfinished }: CreatedState): string => (unfinished === undefined ? "done" : "unfinished");
      const work = workOf(definition, "create", inputs, call);
      return namedVerb(tracer, describe(definition, inputs), work, () => verbs.create(inputs, call), outcomeOf);
    },
    find(key, urn) {
      const work = workOf(definition, "read", {}, { urn });
      return namedVerb(tracer, `${kind} "${key}"`, work, () => verbs.find(key, urn), goneOrDone);
    },
    read(state, call) {
      const work = workOf(definition, "read", state.outputs, call);
      return namedVerb(tracer, nameOf(definition, state), work, () => verbs.read(state, call), goneOrDone);
    },
    update(state, inputs, call) {
      const work = workOf(definition, "update", inputs, call);
      return namedVerb(tracer, nameOf(definition, state), work, () => verbs.update(state, inputs, call));
    },
    delete(state, call) {
      const work = workOf(definition, "delete", state.outputs, call);
      return namedVerb(tracer, nameOf(definition, state), work, () => verbs.delete(state, call));
    },
  };
}
