import type { Outcome } from "../../lifecycle/wait/wait";
import type { DeploymentWire } from "../deployment/wire";

/** What a status of a revision means: docs/internals/platform.md, Revisions. */
const MEANINGS: ReadonlyMap<string, "deployed" | "failed" | "superseded"> = new Map([
  ["DEPLOYED", "deployed"],
  ["CREATE_FAILED", "failed"],
  ["BUILD_FAILED", "failed"],
  ["DEPLOY_FAILED", "failed"],
  ["SKIPPED", "superseded"],
]);

/** INTERRUPTED, UNKNOWN and any status that the platform may add can still progress: the deadline decides. */
export const meaningOf = (status: string) => MEANINGS.get(status) ?? "pending";

/** Whether DEPLOYED comes next (docs/internals/platform.md, Revisions), or came while another revision is still active. */
export function isEnding(status: string): boolean {
  return status === "AWAITING_DEPLOY" || status === "DEPLOYING" || status.startsWith("DEPLOYED");
}

export interface PollResult {
  /** The revision that was polled; null while it has no name. */
  readonly revisionId: string | null;
  readonly status: string;
  /** Milliseconds since the revision was made, by the platform's clock; undefined if it does not say. */
  readonly ageMs?: number | undefined;
  /** Once the revision is DEPLOYED. */
  readonly deployment?: DeploymentWire | undefined;
}

export interface Serving {
  readonly revisionId: string;
  readonly deployment: DeploymentWire;
  readonly ageMs: number | undefined;
}

/** Pure: done with the revision that serves, failed, or pending. If a revision was superseded, the poll follows its successor, so it is pending here. */
export function classify(seen: PollResult, failure: () => Error | Promise<Error>): Outcome<Serving> {
  const { revisionId, status, ageMs, deployment } = seen;
  const meaning = meaningOf(status);
  if (meaning === "failed") return { state: "failed", error: failure };
  return meaning === "deployed" && revisionId !== null && deployment !== undefined
    ? { state: "done", result: { revisionId, deployment, ageMs } }
    : { state: "pending", status };
}
