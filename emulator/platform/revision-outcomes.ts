import type { NewRevision, RevisionOutcome } from "./options";

/** Markers in an image_uri or repo_ref that decide how the revision ends. */
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

  clear(): void {
    this.queue.length = 0;
  }

  decide(revision: NewRevision): RevisionOutcome {
    return this.queue.shift() ?? this.hook(revision) ?? markedOutcome(revision.sourceRevisionConfig);
  }
}

function markedOutcome(config: Readonly<Record<string, unknown>>): RevisionOutcome {
  const text = [config["image_uri"], config["repo_ref"]].filter((value) => typeof value === "string").join("\n");
  return OUTCOME_MARKERS.find(([marker]) => text.includes(marker))?.[1] ?? "DEPLOYED";
}
