const SAY_EVERY = 5_000;

/** "45 s", "3 min 05 s". */
export function elapsed(milliseconds: number): string {
  const seconds = Math.round(milliseconds / 1000);
  if (seconds < 60) return `${seconds} s`;
  return `${Math.floor(seconds / 60)} min ${String(seconds % 60).padStart(2, "0")} s`;
}

/** Logs `what`, then every few seconds how long it has taken and how far it is, until the work ends. */
export async function withProgress<T>(
  log: (line: string) => void,
  what: string,
  state: () => string,
  work: () => Promise<T>,
): Promise<T> {
  const started = performance.now();
  log(what);
  const timer = setInterval(() => {
    const now = state();
    log(`${what}: ${elapsed(performance.now() - started)}${now === "" ? "" : `, ${now}`}`);
  }, SAY_EVERY);
  try {
    return await work();
  } finally {
    clearInterval(timer);
  }
}
