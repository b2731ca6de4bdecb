import { AgentPlatformError } from "../../base/errors";
import { instantOf } from "../../base/time";
import type { Request } from "../../http/request";
import { observe, valueOf, type Observation } from "../../lifecycle/observe/observation";
import { readRevision, type RevisionWire } from "../deployment/api";
import { deploymentOf, lasting } from "../deployment/observe";
import { supersededBy } from "../deployment/revision";
import { urlOf, type DeploymentWire } from "../deployment/wire";
import { isEnding, meaningOf, type PollResult } from "./classify";
import { notActive, SWITCH_MS } from "./revision-status";
import type { Context } from "../../lifecycle/observe/context";

/** Polls the awaited revision. If it has no id yet or was superseded, finds out which revision to wait for. */
export class RevisionWatch {
  polls = 0;
  /** The id of the awaited revision; null while it has no name. */
  revisionId: string | null;
  /** The previous revision, which the platform may still name as the latest. */
  private readonly superseded: string | undefined;
  /** The latest poll's status, and when the revision was created, by our clock. */
  private status = "pending";
  private bornAt: number | undefined;
  /** When it was first polled: where the clocks differ, it is at least as old as that. */
  private seenAt: number | undefined;
  /** When the revision was first seen DEPLOYED, while the platform named another one as active. */
  private deployedAt: number | undefined;

  constructor(
    private readonly context: Context,
    private readonly what: string,
    private readonly inputs: { readonly deploymentId: string; readonly revisionId?: string | null | undefined },
  ) {
    this.superseded = supersededBy(inputs.revisionId);
    this.revisionId = this.superseded === undefined ? (inputs.revisionId ?? null) : null;
  }

  get revision(): string {
    if (this.revisionId !== null) return `revision ${this.revisionId}`;
    return this.superseded === undefined ? "its first revision" : `the revision after ${this.superseded}`;
  }

  /** Milliseconds since it was created; undefined if the platform does not give the time. */
  get ageMs(): number | undefined {
    return this.bornAt === undefined ? undefined : this.context.clock.now() - this.bornAt;
  }

  /** Whether DEPLOYED is what comes next. */
  get isEnding(): boolean {
    return isEnding(this.status);
  }

  async poll(until: number): Promise<PollResult> {
    this.polls += 1;
    const result = await this.pollCurrent(until);
    this.status = result.status;
    return result;
  }

  private async pollCurrent(until: number): Promise<PollResult> {
    if (this.revisionId !== null) {
      const result = await this.pollRevision(this.revisionId, until);
      if (meaningOf(result.status) !== "superseded") return result;
    }
    const { latest_revision_id: latest } = await this.deployment(until);
    const known = this.revisionId ?? this.superseded;
    if (latest != null && latest !== this.superseded && latest !== known) {
      // A stale answer names an earlier one.
      const isEarlier = known !== undefined && (await this.madeAt(latest, until)) < (await this.madeAt(known, until));
      if (!isEarlier) return this.follow(latest, until);
    }
    return { revisionId: this.revisionId, status: this.revisionId === null ? "not named yet" : "SKIPPED" };
  }

  private follow(revisionId: string, until: number): Promise<PollResult> {
    this.revisionId = revisionId;
    this.deployedAt = undefined;
    this.seenAt = undefined;
    return this.pollRevision(revisionId, until);
  }

  private read(revisionId: string, until: number): Promise<Observation<RevisionWire>> {
    return observe(() => readRevision(this.context.send, this.inputs.deploymentId, revisionId, until));
  }

  private async pollRevision(revisionId: string, until: number): Promise<PollResult> {
    const result = await this.read(revisionId, until);
    if (result.state === "unsupported") throw result.cause ?? new AgentPlatformError("revisions cannot be read");
    if (result.state === "absent") {
      // A fresh revision may not be found at once; a revision of a deleted deployment never will be.
      await this.deployment(until);
      return { revisionId, status: "not there yet" };
    }
    const { status = null, created_at: createdAt } = result.value;
    const ageMs = ageOf(result.date, instantOf(createdAt));
    const now = this.context.clock.now();
    this.seenAt ??= now;
    this.bornAt = ageMs === undefined ? undefined : Math.min(this.seenAt, now - ageMs);
    const seen = { revisionId, status: status ?? "UNKNOWN", ageMs };
    // Check within the same poll whether it serves: in a queue of a thousand polls, the next turn would take long.
    if (status !== "DEPLOYED") return seen;
    const deployment = await this.deployment(until, "patient");
    const { latest_revision_id: latest, active_revision_id: active } = deployment;
    const mayBeNewer = active != null && active !== revisionId && latest !== revisionId;
    // A newer revision of somebody else serves by now, whatever came after it, so wait for that one.
    const isNewer = mayBeNewer && (await this.madeAt(active, until)) > (instantOf(createdAt) ?? NaN);
    if (isNewer) return this.follow(active, until);
    return this.deployed(seen, deployment, until);
  }

  /** When a revision was made, by the platform's clock; NaN if it does not say. */
  private async madeAt(revisionId: string, until: number): Promise<number> {
    return instantOf(valueOf(await this.read(revisionId, until))?.created_at) ?? NaN;
  }

  /** Done once the platform also names the revision as active, or if it has not done so for a minute. */
  private deployed(
    seen: PollResult & { readonly revisionId: string },
    deployment: DeploymentWire,
    until: number,
  ): PollResult {
    const { active_revision_id: active } = deployment;
    const { revisionId } = seen;
    // Some platforms never name the active revision. An answer with neither an active revision (null) nor an address is stale.
    const isServing = active === revisionId || active === undefined || (active === null && urlOf(deployment) !== null);
    if (isServing) return { ...seen, deployment };
    const { clock, log } = this.context;
    this.deployedAt ??= clock.now();
    if (clock.now() - this.deployedAt < SWITCH_MS && clock.now() < until) {
      const serving = active === null ? "no revision is active yet" : `${active} is still active`;
      return { ...seen, status: `DEPLOYED, but ${serving}` };
    }
    if (active !== null) log.warn(notActive(this.what, revisionId, active));
    return { ...seen, deployment };
  }

  private async deployment(until: number, effort: Request["effort"] = "poll"): Promise<DeploymentWire> {
    return lasting(await deploymentOf(this.context, this.inputs.deploymentId, until, effort), this.what);
  }
}

/** Milliseconds since the revision was made, by the platform's clock; undefined where it does not say. */
const ageOf = (date: number | undefined, madeAt: number | undefined): number | undefined =>
  date === undefined || madeAt === undefined ? undefined : Math.max(0, date - madeAt);
