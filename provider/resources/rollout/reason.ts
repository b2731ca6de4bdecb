import { isMissing, isNotOffered, messageOf } from "../../base/errors";
import { noteSecrets } from "../../base/masker";
import { excerptOf } from "../../http/excerpt";
import type { Context } from "../../lifecycle/observe/context";
import { getDeploymentBriefly } from "../deployment/api";
import { secretsInEnvironment } from "../deployment/environment-secrets";
import { lastEntries, type LogKind, type RevisionLogKey } from "../deployment/logs";

/** Why a revision does not serve, from its logs: their last lines, or the reason why these are not shown. */
type Reason = { readonly kind: LogKind; readonly lines: readonly string[] } | { readonly notShown: string };

/** The time limit of all requests together, so that the user's error is not delayed. */
const LIMIT_MS = 10_000;
/** More entries than lines are shown, since some may be empty. */
const ENTRIES = 40;
const NAMES = 5;

/** A revision whose wait is over, and its last status. */
type Ended = Omit<RevisionLogKey, "kind"> & { readonly status: string };

/**
 * Why a revision ended, which only its logs show (docs/internals/platform.md, Logs of a revision). They are requested once and briefly, and this never
 * fails: undefined if the platform has no logs, or if they are empty. No line is shown that may contain a secret that this process does not know.
 */
export async function reasonFor(context: Context, ended: Ended): Promise<Reason | undefined> {
  if (context.connection.contract === "documented") return undefined;
  const until = context.clock.now() + LIMIT_MS;
  try {
    const unknown = await unknownSecrets(context, ended.deploymentId, until);
    if (unknown !== undefined) return { notShown: `they may hold ${unknown}, which this process does not know` };
    for (const kind of kindsFor(ended.status)) {
      const lines = await linesOf(context, { ...ended, kind }, until);
      if (lines.length > 0) return { kind, lines };
    }
    return undefined;
  } catch (error) {
    return isAbsent(error) ? undefined : { notShown: messageOf(error) };
  }
}

/** Describes the secrets that a log may contain and that this process does not know. Secrets that the platform shows are registered with the masker. */
async function unknownSecrets({ send, declared }: Context, deploymentId: string, until: number) {
  const { data: live } = await getDeploymentBriefly(send, deploymentId, until);
  const { values, unknown } = secretsInEnvironment(live, declared.of("Deployment", live.name ?? ""));
  noteSecrets([...values]);
  if (unknown === undefined) return "secrets of the environment";
  if (unknown.length === 0) return undefined;
  const rest = unknown.length - NAMES;
  return `the values of ${unknown.slice(0, NAMES).join(", ")}${rest > 0 ? ` and ${rest} more` : ""}`;
}

/** Where the reason is looked for, in this order. */
const kindsFor = (status: string): readonly LogKind[] => (status === "BUILD_FAILED" ? ["build"] : ["deploy", "build"]);

async function linesOf({ send }: Context, log: RevisionLogKey, until: number): Promise<readonly string[]> {
  try {
    const entries = await lastEntries(send, log, ENTRIES, until);
    return excerptOf(entries.map(({ message }) => message));
  } catch (error) {
    // A revision that was never started may have no deploy log.
    if (isAbsent(error)) return [];
    throw error;
  }
}

const isAbsent = (error: unknown): boolean => isMissing(error) || isNotOffered(error);
