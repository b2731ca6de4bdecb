/** The most of these times, in their order, that are in one window. */
export function mostWithin(times: readonly number[], windowMs: number): number {
  let [from, most] = [0, 0];
  times.forEach((time, to) => {
    while ((times[from] ?? 0) <= time - windowMs) from += 1;
    most = Math.max(most, to - from + 1);
  });
  return most;
}
