import type { Verdict } from "../../lifecycle/wait";

/** What a status of a revision means: platform-facts.md, Revisions. */
export type Meaning = "deployed" | "failed" | "superseded" | "pending";

export function meaningOf(status: string): Meaning {
  switch (status) {
    case "DEPLOYED":
      return "deployed";
    case "CREATE_FAILED":
    case "BUILD_FAILED":
    case "DEPLOY_FAILED":
      return "failed";
    case "SKIPPED":
      return "superseded";
    // INTERRUPTED, UNKNOWN and whatever the platform may add can still go on: the deadline decides.
    default:
      return "pending";
  }
}

/** Whether DEPLOYED is what comes next (platform-facts.md, Revisions). */
export function isEnding(status: string): boolean {
  return status === "AWAITING_DEPLOY" || status === "DEPLOYING";
}

/** What one look at a rollout shows. */
export interface Seen {
  /** The revision that was looked at; null where the deployment has none yet. */
  readonly revisionId: string | null;
  readonly status: string;
  /** Milliseconds since the revision was made, by the platform's clock; undefined where it does not say. */
  readonly ageMs?: number | undefined;
}

/** Pure: done with the revision's id, failed, or to be looked at again. A superseded revision is followed by the probe, so it is pending here. */
export function judge(failure: (seen: Seen) => Error): (seen: Seen) => Verdict<string> {
  return (seen) => {
    switch (meaningOf(seen.status)) {
      case "deployed":
        return seen.revisionId === null
          ? { state: "pending", status: seen.status }
          : { state: "done", result: seen.revisionId };
      case "failed":
        return { state: "failed", error: failure(seen) };
      case "superseded":
      case "pending":
        return { state: "pending", status: seen.status };
    }
  };
}
