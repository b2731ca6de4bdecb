import { createSend } from "../../provider/http/client";
import { createSession } from "../../provider/lifecycle/session";
import type { PlatformReader } from "../../provider/reading";
import { listDeployments } from "../../provider/resources/deployment/api";
import { isBeingDeleted } from "../../provider/resources/deployment/look";
import { meaningOf } from "../../provider/resources/rollout/judge";

/** What becomes of a deployment, as far as a program has to know. */
export interface Fate {
  /** Its status, where it is being deleted. */
  readonly leaving?: string;
  /** The status of its latest revision, where waiting for that one would be in vain. */
  readonly failed?: string;
}

/** The fates of the deployments that do not simply run, by their ids: what a reader does not show. */
export async function fatesOf(platform: PlatformReader): Promise<ReadonlyMap<string, Fate>> {
  const { connection } = platform;
  const send = createSend(connection, connection.baseUrl, createSession());
  const fates = new Map<string, Fate>();
  for await (const { data: page } of listDeployments(send)) {
    for (const deployment of page) {
      const { id, status, latest_revision_id: latest, active_revision_id: active } = deployment;
      if (status && isBeingDeleted(deployment)) fates.set(id, { leaving: status });
      else if (latest && latest !== active) {
        const { status: ended } = await platform.revision(id, latest);
        if (typeof ended === "string" && isInVain(ended)) fates.set(id, { failed: ended });
      }
    }
  }
  return fates;
}

const isInVain = (status: string): boolean => ["failed", "superseded"].includes(meaningOf(status));
