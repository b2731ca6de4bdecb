import { SOURCE_REVISION_CONFIG_KEYS } from "./deployment-body";
import { allNull } from "./nulls";
import { progressOf, type RevisionRecord } from "./revision-record";

/** The statuses of a revision whose build has succeeded. */
const BUILT = new Set(["AWAITING_DEPLOY", "DEPLOYING", "DEPLOYED", "DEPLOY_FAILED"]);

const isBuilt = (record: RevisionRecord, now: number): boolean => BUILT.has(progressOf(record, now).status);

/** The image that a revision runs: the requested one, or the one built from its commit; null until there is one. */
export function imageOf(record: RevisionRecord, now: number): string | null {
  const asked = record.source_revision_config["image_uri"];
  if (typeof asked === "string") return asked;
  if (record.commit === null || !isBuilt(record, now)) return null;
  return `registry.emulator.invalid/${record.deployment_id}:${record.commit.slice(0, 12)}`;
}

/** The version of that image: the tag of a requested image, or the agent server of an image that the platform built; null while there is none. */
export function imageVersionOf(record: RevisionRecord | undefined, now: number): string | null {
  if (record === undefined) return null;
  const image = imageOf(record, now);
  // Data of an older emulator has no server.
  if (typeof record.source_revision_config["image_uri"] === "string" || record.server_version === null)
    return tagOf(image);
  return isBuilt(record, now) ? record.server_version : null;
}

const tagOf = (image: string | null): string | null => /:([\w.-]+)$/.exec(image ?? "")?.[1] ?? null;

/**
 * The configuration of a revision in an answer: every key is present, and for a repository also the commit of the branch and the image built from
 * it (docs/internals/platform.md, Answers of a deployment).
 */
export function revisionConfigAnswer(record: RevisionRecord, now: number): Record<string, unknown> {
  const { source_revision_config: config, commit } = record;
  return {
    ...allNull(SOURCE_REVISION_CONFIG_KEYS),
    ...config,
    ...(commit === null ? {} : { repo_ref: commit }),
    image_uri: imageOf(record, now),
    repo_commit_sha: commit,
  };
}
