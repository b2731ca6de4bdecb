import type { Clock } from "../base/clock";
import type { Fault } from "./fault";

/** Random numbers from 0 to 1, the same ones for the same seed (mulberry32). */
export function seededRandom(seed: number): () => number {
  let state = seed >>> 0;
  return () => {
    state = (state + 0x6d2b79f5) >>> 0;
    let mixed = Math.imul(state ^ (state >>> 15), state | 1);
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61);
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32;
  };
}

/** Whether a path (without query) fits a pattern of a fault. */
export function pathMatches(pattern: string, path: string): boolean {
  if (pattern === "*") return true;
  const signs = (pattern.match(/\*\*|[^]/g) ?? []).filter((sign, at, all) => sign !== "**" || all[at - 1] !== "**");
  let places = placesFrom(signs, [0]);
  for (let at = 0; at < path.length && places.length > 0; at += 1) places = placesAfter(signs, places, path.charAt(at));
  return places.at(-1) === signs.length;
}

/** The places in a pattern that may be next, ascending: all are followed at once, so that no pattern makes it go back. */
function placesAfter(signs: readonly string[], places: readonly number[], character: string): number[] {
  const next: number[] = [];
  for (const place of places) {
    const sign = signs[place];
    const stays = sign === "**" || (sign === "*" && character !== "/");
    if (stays && next.at(-1) !== place) next.push(place);
    if (sign === character || (stays && sign === "*")) next.push(place + 1);
  }
  return placesFrom(signs, next);
}

/** `**` may stand for nothing. Whatever the places before it could still reach, it reaches itself. */
function placesFrom(signs: readonly string[], places: readonly number[]): number[] {
  const last = places.findLastIndex((place) => signs[place] === "**");
  if (last < 0) return [...places];
  const place = places[last] ?? 0;
  return [...new Set([place, place + 1, ...places.slice(last + 1)])];
}

/** Decides which requests a fault strikes, and counts them. */
export class FaultTrigger {
  private readonly count: number;
  private candidates = 0;
  private strikes = 0;
  private endsAt = Infinity;

  constructor(
    private readonly fault: Fault,
    private readonly random: () => number,
    private readonly clock: Clock,
  ) {
    const once = fault.kind === "hold" || fault.nth !== undefined;
    this.count = fault.count ?? (once ? 1 : Infinity);
  }

  get fired(): number {
    return this.strikes;
  }

  /** Whether it will strike no more. */
  get isSpent(): boolean {
    return this.strikes >= this.count || this.clock.now() >= this.endsAt;
  }

  covers(method: string, path: string): boolean {
    const { method: wanted, path: pattern } = this.fault;
    return (wanted === "*" || wanted === method) && pathMatches(pattern, path);
  }

  /** Counts one request that the fault covers and could strike. Returns whether it does. */
  take(): boolean {
    this.candidates += 1;
    if (this.candidates < (this.fault.nth ?? 1) || this.isSpent) return false;
    // Faults of probability 1 draw nothing, so that adding one leaves the draws of jitter alone.
    if (this.fault.probability < 1 && this.random() >= this.fault.probability) return false;
    if (this.strikes === 0) this.endsAt = this.clock.now() + (this.fault.forMs ?? Infinity);
    this.strikes += 1;
    return true;
  }
}
