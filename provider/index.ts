import { createHandler } from "./dynamic/handler";
import type { Handler } from "./dynamic/protocol";
import { sendingLastSpans, watchEngine } from "./engine/liveness";
import { engineJournal } from "./engine/journal";
import { engineLog } from "./engine/log";
import { RESOURCE_TYPES, type ResourceType } from "./resources/resource-types";
import { Ownership } from "./lifecycle/identity/ownership";
import { createSession } from "./lifecycle/session";
import { openResource } from "./resources/registry";
import { openTracer } from "./tracing/tracer";

type Handlers = Readonly<Record<ResourceType, Handler>>;

const engine = engineOf(process.argv);
const log = engineLog(engine);
const tracer = openTracer(process.env, (message) => log.warn(message));
const checkAlive = sendingLastSpans(tracer, engine, watchEngine(engine));
// In any other process, such as a test, there are no other plugins to tell.
const ownership = new Ownership(engine === undefined ? undefined : engineJournal(engine), (message) =>
  log.warn(message),
);
const session = createSession({ environment: process.env, log, tracer, checkAlive, ownership });

const make = (kind: ResourceType): Handler => createHandler(openResource(kind, session), session);

const isComplete = (object: object): object is Handlers => RESOURCE_TYPES.every((kind) => kind in object);

function lazyHandlers(): Handlers {
  const getters = RESOURCE_TYPES.map((kind) => [kind, { enumerable: true, get: () => make(kind) }] as const);
  const object: object = Object.defineProperties({}, Object.fromEntries(getters));
  if (!isComplete(object)) throw new Error("a kind has no handler");
  return object;
}

/**
 * The handlers by kind. Every state holds this module's path and this name (`providerString`): public API forever.
 * Each access returns a new handler: the plugin keeps it, and configures it once.
 */
export const handlers: Handlers = lazyHandlers();

/** The engine's address as the plugin for dynamic resources gets it; undefined in any other process, such as a test. */
function engineOf([, script = "", address = ""]: readonly string[]): string | undefined {
  return /dynamic-provider/.test(script) && /:\d+$/.test(address) ? address : undefined;
}
