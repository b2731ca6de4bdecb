import type { Connection } from "../base/connection";
import { noEndpointFor } from "../base/settings";
import { AgentPlatformError, isLacking, isNotFound } from "../base/errors";
import { textIn } from "../base/json";
import { Spellings } from "../base/masker";
import { shellWord } from "../base/shell";
import { observe, valueOf } from "../lifecycle/observe/observation";
import type { Reader } from "../lifecycle/observe/reader";
import { openClient, type ConnectionSource, type PlatformClient } from "./platform-client";
import type { Integration, Revision } from "./values";
import { readRevision, revisionPages, type RevisionWire } from "../resources/deployment/api";
import { listGithubIntegrations } from "../resources/deployment/references";
import { entriesSince, lastEntries, type RevisionLogEntry, type RevisionLogKey } from "../resources/deployment/logs";
import type { ObjectType } from "../resources/resource-types";

export type { JsonObject } from "../base/json";
export type { ManagedType } from "../resources/resource-types";
export type { RevisionLogEntry, LogKind, RevisionLogKey } from "../resources/deployment/logs";
export type { Key, ReadObject } from "../lifecycle/observe/read-object";
export type { Reader } from "../lifecycle/observe/reader";
export type { Revision } from "./values";

/** Reads a platform for functions and tools, through the code that answers the engine. Nothing is changed. */
export interface PlatformReader {
  readonly connection: Connection;
  reader(kind: ObjectType): Reader;
  /** One revision of a deployment, the latest if no id is given. Throws if either does not exist. */
  revision(deploymentId: string, revisionId?: string): Promise<Revision>;
  /** The revisions of a deployment in the platform's order, a page at a time; of these statuses alone if any are given. */
  revisions(deploymentId: string, statuses?: readonly string[]): AsyncGenerator<Revision>;
  /** The last entries of a log, oldest first; undefined where the platform has no such log. */
  lastLogEntries(log: RevisionLogKey, count: number): Promise<RevisionLogEntry[] | undefined>;
  /** The entries of a log from a time on, in milliseconds, oldest first; undefined where the platform has no such log. */
  logEntriesSince(log: RevisionLogKey, since: number | undefined): Promise<RevisionLogEntry[] | undefined>;
  /** The GitHub integration of a name. Throws where there is none, or several. */
  githubIntegration(name: string): Promise<Integration>;
}

/** A reader for a connection. Throws AgentPlatformError with everything that is wrong with the configuration. */
export const openPlatform = (source: ConnectionSource): PlatformReader => readerOf(openClient(source));

export function readerOf(opened: PlatformClient): PlatformReader {
  const { connection, send, resource } = opened;
  const reader = (kind: ObjectType): Reader => resource(kind).reader;
  const where = `at ${connection.baseUrl} for this key and tenant`;

  return {
    connection,
    reader,
    async revision(deploymentId, revisionId) {
      const id = revisionId ?? (await latestRevisionOf(reader("Deployment"), deploymentId));
      try {
        return shownRevision(deploymentId, id, (await readRevision(send, deploymentId, id)).data);
      } catch (error) {
        if (!isNotFound(error)) throw error;
        throw new AgentPlatformError(
          `Revision "${id}" of deployment "${deploymentId}" does not exist ${where}; ` +
            `\`npx pulumi-agent-platform revisions ${shellWord(deploymentId)}\` shows which do`,
          { cause: error },
        );
      }
    },

    async *revisions(deploymentId, statuses = []) {
      const what = `The revisions of deployment "${deploymentId}" cannot be listed`;
      requireExtended(connection, what, "a list of them");
      try {
        for await (const { data } of revisionPages(send, deploymentId, statuses)) {
          // A platform may not know the filter.
          const wanted = data.filter(({ status }) => statuses.length === 0 || statuses.includes(status ?? "UNKNOWN"));
          for (const revision of wanted) yield shownRevision(deploymentId, revision.id, revision);
        }
      } catch (error) {
        if (!isLacking(error)) throw error;
        // The 404 of a deployment that does not exist, or of a platform without this list.
        await reader("Deployment").get({ id: deploymentId });
        throw new AgentPlatformError(`${what}: this platform does not support it`, { cause: error });
      }
    },

    lastLogEntries: (log, count) => logEntries(opened, log, () => lastEntries(send, log, count)),
    logEntriesSince: (log, since) => logEntries(opened, log, () => entriesSince(send, log, since)),

    async githubIntegration(name) {
      const what = `GitHub integration "${name}"`;
      requireExtended(connection, `${what} cannot be looked up`, "integrations");
      const all = valueOf(await observe(() => listGithubIntegrations(send)));
      if (all === undefined)
        throw new AgentPlatformError(`${what} cannot be looked up: this platform has no integrations`);
      const [found, other] = all.filter((each) => each.name === name);
      if (found === undefined) {
        const names = all.flatMap((each) => (each.name === undefined ? [] : [`"${each.name}"`]));
        const there = names.length === 0 ? "there are none" : `there is only ${names.join(", ")}`;
        throw new AgentPlatformError(`${what} does not exist ${where}; ${there}`);
      }
      if (other !== undefined)
        throw new AgentPlatformError(`${what} exists several times ${where}; give its id instead`);
      return { id: found.id, name, installationId: found.installation_id ?? null };
    },
  };
}

function requireExtended({ contract }: Connection, what: string, lacking: string): void {
  if (contract === "documented") throw new AgentPlatformError(`${what}: ${noEndpointFor(lacking)}`);
}

/** Without the credentials of the connection, which an agent may print too. The rest of what it prints is shown, whatever it is. */
async function logEntries(
  { connection }: PlatformClient,
  { kind, revisionId }: RevisionLogKey,
  read: () => Promise<RevisionLogEntry[]>,
): Promise<RevisionLogEntry[] | undefined> {
  requireExtended(connection, `The ${kind} log of revision "${revisionId}" cannot be read`, "logs");
  const credentials = new Spellings([connection.apiKey, connection.bearerToken].filter((key) => key !== undefined));
  try {
    return (await read()).map((entry) => ({ ...entry, message: credentials.mask(entry.message) }));
  } catch (error) {
    if (isLacking(error)) return undefined;
    throw error;
  }
}

/** The image of a github deployment is the one that was built. */
function shownRevision(deploymentId: string, id: string, revision: RevisionWire): Revision {
  const { status, created_at: createdAt, source_revision_config: config } = revision;
  return {
    id,
    deploymentId,
    status: status ?? "UNKNOWN",
    createdAt: createdAt ?? null,
    imageUri: textIn(config ?? {}, "image_uri") ?? null,
    repoCommitSha: textIn(config ?? {}, "repo_commit_sha") ?? null,
  };
}

async function latestRevisionOf(reader: Reader, deploymentId: string): Promise<string> {
  const { latestRevisionId } = (await reader.get({ id: deploymentId })).outputs;
  if (typeof latestRevisionId === "string") return latestRevisionId;
  throw new AgentPlatformError(`Deployment "${deploymentId}" has no revision yet; try again in a few seconds`);
}
