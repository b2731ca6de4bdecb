import { isTransient, messageOf } from "../../base/errors";
import type { Context } from "../../lifecycle/context";
import { identityOf } from "../../lifecycle/kept-list";
import { SharedLooks, type Answers, type Look } from "../../lifecycle/shared-looks";
import type { WriteCounter } from "../../lifecycle/writes";
import { PAGE } from "../../http/resource-pages";
import { standingsOf } from "./api";
import { isWhole } from "./list";
import { deploymentOf } from "./look";
import type { StandingWire } from "./wire";

/** A deployment as a list shows it, with the platform's date. */
export interface Listed {
  readonly deployment: StandingWire;
  readonly date: number | undefined;
}

/** Lists that fail this often in a row are not asked for any more. */
const FAILURES = 3;

/** The lists that all waits of a process for one platform share, as long as they can be trusted (docs/design.md, Deployment and Rollout). */
export class DeploymentWaits {
  private isTrusted: boolean;
  private failures = 0;
  private readonly looks: SharedLooks<Listed | "absent">;

  constructor(private readonly context: Pick<Context, "send" | "clock" | "log" | "connection">) {
    this.isTrusted = context.connection.contract === "extended";
    this.looks = new SharedLooks(context.clock, PAGE, (ids, until) => this.ask(ids, until));
  }

  /**
   * Rests until there is news of the deployment, and returns how a list shows it; "gone" if the list lacks it and its own GET answers 404;
   * undefined if the wait is to poll it alone, now.
   */
  async next(look: Look<Listed>): Promise<Listed | "gone" | undefined> {
    if (!this.isTrusted) {
      if (look.pauseMs > 0) await this.context.clock.sleep(look.pauseMs, look.signal);
      return undefined;
    }
    const listed = await this.looks.next({ ...look, isNew: (news) => news === "absent" || look.isNew(news) });
    if (listed !== "absent") return listed;
    if ((await deploymentOf(this.context, look.id, look.until)) === undefined) return "gone";
    this.distrust(`they lack deployment ${look.id}, which exists`);
    return undefined;
  }

  private async ask(ids: readonly string[], until: number): Promise<Answers<Listed | "absent">> {
    const listed = new Map<string, Listed>();
    try {
      for await (const { data, date } of standingsOf(this.context.send, ids, until)) {
        for (const deployment of data) listed.set(deployment.id, { deployment, date });
        const problem = problemOf(data, ids);
        if (problem !== undefined) this.distrust(problem);
        // The page behind a full answer has nothing that was asked for.
        if (!this.isTrusted || listed.size >= ids.length) break;
      }
      this.failures = 0;
    } catch (error) {
      this.failures += 1;
      if (isTransient(error) && this.failures < FAILURES) throw error;
      this.distrust(messageOf(error));
    }
    return (id) => (this.isTrusted ? (listed.get(id) ?? "absent") : undefined);
  }

  private distrust(problem: string): void {
    if (!this.isTrusted) return;
    this.isTrusted = false;
    this.context.log.debug(
      `From now on, waits poll each deployment separately. Lists by deployment_ids are unreliable: ${problem}`,
    );
    this.looks.release();
  }
}

/** Why such a list says nothing of those that it was asked for. */
function problemOf(page: readonly StandingWire[], ids: readonly string[]): string | undefined {
  const other = page.find(({ id }) => !ids.includes(id));
  if (other !== undefined) return `they answer ${other.id}, which was not asked for`;
  const summary = page.find((live) => !isWhole(live) || live.active_revision_id === undefined);
  return summary && `they show a summary of ${summary.id}`;
}

const kept = new WeakMap<WriteCounter, Map<string, DeploymentWaits>>();

/** Those of this process and connection. */
export function waitsOf(context: Context): DeploymentWaits {
  const all = kept.get(context.writes) ?? new Map<string, DeploymentWaits>();
  kept.set(context.writes, all);
  const identity = identityOf(context);
  const known = all.get(identity) ?? new DeploymentWaits(context);
  all.set(identity, known);
  return known;
}
