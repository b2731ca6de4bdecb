import type { Context, ResourceDefinition } from "../../lifecycle/definition";
import { AgentPlatformError } from "../../lifecycle/errors";
import type { JsonObject } from "../../lifecycle/json";
import { UNSUPPORTED } from "../../lifecycle/lookup";
import { durationMs } from "../../lifecycle/schema";
import { showDuration } from "../../lifecycle/wait";
import { attempt as attemptRun, NotReady, type Passed } from "./attempt";
import { runCheckFields, runCheckInputs, type RunCheckInputs } from "./schema";

const ATTEMPTS = 10;
const INTERVAL_MS = 3_000;
const LIMIT_MS = 5 * 60_000;

interface Checked extends Passed {
  readonly tried: number;
}

/**
 * A run of an assistant that has to pass. It has no object on the platform: a read has nothing to look at, and a check that failed is not in
 * state, or is there with its old arguments, so that the next `up` tries it again.
 */
export const runCheck: ResourceDefinition<RunCheckInputs, Checked> = {
  kind: "RunCheck",
  api: "control",
  inputs: runCheckInputs,
  fields: runCheckFields,
  naturalKey: undefined,
  undocumented: [],

  async create(context, inputs) {
    const live = await check(context, inputs);
    return { id: live.runId ?? live.digest, live };
  },
  read: () => Promise.resolve(UNSUPPORTED),
  update: (context, _state, inputs) => check(context, inputs),
  delete: () => Promise.resolve("deleted" as const),

  toInputs: () => ({}),
  toComputed: ({ runId, attempt, threadId, tried, firstEventMs, totalMs, events, digest, output }): JsonObject => ({
    runId,
    attempt,
    threadId,
    tried,
    firstEventMs,
    totalMs,
    events,
    digest,
    output,
  }),
};

/** Runs the assistant, and asks again only while nothing was started. */
async function check({ clock, connection, log, checkAlive }: Context, inputs: RunCheckInputs): Promise<Checked> {
  const began = clock.now();
  const until = began + (durationMs(inputs.runTimeout ?? "") ?? LIMIT_MS);
  const attempts = inputs.attempts ?? ATTEMPTS;
  const { allowInsecure } = connection;
  const apiKey = inputs.apiKey ?? connection.apiKey;
  for (let tried = 1; ; tried++) {
    await checkAlive();
    log.progress({ status: `asking ${inputs.assistantId}`, waitedMs: clock.now() - began, urn: inputs.progressUrn });
    try {
      return { ...(await attemptRun(inputs, { apiKey, allowInsecure, clock, until })), tried };
    } catch (error) {
      if (!(error instanceof NotReady)) throw error;
      const pause = durationMs(inputs.interval ?? "") ?? INTERVAL_MS;
      if (tried >= attempts || clock.now() + pause >= until)
        throw notAnswering(inputs, error, tried, clock.now() - began);
      const status = `${inputs.assistantId} does not answer yet (${error.message})`;
      log.progress({ status, waitedMs: clock.now() - began, urn: inputs.progressUrn });
      await clock.sleep(pause);
    }
  }
}

function notAnswering(
  { url, assistantId }: RunCheckInputs,
  cause: Error,
  tried: number,
  ms: number,
): AgentPlatformError {
  return new AgentPlatformError(
    `assistant "${assistantId}" at ${url ?? ""} does not answer: ${cause.message} (tried ${tried} times in ${showDuration(ms)}). No run was started. ` +
      "Look whether the deployment serves that assistant; a slow start needs more `attempts` or a longer `interval`",
    { cause },
  );
}
