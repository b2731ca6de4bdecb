import { mkdir } from "node:fs/promises";
import { setTimeout as pause } from "node:timers/promises";
import { sweepUnfinished } from "./entry";
import { reasonOf } from "./failure";
import { layoutFor, type Layout } from "./layout";
import { takeLock, type LockOptions } from "./lock";
import { logTo, type ProgressLog } from "./progress";

/** Everything has a default. */
export interface EngineOptions {
  /** Progress, a line at a time. @default standard error */
  readonly log?: ProgressLog;
  /** @default process.env */
  readonly env?: NodeJS.ProcessEnv;
  /** The repository whose tools/engine describes the engine. @default the one this code is in */
  readonly checkout?: string;
  /** Waits between looks at another run's lock. @default a timer */
  readonly sleep?: (milliseconds: number) => Promise<void>;
  /** @default Date.now */
  readonly now?: () => number;
}

interface Attempt {
  readonly way: string;
  readonly failure: string;
}

/** What the ways to a program share. */
export type Dependencies = Required<Omit<EngineOptions, "checkout">> & {
  readonly layout: Layout;
  readonly attempts: Attempt[];
};

/** The options with their defaults, and no attempts yet. */
export function dependenciesOf({ env = process.env, log, sleep, now, checkout }: EngineOptions): Dependencies {
  return {
    env,
    log: log ?? logTo(process.stderr),
    sleep: sleep ?? ((milliseconds) => pause(milliseconds)),
    now: now ?? Date.now,
    layout: layoutFor(env, checkout),
    attempts: [],
  };
}

/** Runs one way; a failure is noted for the final message. */
export async function tryWay<T>(attempts: Attempt[], way: string, work: () => Promise<T>): Promise<T | undefined> {
  try {
    return await work();
  } catch (error) {
    attempts.push({ way, failure: reasonOf(error) });
    return undefined;
  }
}

/** No way led to it. The message lists each with the reason, and what helps. */
export function nothingWorked(what: string, attempts: readonly Attempt[], remedies: readonly string[]): Error {
  const tried = attempts.map(
    ({ way, failure }, index) => `  ${index + 1}. ${way}: ${failure.replaceAll("\n", "\n     ")}`,
  );
  return new Error(
    [
      `No working ${what} was found, and none could be made. Tried, in this order:`,
      ...tried,
      "Any one of these helps:",
      ...remedies.map((remedy) => `  - ${remedy}`),
    ].join("\n"),
  );
}

/** Makes an entry of the cache while no other run does. `look` finds what another run has made while this one waited. */
export async function makeAlone<T>(
  entry: string,
  dependencies: Dependencies & Pick<LockOptions, "doing">,
  look: () => T | undefined,
  make: () => Promise<T>,
): Promise<T> {
  const { layout } = dependencies;
  await mkdir(layout.cache, { recursive: true });
  const lock = await takeLock(`${entry}.lock`, dependencies);
  try {
    const made = look();
    if (made !== undefined) return made;
    await sweepUnfinished(layout);
    return await make();
  } finally {
    lock.release();
  }
}
