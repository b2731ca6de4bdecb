import { setImmediate as turn } from "node:timers/promises";

/**
 * What an actor is about to do: a request to the platform, the end of a sleep, the writing of a state, or, for somebody without a program, an act by hand.
 */
export interface Step {
  /** Of several that go on at once in one process: its name, and theirs after a slash. */
  readonly who: string;
  readonly what: "request" | "tick" | "act" | "state";
  /** For a request, its method and path, with the ids in the order in which the story met them: equal in each run of one schedule. */
  readonly name: string;
  /** The collection that it looks at or changes, and the object; "" where it is about all. */
  readonly collection: string;
  readonly object: string;
  readonly isRead: boolean;
}

/**
 * What the explorer does with a step: lets it through; loses the request or its answer; loses its answer at once and carries it out after the next look; kills
 * the process before it; refuses the key from here on; answers a read as an earlier one of the same address was answered; or a list as it was before the last
 * request that wrote, whether it was asked for then or not; or spoils the answer (spoiled.ts), of this request or of all from here on.
 */
export type Way =
  | "pass"
  | "lost request"
  | "lost answer"
  | "late commit"
  | "kill"
  | "key refused"
  | "stale answer"
  | "late list"
  | `spoiled answer: ${string}`
  | `spoiled answers from here on: ${string}`;

export interface Choice {
  readonly step: Step;
  readonly way: Way;
}

/**
 * Whether the order of two choices can make a difference. Reads commute, and so do requests for different objects. An answer is known to its actor alone, so a
 * request and its answer are one step: another actor's request between the two is the same as one after both.
 */
export function depends(one: Choice, other: Choice): boolean {
  if (one.step.who === other.step.who) return true;
  if ((one.way === "kill" || other.way === "kill") && processOf(one.step.who) === processOf(other.step.who))
    return true;
  // One fault for each story: the first takes it from the other.
  if (one.way !== "pass" && other.way !== "pass") return true;
  // Time moves builds on, and is in what a creation answers.
  if (one.step.what === "tick" || other.step.what === "tick") return one.step.collection === other.step.collection;
  if (one.step.isRead && other.step.isRead) return false;
  if (one.step.collection !== other.step.collection) return false;
  const [first, second] = [one.step.object, other.step.object];
  return first === "" || second === "" || first === second;
}

export const sameChoice = (one: Choice, other: Choice): boolean =>
  one.step.who === other.step.who && one.step.name === other.step.name && one.way === other.way;

/** The process that an actor is, or is a part of. */
export const processOf = (who: string): string => who.split("/")[0] ?? who;

interface Held {
  readonly step: Step;
  readonly go: (way: Way) => void;
}

/** Holds each step of each actor until it is let through, one at a time. */
export class Schedule {
  private held: Held[] = [];
  /** The actors that are between two steps. */
  private readonly under = new Set<string>();
  private readonly ended = new Set<string>();
  /** How many requests each actor has under way, until it has read their answers. */
  private readonly sent = new Map<string, number>();
  private wake: () => void = () => undefined;
  /** Everything passes: the story is over, or was given up. */
  isOpen = true;

  begin(actors: readonly string[]): void {
    this.held = [];
    this.ended.clear();
    this.under.clear();
    for (const each of actors) this.under.add(each);
    this.isOpen = false;
  }

  /** Called with each step; resolves with what becomes of it. */
  reach(step: Step): Promise<Way> {
    if (this.isOpen || this.ended.has(step.who)) return Promise.resolve("pass");
    return new Promise((go) => {
      this.held.push({ step, go });
      this.under.delete(step.who);
      this.wake();
    });
  }

  /** Called as an actor sends a request; what it gives, once the answer was read. */
  send(who: string): () => void {
    this.count(who, 1);
    return () => {
      this.count(who, -1);
      this.wake();
    };
  }

  end(who: string): void {
    this.ended.add(who);
    this.under.delete(who);
    this.wake();
  }

  /** Several at once in the place of one actor, which goes on when all of them have come to their end. */
  async split<T>(who: string, parts: ReadonlyMap<string, () => Promise<T>>): Promise<PromiseSettledResult<T>[]> {
    for (const part of parts.keys()) this.under.add(part);
    this.under.delete(who);
    let left = parts.size;
    const act = async ([part, does]: [string, () => Promise<T>]): Promise<T> => {
      try {
        return await does();
      } finally {
        left -= 1;
        if (left === 0) this.under.add(who);
        this.end(part);
      }
    };
    return Promise.allSettled([...parts].map(act));
  }

  /** The steps that wait, once every actor has come to one or to its end; in a fixed order. */
  async waiting(): Promise<readonly Step[]> {
    while (this.under.size > 0) {
      const woken = new Promise<void>((resolve) => (this.wake = resolve));
      if (![...this.under].every((who) => this.waits(who))) await woken;
      // What follows from an answer that it has read needs no second turn.
      else if (await Promise.race([woken.then(() => false), turn(true)])) break;
    }
    return this.held.map(({ step }) => step).sort((one, other) => keyOf(one).localeCompare(keyOf(other)));
  }

  /** Whether an actor waits for its other steps: each of its requests is held here. */
  private waits(who: string): boolean {
    const own = this.held.filter(({ step }) => step.who === who);
    return own.length > 0 && own.filter(({ step }) => step.what === "request").length === (this.sent.get(who) ?? 0);
  }

  private count(who: string, more: number): void {
    this.sent.set(who, (this.sent.get(who) ?? 0) + more);
  }

  let(step: Step, way: Way): void {
    const index = this.held.findIndex((held) => held.step === step);
    const [held] = this.held.splice(index, 1);
    this.under.add(step.who);
    held?.go(way);
  }

  /** Ends the story: whatever comes, passes in the given way. */
  open(): void {
    this.isOpen = true;
    for (const { go } of this.held.splice(0)) go("pass");
  }
}

const keyOf = ({ who, name }: Step): string => `${who} ${name}`;
