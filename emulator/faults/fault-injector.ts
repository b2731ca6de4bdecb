import type { Clock } from "../base/clock";
import { EmulatorError } from "../base/emulator-error";
import { faultSchema, phaseOf, type Fault, type FaultInput, type FaultPhase } from "./fault";
import { StoreHistory } from "./store-history";
import { deedOf, type Site } from "./effects";
import type { Ask } from "./lists";
import { seededRandom, Tally } from "./trigger";
import type { LogEntry } from "../server/request-log";
import { unanswered, type Exchange, type Layer } from "../server/pipeline";
import type { Store } from "../store/store";
import { isStream } from "../base/streamed";

/** A fault that is switched on. */
export interface ActiveFault {
  /** How many requests it has struck. */
  readonly fired: number;
  /** Resolves with the log entry of the first request that it strikes, at that moment. Never rejects. */
  readonly reached: Promise<LogEntry>;
  /** Lets all requests go on that it holds now (kind "hold"), also those whose client has gone. */
  release(): void;
  /** Switches it off and releases what it holds. */
  remove(): void;
}

/** The switchboard of an emulator's faults. */
export interface FaultSwitch {
  /**
   * Switches a fault on. All that fit a request strike it, in the order of adding, up to one that ends the matter: a cut
   * connection, or a body that comes drop by drop. Throws EmulatorError on a wrong one.
   */
  add(fault: FaultInput): ActiveFault;
  /** Switches all faults off, also those of the options, and releases what they hold. */
  clear(): void;
}

/** A fault as it was read, or EmulatorError with what is wrong about it. */
export function readFault(input: unknown): Fault {
  const parsed = faultSchema.safeParse(input);
  if (parsed.success) return parsed.data;
  const problems = parsed.error.issues.map((issue) => `${issue.path.map(String).join(".")}: ${issue.message}`);
  throw new EmulatorError(`This is no fault: ${problems.join("; ")}.`);
}

/** What the faults of an emulator work with. */
export interface FaultSurroundings {
  readonly store: Store;
  readonly clock: Clock;
  readonly ask: Ask;
  /** Of everything that is drawn. */
  readonly seed: number;
  /** On from the start. */
  readonly initial: readonly FaultInput[];
}

interface Switched {
  readonly fault: Fault;
  readonly phase: FaultPhase;
  readonly tally: Tally;
  readonly site: Site;
  on: boolean;
  reach(entry: LogEntry): void;
  release(): void;
}

/** The layer that spoils requests as the switchboard says. */
export class Faults implements Layer, FaultSwitch {
  readonly #surroundings: FaultSurroundings;
  readonly #history: StoreHistory;
  /** Each ends one wait or sleep; true: by cutting the request off. */
  readonly #waiting = new Set<(cut: boolean) => void>();
  readonly #written = new WeakMap<LogEntry, () => void>();
  #switched: Switched[] = [];
  #added = 0;

  constructor(surroundings: FaultSurroundings) {
    this.#surroundings = surroundings;
    this.#history = new StoreHistory(surroundings.store, surroundings.clock);
    for (const fault of surroundings.initial) this.add(fault);
  }

  add(input: FaultInput): ActiveFault {
    const fault = readFault(input);
    // A sequence of its own: the draws of one fault do not hang on which requests another one sees.
    const random = seededRandom(this.#surroundings.seed + 1_000_003 * this.#added++);
    const held = new Set<(cut: boolean) => void>();
    const release = () => held.forEach((end) => end(false));
    let reach: (entry: LogEntry) => void = () => undefined;
    const reached = new Promise<LogEntry>((resolve) => (reach = resolve));
    const site = this.#site(random, held);
    const switched: Switched = {
      fault,
      phase: phaseOf(fault),
      tally: new Tally(fault, random, this.#surroundings.clock),
      site,
      on: true,
      reach,
      release,
    };
    this.#switched.push(switched);
    return {
      get fired() {
        return switched.tally.fired;
      },
      reached,
      release,
      remove: () => this.#remove(switched),
    };
  }

  clear(): void {
    for (const switched of [...this.#switched]) this.#remove(switched);
    this.#added = 0;
    this.#history.clear();
  }

  /** As at the start: only the faults of the options. Requests that are held are cut off, they belong to the past. */
  reset(): void {
    this.#cutAll();
    this.clear();
    for (const fault of this.#surroundings.initial) this.add(fault);
  }

  /** Cuts off whatever a fault keeps waiting. */
  close(): void {
    this.#cutAll();
    this.clear();
  }

  async beforeRoute(exchange: Exchange): Promise<Response | undefined> {
    for (const switched of this.#at("before-route")) {
      const answer = await this.#strike(switched, exchange, new Response(null, { status: 200 }));
      if (answer !== undefined) return answer;
    }
    // Not before: a request that was held writes to what is stored now.
    this.#watchWrites(exchange);
    return undefined;
  }

  async afterCommit(exchange: Exchange, response: Response): Promise<Response> {
    this.#written.get(exchange.entry)?.();
    let answer = response;
    for (const switched of this.#at("after-commit")) {
      // A body that one fault lets drip is nothing that another one could read.
      if (answer === unanswered || (answer !== response && isStream(answer))) break;
      answer = (await this.#strike(switched, exchange, answer)) ?? answer;
    }
    if (answer.body !== response.body && isStream(response)) abandon(response);
    return answer;
  }

  #at(phase: FaultPhase): Switched[] {
    return this.#switched.filter((switched) => switched.phase === phase);
  }

  async #strike(switched: Switched, exchange: Exchange, response: Response): Promise<Response | undefined> {
    const { fault, tally, site, phase } = switched;
    if (!tally.covers(exchange.request.method, exchange.url.pathname)) return undefined;
    const deed = await deedOf(fault, exchange, response, site);
    if (deed === undefined || !switched.on || !tally.take()) return undefined;
    exchange.entry.fault = fault.kind;
    exchange.entry.faultPhase = phase;
    const answer = deed();
    // After the deed has begun: who waits for this may release a hold at once.
    switched.reach(exchange.entry);
    return answer;
  }

  #watchWrites(exchange: Exchange): void {
    if (exchange.request.method === "GET") return;
    if (!this.#switched.some(({ fault }) => fault.kind === "stale-read")) return;
    this.#written.set(exchange.entry, this.#history.watch());
  }

  #remove(switched: Switched): void {
    switched.on = false;
    this.#switched = this.#switched.filter((other) => other !== switched);
    switched.release();
  }

  #cutAll(): void {
    for (const end of [...this.#waiting]) end(true);
  }

  #site(random: () => number, held: Set<(cut: boolean) => void>): Site {
    const pause = (exchange: Exchange, begin: (end: (cut: boolean) => void) => () => void) =>
      new Promise<Response | undefined>((resolve) => {
        const end = (cut: boolean) => {
          forget();
          this.#waiting.delete(end);
          if (cut) exchange.outgoing.destroy();
          resolve(cut ? unanswered : undefined);
        };
        const forget = begin(end);
        this.#waiting.add(end);
      });
    return {
      random,
      ask: this.#surroundings.ask,
      history: this.#history,
      sleep: (exchange, ms) =>
        pause(exchange, (end) => {
          const timer = setTimeout(() => end(false), ms);
          return () => clearTimeout(timer);
        }),
      wait: (exchange) =>
        pause(exchange, (end) => {
          held.add(end);
          return () => held.delete(end);
        }),
    };
  }
}

/** Ends a stream that nobody will read, unless the fault reads it. */
function abandon({ body }: Response): void {
  if (body !== null && !body.locked) void body.cancel();
}
