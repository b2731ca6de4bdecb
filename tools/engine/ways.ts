import { messageOf } from "../../provider/base/errors";
import { findCheckout, layoutFor, type Layout } from "./layout";

/** Prints a line about the work in progress. */
export type ProgressLog = (line: string) => void;

export const logToStderr: ProgressLog = (line) => void process.stderr.write(`${line}\n`);

export interface Workplace {
  readonly checkout: string;
  readonly env: NodeJS.ProcessEnv;
  /** Gets the progress, a line at a time. */
  readonly log: ProgressLog;
}

/** By default this checkout, this process's environment, and standard error. */
export type EngineOptions = Partial<Workplace>;

/** What the ways to a program share. */
export interface EnginePlace extends Workplace {
  readonly layout: Layout;
}

export function placeOf(options: EngineOptions): EnginePlace {
  const { checkout = findCheckout(), env = process.env, log = logToStderr } = options;
  return { checkout, env, log, layout: layoutFor(env, checkout) };
}

/** A way to something: its name, and what gives the thing, or nothing where it is not there. */
export type Way<T> = readonly [name: string, take: () => Promise<T | undefined> | T | undefined];

/** What the first way that works gives. Rejects where none does, with each and its reason, and with what helps. */
export async function firstThatWorks<T>(
  what: string,
  ways: readonly Way<T>[],
  remedies: readonly string[],
): Promise<T> {
  const tried: string[] = [];
  for (const [name, take] of ways) {
    let failure = "not there";
    try {
      const found = await take();
      if (found !== undefined) return found;
    } catch (error) {
      failure = messageOf(error).replaceAll("\n", "\n     ");
    }
    tried.push(`  ${tried.length + 1}. ${name}: ${failure}`);
  }
  throw new Error(
    [
      `No working ${what} was found, and none could be made. Tried, in this order:`,
      ...tried,
      "Any one of these helps:",
      ...remedies.map((remedy) => `  - ${remedy}`),
    ].join("\n"),
  );
}

const SAY_EVERY = 15_000;

/** Logs `what`, then from time to time how long it has taken, until the work ends. */
export async function withProgress<T>(log: ProgressLog, what: string, work: () => Promise<T>): Promise<T> {
  const started = performance.now();
  log(what);
  const timer = setInterval(() => log(`${what}: ${Math.round((performance.now() - started) / 1000)} s`), SAY_EVERY);
  try {
    return await work();
  } finally {
    clearInterval(timer);
  }
}
