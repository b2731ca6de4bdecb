import { z } from "zod";
import { AgentPlatformError, goneMeanwhile, isNotFound, messageOf } from "../../base/errors";
import { showDuration } from "../../base/time";
import { excerptOf } from "../../http/excerpt";
import { NO_BODY } from "../../http/request";
import { segment } from "../../http/segment";
import type { Context } from "../../lifecycle/observe/context";
import type { Live } from "../../lifecycle/rest/addressed";
import { BUILT } from "../../lifecycle/rest/built";
import { howToEnd, limitOf, type Outcome, waitFor } from "../../lifecycle/wait/wait";

export const PATH = "/v2/sandboxes/snapshots";
const built = z.looseObject(BUILT);
type Message = z.output<typeof built>["status_message"];

export interface Building {
  /** For messages: `SandboxSnapshot "python:latest" (<id>)`. */
  readonly what: string;
  readonly limitMs: number | undefined;
  /** This resource created it, so it is deleted if its build fails. Any other object stays. */
  readonly isOurs: boolean;
  /** The state has it already: only a refresh takes it out of there. */
  readonly isInState?: boolean;
  readonly urn: string | undefined;
}

/** The wait ended before the object was ready or failed: the time was up, the run was cancelled, or an error ended it. */
export class WaitEndedError extends AgentPlatformError {}

/** How long the platform may answer 404 for an object that it has just created. */
const FRESH_MS = 60_000;

const LIMIT_MS = 30 * 60_000;
const RESUMES = "It goes on building, and the next `pulumi up` waits on";

export async function untilBuilt(context: Context, live: Live, building: Building): Promise<Live> {
  const { clock, log, call, send } = context;
  const { what, limitMs, urn } = building;
  const began = clock.now();
  const one = `${PATH}/${segment(built.parse(live).id)}`;
  const ended = outcomeOf(context, building, one, live);
  if (ended.state === "done") return ended.result;
  const ready = await waitFor<Live, Live>({
    async poll(until) {
      try {
        return (await send({ method: "GET", path: one, isPoll: true }, built, until)).data;
      } catch (error) {
        if (!isNotFound(error) || clock.now() - began > FRESH_MS) throw error;
        return { ...live, status: "not there yet" };
      }
    },
    condition: (seen) => outcomeOf(context, building, one, seen),
    limitMs: limitOf(call, limitMs, LIMIT_MS),
    context,
    onPending: (status, waitedMs) => log.progress({ status, waitedMs, note: howToEnd(call), urn }),
    timedOut: (status, waitedMs) =>
      new WaitEndedError(
        `${what} is still ${status} after ${showDuration(waitedMs)}. ${RESUMES}; or raise buildTimeout`,
      ),
    stopped: (problem, status, waitedMs) =>
      isNotFound(problem)
        ? goneMeanwhile(what, problem)
        : new WaitEndedError(
            `${what}: the wait ended after ${showDuration(waitedMs)}, its last status was ${status}: ${messageOf(problem)}. ${RESUMES}`,
            { cause: problem },
          ),
  });
  await log.finishProgress({ status: "ready", waitedMs: clock.now() - began, urn });
  return ready;
}

function outcomeOf(context: Context, building: Building, path: string, live: Live): Outcome<Live> {
  const { status, status_message: message } = built.parse(live);
  if (status === "ready") return { state: "done", result: live };
  if (status === "failed") return { state: "failed", error: () => failed(context, building, path, message) };
  if (status === "deleting") return { state: "failed", error: () => goneMeanwhile(building.what) };
  return { state: "pending", status: status ?? "of no status" };
}

/** The error of a failed build. An object that this resource created is deleted. */
async function failed(
  context: Context,
  building: Building,
  path: string,
  message: Message,
): Promise<AgentPlatformError> {
  const reason = reasonOf(message);
  const then = building.isOurs
    ? `${await removed(context, path)}. Correct the arguments, and run \`pulumi up${building.isInState ? " --refresh`" : "` again"}, which builds a new one`
    : "It stays. Leave adopt out, or give it another name, to build a new one";
  return new AgentPlatformError(`${building.what}: its build failed: ${reason}. ${then}`);
}

async function removed({ send }: Context, path: string): Promise<string> {
  try {
    await send({ method: "DELETE", path }, NO_BODY);
  } catch (error) {
    if (!isNotFound(error)) return `It is of no use, but could not be deleted: ${messageOf(error)}`;
  }
  return "It was of no use, and has been deleted";
}

const reasonOf = (message: Message): string =>
  excerptOf([message ?? ""])
    .join(" ")
    .replace(/\.$/, "") || "the platform gives no reason";
