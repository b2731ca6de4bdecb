import { ApiError } from "../base/api-error";
import type { Clock } from "../base/clock";
import { type CronRecord, threadIdOf } from "../platform/agent-records";
import type { EmulatedPlatform } from "../platform/platform";
import { findAssistant } from "./assistants";
import type { AgentSettings } from "./options";
import { namesOf, planRun, runOptions } from "./run-plan";
import type { Runs } from "./runs";
import { nextRun } from "./schedule";
import { servedAgent } from "./served-agent";

interface CronServices {
  readonly clock: Clock;
  readonly platform: EmulatedPlatform;
  readonly runs: Runs;
  readonly agents: AgentSettings;
  /** Saves the platform's objects; never rejects. */
  readonly save: () => Promise<void>;
}

/** Starts the runs of the crons that are due, until the function that it returns is called. */
export function runCrons({ clock, platform, runs, agents, save }: CronServices): () => void {
  const { crons } = platform;
  let stopWaiting = (): void => undefined;

  const wait = (): void => {
    stopWaiting();
    const next = Math.min(...crons.all().filter(isActive).map(dueOf));
    if (next === Infinity) return;
    stopWaiting = clock.after(Math.max(next - clock.now(), 0), () => {
      const now = clock.now();
      for (const cron of crons.all()) if (isActive(cron) && dueOf(cron) <= now) run(cron, now);
      wait();
      void save();
    });
  };

  const run = (cron: CronRecord, now: number): void => {
    const owner = { tenantId: cron.tenant_id, deploymentId: cron.deployment_id };
    const agent = unlessRefused(() => servedAgent(platform, agents, owner, now));
    // The look-up removes what a deleted deployment has left.
    if (crons.get(cron.tenant_id, cron.id) === undefined) return;
    const next = unlessRefused(() => nextRun(cron.schedule, cron.timezone, now));
    crons.put(next === undefined ? { ...cron, enabled: false } : { ...cron, next_run_date: next });
    if (agent === undefined) return;
    const assistant = unlessRefused(() => findAssistant(platform, agent, cron.assistant_id));
    if (assistant === undefined) return;
    const { threads } = platform;
    const thread = cron.thread_id === null ? threads.create(agent, {}, now) : threads.find(agent, cron.thread_id);
    if (thread === undefined) return;
    const metadata = { ...cron.metadata, ...namesOf(assistant), cron_id: cron.cron_id };
    threads.begin(thread, metadata, now);
    const on = { threadId: threadIdOf(thread), metadata, memory: { thread, threads } };
    const started = runs.start(planRun(assistant, runOptions.parse(cron.payload), on));
    if (cron.on_run_completed !== "delete") return;
    void started.over.then(() => {
      runs.forgetThread(thread.id);
      threads.remove(thread);
      void save();
    });
  };

  const stopListening = platform.onChange(wait);
  wait();
  return () => {
    stopListening();
    stopWaiting();
  };
}

const dueOf = ({ next_run_date: next }: CronRecord): number => Date.parse(next);
/** An end that is no time never comes. */
const isActive = (cron: CronRecord): boolean => cron.enabled && !(Date.parse(cron.end_time ?? "") < dueOf(cron));

/** undefined where a request would be refused: while no revision serves, or where its graph is gone. */
function unlessRefused<T>(look: () => T): T | undefined {
  try {
    return look();
  } catch (error) {
    if (error instanceof ApiError) return undefined;
    throw error;
  }
}
