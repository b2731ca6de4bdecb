import type { PlatformReader, ReadObject } from "../../provider/functions/reading";
import { isBeingDeleted } from "../../provider/resources/deployment/observe";
import { meaningOf } from "../../provider/resources/rollout/classify";
import { span } from "./literal";

/** Why an object cannot be declared like any other; empty if it can. */
export interface ObjectState {
  /** Why it cannot be declared at all: a part of a sentence. */
  readonly left?: string;
  /** Of a deployment: the status of its latest revision, if that one will never be DEPLOYED. */
  readonly failed?: string;
}

/** The state of a deployment that was read. Requests its latest revision, unless that is the one that serves. */
export async function rolloutStateOf(
  platform: PlatformReader,
  { id, outputs, details }: ReadObject,
): Promise<ObjectState> {
  const { status, activeRevisionId } = details;
  const { latestRevisionId } = outputs;
  if (typeof status === "string" && isBeingDeleted({ status }))
    return { left: `it is being deleted (${span(status)})` };
  if (typeof latestRevisionId !== "string" || latestRevisionId === activeRevisionId) return {};
  const { status: ended } = await platform.revision(id, latestRevisionId);
  return typeof ended === "string" && isHopeless(ended) ? { failed: ended } : {};
}

/** The state of a snapshot that was read: nobody can take over what is not ready, and what has lost its tag cannot have it declared. */
export function snapshotStateOf({ inputs, details: { status } }: ReadObject): ObjectState {
  if (typeof status === "string" && status !== "ready") return { left: `it is not ready (${span(status)})` };
  return inputs["tag"] === "" ? { left: "a newer one has its tag" } : {};
}

const isHopeless = (status: string): boolean => ["failed", "superseded"].includes(meaningOf(status));
