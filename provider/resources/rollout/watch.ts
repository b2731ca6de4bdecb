import { AgentPlatformError } from "../../base/errors";
import { instantOf } from "../../base/time";
import { lookup } from "../../lifecycle/lookup";
import { getRevision } from "../deployment/api";
import { deploymentOf, isBeingDeleted } from "../deployment/look";
import { supersededBy } from "../deployment/revision";
import type { DeploymentWire } from "../deployment/wire";
import { meaningOf, type Seen } from "./judge";
import type { Context } from "../../lifecycle/context";

/** Polls the awaited revision, and finds out which one that is if it has no name yet or was superseded. */
export class RevisionWatch {
  looks = 0;
  /** Undefined while it has no name. */
  private current: string | undefined;
  /** The revision that is not the one to wait for, although the platform may still name it. */
  private readonly superseded: string | undefined;

  constructor(
    private readonly context: Pick<Context, "send">,
    private readonly what: string,
    private readonly inputs: { readonly deploymentId: string; readonly revisionId?: string | null | undefined },
  ) {
    this.superseded = supersededBy(inputs.revisionId);
    this.current = this.superseded === undefined ? (inputs.revisionId ?? undefined) : undefined;
  }

  /** The revision, for messages. */
  get revision(): string {
    if (this.current !== undefined) return `revision ${this.current}`;
    return this.superseded === undefined ? "its first revision" : `the revision after ${this.superseded}`;
  }

  async look(until: number): Promise<Seen> {
    this.looks += 1;
    if (this.current !== undefined) {
      const seen = await this.lookAt(this.current, until);
      if (meaningOf(seen.status) !== "superseded") return seen;
    }
    const deployment = await this.deployment(until);
    const latest = deployment.latest_revision_id ?? undefined;
    if (latest === undefined || latest === this.superseded) return { revisionId: null, status: "not named yet" };
    if (latest === this.current) return { revisionId: latest, status: "SKIPPED" };
    this.current = latest;
    return this.lookAt(latest, until);
  }

  private async lookAt(revisionId: string, until: number): Promise<Seen> {
    const { send } = this.context;
    const result = await lookup(() => getRevision(send, this.inputs.deploymentId, revisionId, until));
    if (result.state === "unsupported") throw result.cause ?? new AgentPlatformError("revisions cannot be read");
    if (result.state === "absent") {
      // A fresh revision may not be found at once; a revision of a deleted deployment never will be.
      await this.deployment(until);
      return { revisionId, status: "not there yet" };
    }
    const { status = null, created_at: createdAt } = result.value;
    const made = instantOf(createdAt);
    const ageMs = result.date === undefined || made === undefined ? undefined : Math.max(0, result.date - made);
    const deployment = status === "DEPLOYED" ? await this.deployment(until) : undefined;
    return { revisionId, status: status ?? "UNKNOWN", ageMs, deployment };
  }

  private async deployment(until: number): Promise<DeploymentWire> {
    const deployment = await deploymentOf(this.context, this.inputs.deploymentId, until);
    if (deployment !== undefined && !isBeingDeleted(deployment)) return deployment;
    const is = deployment === undefined ? "gone" : `being deleted (${deployment.status ?? ""})`;
    throw new AgentPlatformError(`${this.what} is ${is}; run \`pulumi up --refresh\`, which makes it again`);
  }
}
