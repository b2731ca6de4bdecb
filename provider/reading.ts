import { createSend } from "./http/client";
import type { Noun } from "./resources/kinds";
import { resolveConnection, type Connection, type Ways } from "./base/connection";
import { AgentPlatformError, isNotFound } from "./base/errors";
import type { JsonObject } from "./base/json";
import type { Setting } from "./base/settings";
import type { Reader } from "./lifecycle/reader";
import { createSession } from "./lifecycle/session";
import { openResource } from "./resources/registry";
import { getRevision } from "./resources/deployment/api";

export type { JsonObject } from "./base/json";
export type { Noun } from "./resources/kinds";
export type { Key, ReadObject, Reader } from "./lifecycle/reader";

/** Reads a platform for functions and tools, through the code that answers the engine. Nothing is changed. */
export interface PlatformReader {
  readonly connection: Connection;
  reader(kind: Noun): Reader;
  /** One revision of a deployment, the latest if no id is given. Throws if either does not exist. */
  revision(deploymentId: string, revisionId?: string): Promise<JsonObject>;
}

/**
 * A reader for the connection that `configured` names (a `Platform`, a stack's configuration), else the environment; the address and
 * the credentials are taken from one of the two as a whole. Throws AgentPlatformError with everything that is wrong with the
 * configuration; `ways` says how else a setting is set, if not by a stack or a `Platform`.
 */
export function openPlatform(
  configured: (setting: Setting) => string | undefined,
  environment: NodeJS.ProcessEnv = process.env,
  ways?: Ways,
): PlatformReader {
  const resolved = resolveConnection(configured, environment, ways);
  if ("problems" in resolved) throw new AgentPlatformError(resolved.problems.map(({ reason }) => reason).join("\n"));
  const { connection } = resolved;
  const session = createSession({ environment });
  const readers = new Map<Noun, Reader>();
  const reader = (kind: Noun): Reader => {
    const known = readers.get(kind);
    if (known !== undefined) return known;
    const resource = openResource(kind, session);
    resource.connect(resolved);
    readers.set(kind, resource.reader);
    return resource.reader;
  };
  const send = createSend(connection, connection.baseUrl, session);

  return {
    connection,
    reader,
    async revision(deploymentId, revisionId) {
      const id = revisionId ?? (await latestRevisionOf(reader("Deployment"), deploymentId));
      try {
        const { data } = await getRevision(send, deploymentId, id);
        return { id, deploymentId, status: data.status ?? "UNKNOWN", createdAt: data.created_at ?? null };
      } catch (error) {
        if (!isNotFound(error)) throw error;
        const where = `at ${connection.baseUrl} for this key and tenant`;
        throw new AgentPlatformError(`Revision "${id}" of deployment "${deploymentId}" does not exist ${where}`, {
          cause: error,
        });
      }
    },
  };
}

async function latestRevisionOf(reader: Reader, deploymentId: string): Promise<string> {
  const { latestRevisionId } = (await reader.get({ id: deploymentId })).outputs;
  if (typeof latestRevisionId === "string") return latestRevisionId;
  throw new AgentPlatformError(`Deployment "${deploymentId}" has no revision yet; try again in a few seconds`);
}
