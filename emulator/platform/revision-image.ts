import { SOURCE_REVISION_CONFIG_KEYS } from "./deployment-body";
import { allNull } from "./nulls";
import { progressOf, type RevisionRecord } from "./revision-record";

/** The statuses of a revision whose build is over, and was good. */
const BUILT = new Set(["AWAITING_DEPLOY", "DEPLOYING", "DEPLOYED", "DEPLOY_FAILED"]);

const isBuilt = (record: RevisionRecord, now: number): boolean => BUILT.has(progressOf(record, now).status);

/** The image that a revision runs: the one that was asked for, or the one that its commit was built into; null until there is one. */
export function imageOf(record: RevisionRecord, now: number): string | null {
  const asked = record.source_revision_config["image_uri"];
  if (typeof asked === "string") return asked;
  if (record.commit === null || !isBuilt(record, now)) return null;
  return `registry.emulator.invalid/${record.deployment_id}:${record.commit.slice(0, 12)}`;
}

/** The version of that image: of one that was asked for its tag, of one that the platform built its agent server. */
export function imageVersionOf(record: RevisionRecord, now: number): string | null {
  const image = imageOf(record, now);
  // Data of an older emulator has no server.
  if (typeof record.source_revision_config["image_uri"] === "string" || record.server_version === null)
    return tagOf(image);
  return isBuilt(record, now) ? record.server_version : null;
}

const tagOf = (image: string | null): string | null => /:([\w.-]+)$/.exec(image ?? "")?.[1] ?? null;

/**
 * The configuration of a revision as answered: every key is there, and of a repository the commit and the image that the branch led
 * to (docs/internals/platform.md, Answers of a deployment).
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
