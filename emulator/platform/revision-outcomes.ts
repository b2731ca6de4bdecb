import { z } from "zod";
import type { NewRevision, RevisionOutcome } from "./options";

/** How a revision ends (RevisionOutcome). */
export const revisionOutcome = z.enum(["DEPLOYED", "CREATE_FAILED", "BUILD_FAILED", "DEPLOY_FAILED", "STUCK"]);

/** Markers in the image, the ref or the config path of a revision that decide how it ends. */
const OUTCOME_MARKERS: readonly (readonly [marker: string, outcome: RevisionOutcome])[] = [
  ["emulator-fail-create", "CREATE_FAILED"],
  ["emulator-fail-build", "BUILD_FAILED"],
  ["emulator-fail-deploy", "DEPLOY_FAILED"],
  ["emulator-stuck", "STUCK"],
];

/** Decides how each new revision ends: a queued outcome first, then the hook, then the markers, else DEPLOYED. */
export class RevisionOutcomes {
  private readonly queue: RevisionOutcome[] = [];

  constructor(private readonly hook: (revision: NewRevision) => RevisionOutcome | undefined) {}

  push(outcome: RevisionOutcome): void {
    this.queue.push(outcome);
  }

  /** How the next revisions end, the next one first. */
  get queued(): readonly RevisionOutcome[] {
    return this.queue;
  }

  clear(): void {
    this.queue.length = 0;
  }

  decide(revision: NewRevision): RevisionOutcome {
    return this.queue.shift() ?? this.hook(revision) ?? markedOutcome(revision.sourceRevisionConfig);
  }
}

/** Whether the configuration of a revision contains a marker. The platform chooses the path of an upload, so that has none. */
export function isMarked(config: Readonly<Record<string, unknown>>, marker: string): boolean {
  const places = [config["image_uri"], config["repo_ref"], config["langgraph_config_path"]];
  return places.some((place) => typeof place === "string" && place.includes(marker));
}

export const markedOutcome = (config: Readonly<Record<string, unknown>>): RevisionOutcome =>
  OUTCOME_MARKERS.find(([marker]) => isMarked(config, marker))?.[1] ?? "DEPLOYED";
