import { z } from "zod";
import { AgentPlatformError, goneMeanwhile, isNotFound, messageOf, UnfinishedError } from "../../base/errors";
import type { JsonObject } from "../../base/json";
import { showDuration } from "../../base/time";
import { excerptOf } from "../../http/excerpt";
import type { Table } from "../fields/table";
import type { Context } from "../observe/context";
import { lacksOutputs, NOT_READY, PROBLEM } from "../state";
import { howToEnd, limitOf, type Outcome, waitFor } from "../wait/wait";
import type { Live, RestCollection } from "./collection";

// Objects that the platform builds in its own time: it answers another status until it is "ready" or "failed".

/** The fields that every answer about such an object has. */
export const BUILT = { id: z.string(), status: z.string().nullish(), status_message: z.string().nullish() };
const built = z.looseObject(BUILT);

/** The problem of an object that cannot be used any more. */
export const BEING_DELETED = "is being deleted";

/** Why an object is unusable. Kept in state, so it leaves out the platform's reason, which may contain a secret. @param outputs Those in state. */
export function buildProblem(table: Table, live: Live, outputs: JsonObject): string | undefined {
  const { status } = built.parse(live);
  if (status === "deleting") return BEING_DELETED;
  if (status === "failed") return "its build failed";
  return status !== "ready" && isAwaited(table, outputs) ? NOT_READY : undefined;
}

/** True if a wait has ended too early. After a refresh, the problem alone says so: the engine forgets that a create was unfinished. */
export const isAwaited = (table: Table, outputs: JsonObject): boolean =>
  lacksOutputs(table, outputs) || outputs[PROBLEM] === NOT_READY;

export interface Building {
  /** For messages: `SandboxSnapshot "python:latest" (<id>)`. */
  readonly what: string;
  readonly collection: Pick<RestCollection, "pathOf" | "delete">;
  /** This resource has made it: the state gets it if the wait ends first, and one whose build fails is deleted. */
  readonly isOurs: boolean;
  readonly limitMs: number | undefined;
  /** The argument that raises the limit. @default the type has none */
  readonly limit?: string;
  /** The outputs of one of ours that is not finished. */
  readonly unfinished: JsonObject;
  /** What to do if its build has failed: whole sentences. */
  readonly afterFailure: string;
  readonly urn: string | undefined;
}

/** How long the platform may answer 404 for an object that it has just created. */
const FRESH_MS = 60_000;

const LIMIT_MS = 30 * 60_000;
const RESUMES = "It goes on building: run `pulumi up` again, which waits on";

/** Waits until the object is ready. Throws {@link UnfinishedError} if the wait ends before that, and a plain error if the build fails. */
export async function untilBuilt(context: Context, live: Live, building: Building): Promise<Live> {
  const { clock, log, call, send } = context;
  const { what, collection, limitMs, limit, isOurs, unfinished, urn } = building;
  const began = clock.now();
  const { id } = built.parse(live);
  const ended = outcomeOf(context, building, live);
  if (ended.state === "done") return ended.result;
  const endedEarly = (message: string, cause?: unknown): AgentPlatformError =>
    isOurs ? new UnfinishedError(message, id, unfinished, { cause }) : new AgentPlatformError(message, { cause });
  const ready = await waitFor<Live, Live>({
    async poll(until) {
      try {
        return (await send({ method: "GET", path: collection.pathOf(id), effort: "poll" }, built, until)).data;
      } catch (error) {
        if (!isNotFound(error) || clock.now() - began > FRESH_MS) throw error;
        return { ...live, status: "not there yet" };
      }
    },
    condition: (seen) => outcomeOf(context, building, seen),
    limitMs: limitOf(call, limitMs, LIMIT_MS),
    context,
    onPending: (status, waitedMs) => log.progress({ status, waitedMs, note: howToEnd(context), urn }),
    timedOut: (status, waitedMs) =>
      endedEarly(
        `${what} is still ${status} after ${showDuration(waitedMs)}. ${RESUMES}${limit === undefined ? "" : `; or raise ${limit}`}`,
      ),
    stopped: (problem, status, waitedMs) =>
      isNotFound(problem)
        ? goneMeanwhile(what, problem)
        : endedEarly(
            `${what}: the wait ended after ${showDuration(waitedMs)}, its last status was ${status}: ${messageOf(problem)}. ${RESUMES}`,
            problem,
          ),
  });
  await log.finishProgress({ status: "ready", waitedMs: clock.now() - began, urn });
  return ready;
}

function outcomeOf(context: Context, building: Building, live: Live): Outcome<Live> {
  const { what, isOurs, afterFailure } = building;
  const { status, status_message: message } = built.parse(live);
  if (status === "ready") return { state: "done", result: live };
  if (status === "deleting") return { state: "failed", error: () => goneMeanwhile(what) };
  if (status !== "failed") return { state: "pending", status: status ?? "of no status" };
  const error = async () => {
    const end = isOurs ? `${await removed(context, building, live)}. ` : "";
    return new AgentPlatformError(`${what}: its build failed: ${reasonOf(message)}. ${end}${afterFailure}`);
  };
  return { state: "failed", error };
}

/** Deletes an object whose build has failed, and says so. */
async function removed({ send }: Context, { collection }: Building, live: Live): Promise<string> {
  try {
    await collection.delete(send, built.parse(live).id);
  } catch (error) {
    if (!isNotFound(error)) return `It is of no use, but could not be deleted: ${messageOf(error)}`;
  }
  return "It was of no use, and has been deleted";
}

const reasonOf = (message: string | null | undefined): string =>
  excerptOf([message ?? ""])
    .join(" ")
    .replace(/\.$/, "") || "the platform gives no reason";
