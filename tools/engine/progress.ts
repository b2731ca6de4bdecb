/** Takes a line. One that is `again` says how far the work of the line before is by now, and may take its place. */
export type ProgressLog = (line: string, again?: boolean) => void;

const SAY_EVERY = 5_000;
/** Terminals know these: to the line above, which is then empty. */
const LINE_ABOVE = "\x1b[1A\x1b[2K";

/** Lines on standard error, or on another stream. In a terminal the progress of a work stays on one line. */
export function logTo(stream: Pick<NodeJS.WriteStream, "write" | "isTTY">): ProgressLog {
  return (line, again = false) => void stream.write(`${again && stream.isTTY ? LINE_ABOVE : ""}${line}\n`);
}

/** "45 s", "3 min 05 s". */
export function elapsed(milliseconds: number): string {
  const seconds = Math.round(milliseconds / 1000);
  if (seconds < 60) return `${seconds} s`;
  return `${Math.floor(seconds / 60)} min ${String(seconds % 60).padStart(2, "0")} s`;
}

/** "43 %, about 1 min 20 s left": how far a work is, and when it ends if it goes on as it did in the time that it has taken. */
export function outlook(share: number, milliseconds: number): string {
  const percent = `${Math.floor(share * 100)} %`;
  // The first packages say little about the others.
  if (share < 0.03) return percent;
  const left = (milliseconds * (1 - share)) / share;
  return `${percent}, about ${elapsed(Math.ceil(left / 10_000) * 10_000)} left`;
}

/** Logs `what`, then every few seconds how far it is after so many milliseconds, until the work ends. */
export async function withProgress<T>(
  log: ProgressLog,
  what: string,
  state: (milliseconds: number) => string,
  work: () => Promise<T>,
): Promise<T> {
  const started = performance.now();
  log(what);
  const timer = setInterval(() => log(`${what}: ${state(performance.now() - started)}`, true), SAY_EVERY);
  try {
    return await work();
  } finally {
    clearInterval(timer);
  }
}
