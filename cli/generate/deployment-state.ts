import { isBeingDeleted, meaningOf, type PlatformReader, type ReadObject } from "../../provider/tools";

/** Why a deployment cannot be declared like any other; empty if it can. */
export interface RolloutState {
  /** The deployment's status, if it is being deleted. */
  readonly deleting?: string;
  /** The status of its latest revision, if that one will never be DEPLOYED. */
  readonly failed?: string;
}

/** The state of a deployment that was read. Requests its latest revision, unless that is the one that serves. */
export async function rolloutStateOf(
  platform: PlatformReader,
  { id, outputs, details }: ReadObject,
): Promise<RolloutState> {
  const { status, activeRevisionId } = details;
  const { latestRevisionId } = outputs;
  if (typeof status === "string" && isBeingDeleted({ status })) return { deleting: status };
  if (typeof latestRevisionId !== "string" || latestRevisionId === activeRevisionId) return {};
  const { status: ended } = await platform.revision(id, latestRevisionId);
  return typeof ended === "string" && isHopeless(ended) ? { failed: ended } : {};
}

const isHopeless = (status: string): boolean => ["failed", "superseded"].includes(meaningOf(status));
