import { AgentPlatformError } from "../../base/errors";
import { instantOf } from "../../base/time";
import { lookup } from "../../lifecycle/lookup";
import { pauseAlone } from "../../lifecycle/pause";
import { getRevision } from "../deployment/api";
import { deploymentOf, isBeingDeleted } from "../deployment/look";
import { supersededBy } from "../deployment/revision";
import { waitsOf, type DeploymentWaits, type Listed } from "../deployment/waits";
import { DeploymentWire, type StandingWire } from "../deployment/wire";
import type { Probe } from "../../lifecycle/wait";
import { isEnding, meaningOf, type Seen } from "./judge";
import { notActive, SWITCH_MS } from "./standing";
import type { Context } from "../../lifecycle/context";

/** Polls the awaited revision, and finds out which one that is if it has no name yet or was superseded. */
export class RevisionWatch {
  looks = 0;
  private readonly waits: DeploymentWaits;
  private readonly began: number;
  /** Undefined while it has no name. */
  private current: string | undefined;
  /** The revision that is not the one to wait for, although the platform may still name it. */
  private readonly superseded: string | undefined;
  /** What the latest look at the revision alone showed; the times by the platform's clock, and by ours. */
  private status = "pending";
  private madeAt: number | undefined;
  private bornAt: number | undefined;
  /** When the next one is due, where lists tell the rest. */
  private aloneAt = -Infinity;
  /** How the deployment stood then: where a list shows it otherwise, the revision may have moved. */
  private mark: string | undefined;
  /** When the revision was first seen DEPLOYED, while the platform named another one as active. */
  private deployedAt: number | undefined;

  constructor(
    private readonly context: Context,
    private readonly what: string,
    private readonly inputs: { readonly deploymentId: string; readonly revisionId?: string | null | undefined },
  ) {
    this.waits = waitsOf(context);
    this.began = context.clock.now();
    this.superseded = supersededBy(inputs.revisionId);
    this.current = this.superseded === undefined ? (inputs.revisionId ?? undefined) : undefined;
  }

  /** The revision, for messages. */
  get revision(): string {
    if (this.current !== undefined) return `revision ${this.current}`;
    return this.superseded === undefined ? "its first revision" : `the revision after ${this.superseded}`;
  }

  /** Its id; null while it has none. */
  get revisionId(): string | null {
    return this.current ?? null;
  }

  /** Milliseconds since it was made; undefined where the platform does not say. */
  get ageMs(): number | undefined {
    return this.bornAt === undefined ? undefined : this.context.clock.now() - this.bornAt;
  }

  /** Whether DEPLOYED is what comes next. */
  get isEnding(): boolean {
    return isEnding(this.status);
  }

  async look(...[until, pauseMs, nextPauseMs]: Parameters<Probe<Seen>>): Promise<Seen> {
    const { clock, call } = this.context;
    const listed = await this.waits.next({
      id: this.inputs.deploymentId,
      pauseMs,
      nextPauseMs,
      isNew: (news) => this.hasNews(news),
      aloneInMs: this.aloneAt - clock.now(),
      until,
      signal: call.signal,
    });
    this.looks += 1;
    if (listed === "gone") throw this.ended("gone");
    if (listed === undefined) return this.lookAlone(until);
    this.alive(listed.deployment);
    this.mark = markOf(listed.deployment);
    return this.lookAlone(until, listed.deployment);
  }

  /** Whether a list shows something new, which the revision itself then has to tell: a list may name one as active that does not serve yet. */
  private hasNews({ deployment }: Listed): boolean {
    const { latest_revision_id: latest, active_revision_id: active } = deployment;
    if (isBeingDeleted(deployment)) return true;
    // Which one it is, the deployment itself says: a list may be from before the revision that is to follow.
    if (this.current === undefined) return latest != null && latest !== this.superseded;
    if (active !== this.current) this.mark ??= markOf({ ...deployment, latest_revision_id: this.current });
    return markOf(deployment) !== this.mark || this.isSwitchOver;
  }

  /** @param listed The deployment as a list has just shown it. */
  private async lookAlone(until: number, listed?: StandingWire): Promise<Seen> {
    // One that fails is due again.
    this.aloneAt = -Infinity;
    const seen = await this.seenAlone(until, listed);
    const now = this.context.clock.now();
    this.status = seen.status;
    this.aloneAt = now + pauseAlone(this.ageMs ?? now - this.began);
    return seen;
  }

  private async seenAlone(until: number, listed: StandingWire | undefined): Promise<Seen> {
    if (this.current !== undefined) {
      const seen = await this.lookAt(this.current, until, listed);
      if (meaningOf(seen.status) !== "superseded") return seen;
    }
    const deployment = await this.deployment(until);
    const latest = deployment.latest_revision_id ?? undefined;
    if (latest === undefined || latest === this.superseded) return { revisionId: null, status: UNNAMED };
    if (latest === this.current) return { revisionId: latest, status: "SKIPPED" };
    this.current = latest;
    this.deployedAt = undefined;
    return this.lookAt(latest, until);
  }

  private async lookAt(revisionId: string, until: number, listed?: StandingWire): Promise<Seen> {
    const { send } = this.context;
    const result = await lookup(() => getRevision(send, this.inputs.deploymentId, revisionId, until));
    if (result.state === "unsupported") throw result.cause ?? new AgentPlatformError("revisions cannot be read");
    if (result.state === "absent") {
      // A fresh revision may not be found at once; a revision of a deleted deployment never will be.
      await this.deployment(until);
      return { revisionId, status: "not there yet" };
    }
    const { status = null, created_at: createdAt } = result.value;
    this.madeAt = instantOf(createdAt);
    const ageMs = this.ageAt(result.date);
    this.bornAt = ageMs === undefined ? undefined : this.context.clock.now() - ageMs;
    const seen = { revisionId, status: status ?? "UNKNOWN", ageMs };
    if (status !== "DEPLOYED") return seen;
    const isActive = listed?.active_revision_id === revisionId;
    const deployment = isActive ? DeploymentWire.parse(listed) : await this.deployment(until);
    return this.deployed(seen, deployment, until);
  }

  /** Done, once the platform names the revision as active too, or has not done so for a minute. */
  private deployed(seen: Seen & { readonly revisionId: string }, deployment: DeploymentWire, until: number): Seen {
    const { latest_revision_id: latest, active_revision_id: active } = deployment;
    const { revisionId } = seen;
    // Where a newer one took its place since, or answers never say, nothing is left to wait for.
    if (active == null || active === revisionId || latest !== revisionId) return { ...seen, deployment };
    const { clock, log } = this.context;
    this.deployedAt ??= clock.now();
    if (!this.isSwitchOver && clock.now() < until)
      return { ...seen, status: `DEPLOYED, but ${active} is still active` };
    log.warn(notActive(this.what, revisionId, active));
    return { ...seen, deployment };
  }

  private get isSwitchOver(): boolean {
    return this.deployedAt !== undefined && this.context.clock.now() - this.deployedAt >= SWITCH_MS;
  }

  /** Milliseconds since the revision was made, by the platform's clock; undefined where it does not say. */
  private ageAt(date: number | undefined): number | undefined {
    return date === undefined || this.madeAt === undefined ? undefined : Math.max(0, date - this.madeAt);
  }

  private async deployment(until: number): Promise<DeploymentWire> {
    const deployment = await deploymentOf(this.context, this.inputs.deploymentId, until);
    if (deployment === undefined) throw this.ended("gone");
    return this.alive(deployment);
  }

  private alive<Each extends StandingWire>(deployment: Each): Each {
    if (isBeingDeleted(deployment)) throw this.ended(`being deleted (${deployment.status ?? ""})`);
    return deployment;
  }

  private ended(is: string): AgentPlatformError {
    return new AgentPlatformError(`${this.what} is ${is}; run \`pulumi up --refresh\`, which creates it again`);
  }
}

const UNNAMED = "not named yet";

const markOf = (deployment: StandingWire): string =>
  [deployment.updated_at, deployment.latest_revision_id, deployment.active_revision_id, deployment.status].join();
