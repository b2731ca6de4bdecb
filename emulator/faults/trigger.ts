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

/** Compiles the path pattern of a fault to a matcher of paths without query. It reads a path once, with the possible positions in the pattern as bits. */
export function pathMatches(pattern: string): (path: string) => boolean {
  if (pattern === "*") return () => true;
  const noPlace = (): Int32Array => new Int32Array((pattern.length >> 5) + 1);
  const add = (places: Int32Array, place: number) => (places[place >> 5] = (places[place >> 5] ?? 0) | (1 << place));
  const both = (one: Int32Array, other: Int32Array) => one.map((word, at) => word | (other[at] ?? 0));
  // Where `*` begins and may go on, where `**` stands, and where each letter leads on.
  const [parts, begun, rests] = [noPlace(), noPlace(), noPlace()];
  const letters = new Map([
    ["/", noPlace()],
    ["*", parts],
  ]);
  let end = 0;
  for (const sign of pattern.match(/\*\*|[^]/g) ?? []) {
    if (sign === "**") {
      add(rests, end);
      continue;
    }
    const places = letters.get(sign) ?? noPlace();
    letters.set(sign, places);
    add(places, end);
    end += 1;
    if (sign === "*") add(begun, end);
  }
  for (const [letter, places] of letters) if (letter !== "/") letters.set(letter, both(places, parts));
  const inPart = both(rests, begun);
  return (path) => {
    const places = noPlace().fill(1, 0, 1);
    for (let at = 0; at < path.length; at += 1) {
      const character = path.charAt(at);
      const leading = letters.get(character) ?? parts;
      const staying = character === "/" ? rests : inPart;
      let carry = 0;
      let left = 0;
      for (let word = 0; word < places.length; word += 1) {
        const here = places[word] ?? 0;
        const moved = here & (leading[word] ?? 0);
        const next = (moved << 1) | carry | (here & (staying[word] ?? 0));
        places[word] = next;
        left |= next;
        carry = moved >>> 31;
      }
      if (left === 0) return false;
    }
    return ((places[end >> 5] ?? 0) & (1 << end)) !== 0;
  };
}

/** Decides which requests a fault strikes, and counts them. */
export class FaultTrigger {
  private readonly count: number;
  private candidates = 0;
  private strikes = 0;
  private endsAt = Infinity;
  private readonly fitsPath: (path: string) => boolean;

  constructor(
    private readonly fault: Fault,
    private readonly random: () => number,
    private readonly clock: Clock,
  ) {
    const once = fault.kind === "hold" || fault.nth !== undefined;
    this.count = fault.count ?? (once ? 1 : Infinity);
    this.fitsPath = pathMatches(fault.path);
  }

  get fired(): number {
    return this.strikes;
  }

  /** Whether it will strike no more. */
  get isSpent(): boolean {
    return this.strikes >= this.count || this.clock.now() >= this.endsAt;
  }

  covers(method: string, path: string): boolean {
    const { method: wanted } = this.fault;
    return (wanted === "*" || wanted === method) && this.fitsPath(path);
  }

  /** Counts one request that the fault covers and could strike. Returns whether it does. */
  take(): boolean {
    this.candidates += 1;
    if (this.candidates < (this.fault.nth ?? 1) || this.isSpent) return false;
    // Faults of probability 1 draw no random number, so that adding one does not change the draws of jitter.
    if (this.fault.probability < 1 && this.random() >= this.fault.probability) return false;
    if (this.strikes === 0) this.endsAt = this.clock.now() + (this.fault.forMs ?? Infinity);
    this.strikes += 1;
    return true;
  }
}
