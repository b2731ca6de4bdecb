import type { Clock } from "../base/clock";
import { resolveConnection, type Connection, type Resolved, type Ways } from "../base/connection";
import { AgentPlatformError } from "../base/errors";
import type { Setting } from "../base/settings";
import { createSend } from "../http/client";
import type { Send } from "../http/request";
import type { Log } from "../lifecycle/observe/context";
import type { Resource } from "../lifecycle/defined";
import { createSession, type Session } from "../lifecycle/session";
import type { ResourceType } from "../resources/resource-types";
import { openResource } from "../resources/registry";

/**
 * Where a connection comes from: the one that `configured` names (a `Platform`, a stack's configuration, options), else the environment; the
 * address and the credentials are taken from one of the two as a whole. `ways` says how else a setting is set, if not by a stack or a `Platform`.
 */
export type ConnectionSource = readonly [
  configured: (setting: Setting) => string | undefined,
  environment: NodeJS.ProcessEnv,
  ways?: Ways,
];

/** A connection of a function or a tool, outside of the engine. */
export interface PlatformClient {
  readonly connection: Connection;
  /** Sends to the control plane. */
  readonly send: Send;
  /** The resource of a kind, over this connection; the same one each time. */
  readonly resource: (kind: ResourceType) => Resource;
}

/** Throws AgentPlatformError with everything that is wrong with the configuration. */
export function openClient(
  [configured, environment, ways]: ConnectionSource,
  { log, clock }: { readonly log?: Log; readonly clock?: Clock | undefined } = {},
): PlatformClient {
  const session = createSession({ environment, ...(log && { log }), ...(clock && { clock }) });
  return clientOf(resolveConnection(configured, environment, ways), session);
}

/** The same for a connection that is resolved, in a session of the caller. */
export function clientOf(resolved: Resolved, session: Session): PlatformClient {
  if ("problems" in resolved) throw new AgentPlatformError(resolved.problems.map(({ reason }) => reason).join("\n"));
  const { connection } = resolved;
  const resources = new Map<ResourceType, Resource>();
  const resource = (kind: ResourceType): Resource => {
    const known = resources.get(kind);
    if (known !== undefined) return known;
    const opened = openResource(kind, session);
    opened.connect(resolved);
    resources.set(kind, opened);
    return opened;
  };
  return { connection, send: createSend(connection, connection.baseUrl, session), resource };
}
