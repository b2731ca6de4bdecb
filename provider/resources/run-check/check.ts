import { LONGEST_TIMER_MS } from "../../base/clock";
import { AgentPlatformError, isHttpError, isTransportError, messageOf } from "../../base/errors";
import { AgentClient } from "../../streaming/client";
import { attempt, NotStarted, surelyNotStarted, type Passed } from "./attempt";
import { disclosureOf } from "./last-events";
import type { RunCheckInputs } from "./fields";
import { durationMs, showDuration } from "../../base/time";
import type { Context } from "../../lifecycle/observe/context";
import { limitOf } from "../../lifecycle/wait/wait";
import { addressRefusal } from "../deployment/agent";

const ATTEMPTS = 10;
const INTERVAL_MS = 3_000;
const LIMIT_MS = 5 * 60_000;

/** A run that passed, and how many attempts it took to start. */
export interface Checked extends Passed {
  readonly tried: number;
}

/**
 * Waits until a server answers, using requests that start nothing, and then runs the assistant. The run is sent again only if it was certainly
 * not started; a thread is created only once, whatever happens afterwards.
 */
export async function check(context: Context, inputs: RunCheckInputs): Promise<Checked> {
  const { clock, connection, log, checkAlive, call, signal: cancelled } = context;
  const began = clock.now();
  const limitMs = limitOf(call, durationMs(inputs.runTimeout ?? ""), LIMIT_MS);
  const until = Math.min(began + limitMs, call.deadline ?? Infinity);
  const pause = durationMs(inputs.interval ?? "") ?? INTERVAL_MS;
  const refusal = addressRefusal("RunCheck", connection, inputs);
  if (refusal !== undefined) throw refusal;
  const { allowInsecure } = connection;
  const apiKey = inputs.apiKey ?? connection.apiKey;
  const disclosure = disclosureOf(inputs);
  // Only runTimeout limits how long a run may be silent.
  const idleTimeout = Math.floor(LONGEST_TIMER_MS / 1000);
  const client = new AgentClient({ url: inputs.url, apiKey, allowInsecure, idleTimeout });
  const urn = inputs.__progressUrn ?? call.urn;
  const assistant = assistantName(context, inputs);
  const noRun = (what: string, advice: string): Error =>
    new AgentPlatformError(`assistant "${assistant}" at ${inputs.url} ${what}. No run was started. ${advice}`);
  const say = (status: string) => log.progress({ status, waitedMs: clock.now() - began, urn });
  let threadId: string | null = null;
  const round = async (signal: AbortSignal): Promise<Passed> => {
    await checkAlive();
    await seeServer(client, signal);
    await checkAlive();
    if (inputs.stateful === true) threadId ??= await makeThread(client, signal);
    return attempt(inputs, { client, clock, disclosure, assistant, threadId, signal });
  };
  for (let tried = 1; ; tried++) {
    say(`asking ${assistant}`);
    try {
      const passed = await within(until - clock.now(), round, cancelled);
      await log.finishProgress({ status: "passed", waitedMs: clock.now() - began, urn });
      return { ...passed, tried };
    } catch (error) {
      if (!(error instanceof NotStarted)) throw error;
      const reason = disclosure.clean(error.message);
      if (!error.mayPass) throw noRun(`was not asked: ${reason}`, cancelled?.aborted ? AGAIN : CORRECT);
      const times = (): string => `(tried ${tried} times in ${showDuration(clock.now() - began)})`;
      if (tried >= (inputs.attempts ?? ATTEMPTS) || clock.now() + pause >= until)
        throw noRun(`does not answer: ${reason} ${times()}`, WAIT_LONGER);
      say(`${assistant} does not answer yet (${reason})`);
      await clock.sleep(pause, cancelled);
      if (cancelled?.aborted) throw noRun(`does not answer: ${reason}; the run was cancelled ${times()}`, AGAIN);
    }
  }
}

/** Returns once a server answers, either with success or by refusing a request that it does not know. */
async function seeServer(client: AgentClient, signal: AbortSignal): Promise<void> {
  try {
    await client.ok({ signal });
  } catch (error) {
    const refused = isHttpError(error) ? error.status : undefined;
    if (refused !== undefined && !isComing(refused)) return;
    throw new NotStarted(messageOf(error), refused !== undefined || isTransportError(error));
  }
}

/** The answers of a gateway with nothing behind it, and of a server that is starting or overloaded. */
const isComing = (status: number): boolean => [408, 425, 429].includes(status) || (status >= 500 && status !== 501);

async function makeThread(client: AgentClient, signal: AbortSignal): Promise<string> {
  try {
    return (await client.threads.create({}, { signal })).threadId;
  } catch (error) {
    // After any other answer there may be a thread, and the next attempt would create another.
    throw new NotStarted(messageOf(error), surelyNotStarted(error));
  }
}

/** Runs `act` with a signal that aborts when the time is over, or the run is cancelled. */
async function within<T>(
  milliseconds: number,
  act: (signal: AbortSignal) => Promise<T>,
  cancelled: AbortSignal | undefined,
): Promise<T> {
  const limit = new AbortController();
  const over = new AgentPlatformError("runTimeout has run out; raise it, or find out why the run takes so long");
  const timer = setTimeout(() => limit.abort(over), Math.min(Math.max(1, milliseconds), LONGEST_TIMER_MS));
  try {
    return await act(cancelled === undefined ? limit.signal : AbortSignal.any([limit.signal, cancelled]));
  } finally {
    clearTimeout(timer);
  }
}

/** The assistant's name, if the program declares one with this id; otherwise the id, or the name of the graph. */
export function assistantName({ program }: Context, { assistantId: id }: RunCheckInputs): string {
  const { name } = program.of("Assistant", id).at(-1) ?? {};
  return typeof name === "string" ? name : id;
}

const WAIT_LONGER =
  "Check that the deployment serves that assistant; if it starts slowly, raise `attempts` or `interval`";
const CORRECT = "Correct the agent or the check; the next `pulumi up` tries again";
/** After a cancelled run, which says nothing about the agent. */
const AGAIN = "The next `pulumi up` asks again";
