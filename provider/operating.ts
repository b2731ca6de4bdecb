import { z } from "zod";
import type { Clock } from "./base/clock";
import { noEndpointFor } from "./base/settings";
import { AgentPlatformError, isMissing, isUnclear, messageOf } from "./base/errors";
import type { JsonObject } from "./base/json";
import type { Log, WaitAdvice } from "./lifecycle/observe/context";
import { openClient, type ConnectionSource } from "./functions/platform-client";
import { readerOf } from "./functions/reading";
import type { Send } from "./http/request";
import { readDeployment, readRevision, redeployRevision, updateDeployment } from "./resources/deployment/api";
import { imagePatch } from "./resources/deployment/patch";
import { awaitedAfter } from "./resources/deployment/revision";

interface Deployment {
  readonly id: string;
  readonly name: string;
  /** Its latest revision so far; null where it has none. */
  readonly latestRevisionId: string | null;
}

/** Reads a platform, and changes it by hand, for tools: what no program declares. Progress and warnings of a wait go to `log`. */
export function openOperator(
  source: ConnectionSource,
  given: { readonly log: Log; readonly clock?: Clock | undefined },
) {
  const opened = openClient(source, given);
  const { connection, send, resource } = opened;
  return {
    ...readerOf(opened),

    /** The names of the variables that the platform shows of a deployment's environment, sorted. */
    async variables(deploymentId: string): Promise<string[]> {
      const { secrets, secret_references: references } = (await readDeployment(send, deploymentId)).data;
      return [...(secrets ?? []), ...(references ?? [])].map((variable) => variable.name).sort();
    },

    /**
     * Makes a revision with the configuration of an earlier one. Throws where contract or platform have no such endpoint; a lost answer is not
     * followed by a second request.
     * @param keepsSecrets Only the image (or the upload) is the earlier one: the environment and all else stay. Any contract has that.
     */
    async redeploy({ id, name, latestRevisionId: before }: Deployment, revisionId: string, keepsSecrets: boolean) {
      const what = `Revision "${revisionId}" of deployment "${name}" cannot be redeployed`;
      if (connection.contract === "documented" && !keepsSecrets)
        throw new AgentPlatformError(`${what}: ${noEndpointFor("it")}`);
      const body = keepsSecrets ? await imageOf(send, id, revisionId, what) : undefined;
      try {
        const { data } = await (body === undefined
          ? redeployRevision(send, id, revisionId)
          : updateDeployment(send, id, body, {}, false));
        const { latest_revision_id: latest = null } = data;
        // The answer may still name the previous revision: `key` then says how to recognize the new one.
        if (latest !== null && latest !== before) return { id: latest, key: latest };
        return { id: undefined, key: before === null ? null : awaitedAfter(before) };
      } catch (error) {
        if (isMissing(error)) throw new AgentPlatformError(`${what}: ${error.message}`, { cause: error });
        if (!isUnclear(error)) throw error;
        throw new AgentPlatformError(
          `It is not known whether revision "${revisionId}" of deployment "${name}" was redeployed (${messageOf(error)}). ` +
            "Look for a newer revision before you run the command again: each run makes one",
          { cause: error },
        );
      }
    },

    /** Waits until a revision is DEPLOYED, as a Rollout does: the revision that serves then. @param timeout A duration like "45m". */
    async rolledOut(
      { id, name }: Deployment,
      { key }: { readonly key: string | null },
      { timeout, advice }: { readonly timeout: string | undefined; readonly advice: WaitAdvice },
    ): Promise<string> {
      const inputs = { deploymentId: id, revisionId: key, deploymentName: name };
      const limited = timeout === undefined ? inputs : { ...inputs, rolloutTimeout: timeout };
      const { outputs } = await resource("Rollout").verbs.create(limited, { advice });
      return z.string().parse(outputs["activeRevisionId"]);
    },
  };
}

/** The PATCH for what an earlier revision runs. Throws if it has no image that can be sent. */
async function imageOf(send: Send, id: string, revisionId: string, what: string): Promise<JsonObject> {
  const { source } = (await readDeployment(send, id)).data;
  const { source_revision_config } = (await readRevision(send, id, revisionId)).data;
  const body = imagePatch({ id, source, source_revision_config });
  if (body !== undefined) return body;
  throw new AgentPlatformError(
    `${what} with the secrets of today: it has no image of its own that could be sent. Revert the commit in the repository, or leave out --keep-secrets`,
  );
}
