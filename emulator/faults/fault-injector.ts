import type { Clock } from "../base/clock";
import { type Exchange, isStream, type Layer, unanswered } from "../base/exchange";
import type { LogEntry } from "../base/log-entry";
import type { Store } from "../store/store";
import { type EffectContext, effectOf } from "./effects";
import { type Fault, type FaultInput, type FaultPhase, phaseOf } from "./fault";
import { readFault } from "./fault-schema";
import type { ActiveFault, FaultSwitch, ListedFault } from "./fault-switch";
import type { Refetch } from "./lists";
import type { FaultSettings } from "./options";
import { Pauses } from "./pauses";
import { StoreHistory } from "./store-history";
import { FaultTrigger, seededRandom } from "./trigger";

/** The parts of the emulator that faults work with. */
export interface FaultDependencies {
  readonly store: Store;
  readonly clock: Clock;
  readonly refetch: Refetch;
}

interface ArmedFault {
  readonly id: number;
  readonly fault: Fault;
  readonly phase: FaultPhase;
  readonly trigger: FaultTrigger;
  readonly context: EffectContext;
  on: boolean;
  reach(entry: LogEntry): void;
  release(): void;
}

/** The layer that applies the active faults to requests. */
export class FaultInjector implements Layer, FaultSwitch {
  private readonly history: StoreHistory;
  private readonly pauses = new Pauses();
  private readonly writeWatches = new WeakMap<LogEntry, () => void>();
  private armed: ArmedFault[] = [];
  private added = 0;
  /** Never reset, because a page may still refer to an earlier fault. */
  private ids = 0;

  constructor(
    private readonly settings: FaultSettings,
    private readonly dependencies: FaultDependencies,
  ) {
    this.history = new StoreHistory(dependencies.store, dependencies.clock);
    for (const fault of settings.faults) this.add(fault);
  }

  add(input: FaultInput): ActiveFault {
    const fault = readFault(input);
    const { clock, refetch } = this.dependencies;
    // A sequence of its own: the draws of one fault do not depend on which requests another one sees.
    const random = seededRandom(this.settings.seed + 1_000_003 * this.added++);
    const held = new Set<(cut: boolean) => void>();
    const release = () => held.forEach((end) => end(false));
    let reach: (entry: LogEntry) => void = () => undefined;
    const reached = new Promise<LogEntry>((resolve) => (reach = resolve));
    const context: EffectContext = {
      random,
      refetch,
      history: this.history,
      sleep: (exchange, ms) => this.pauses.sleep(exchange, ms),
      hold: (exchange) => this.pauses.hold(exchange, held),
    };
    const trigger = new FaultTrigger(fault, random, clock);
    const armed: ArmedFault = {
      id: ++this.ids,
      fault,
      phase: phaseOf(fault),
      trigger,
      context,
      on: true,
      reach,
      release,
    };
    this.armed.push(armed);
    return {
      get fired() {
        return trigger.fired;
      },
      reached,
      release,
      remove: () => this.disarm(armed),
    };
  }

  get list(): readonly ListedFault[] {
    return this.armed.map((armed) => ({
      id: armed.id,
      fault: armed.fault,
      fired: armed.trigger.fired,
      isSpent: armed.trigger.isSpent,
      release: () => armed.release(),
      remove: () => this.disarm(armed),
    }));
  }

  clear(): void {
    for (const armed of [...this.armed]) this.disarm(armed);
    this.added = 0;
    this.history.clear();
  }

  /** Resets to the faults of the options. Requests that are held are cut off. */
  reset(): void {
    this.close();
    for (const fault of this.settings.faults) this.add(fault);
  }

  /** Cuts off the requests that faults keep waiting, and switches all faults off. */
  close(): void {
    this.pauses.cutAll();
    this.clear();
  }

  async beforeRoute(exchange: Exchange): Promise<Response | undefined> {
    for (const armed of this.armedFor("before-route")) {
      const answer = await this.strike(armed, exchange, new Response(null, { status: 200 }));
      if (answer !== undefined) return answer;
    }
    // Not before the hold ends, because a held request then reads and writes the data of that moment.
    this.watchWrites(exchange);
    return undefined;
  }

  async afterCommit(exchange: Exchange, response: Response): Promise<Response> {
    this.writeWatches.get(exchange.entry)?.();
    let answer = response;
    for (const armed of this.armedFor("after-commit")) {
      // Another fault cannot read a body that this one throttles.
      if (answer === unanswered || (answer !== response && isStream(answer))) break;
      answer = (await this.strike(armed, exchange, answer)) ?? answer;
    }
    if (answer.body !== response.body && isStream(response)) cancelBody(response);
    return answer;
  }

  private armedFor(phase: FaultPhase): ArmedFault[] {
    return this.armed.filter((armed) => armed.phase === phase);
  }

  private async strike(armed: ArmedFault, exchange: Exchange, response: Response): Promise<Response | undefined> {
    const { fault, trigger, context, phase } = armed;
    if (!trigger.covers(exchange.request.method, exchange.url.pathname)) return undefined;
    const effect = await effectOf(fault, exchange, response, context);
    if (effect === undefined || !armed.on || !trigger.take()) return undefined;
    exchange.entry.fault = fault.kind;
    exchange.entry.faultPhase = phase;
    const answer = effect();
    // After the effect has begun: a test that waits for this may release a hold at once.
    armed.reach(exchange.entry);
    return answer;
  }

  private watchWrites(exchange: Exchange): void {
    if (exchange.request.method === "GET") return;
    if (!this.armed.some(({ fault }) => fault.kind === "stale-read")) return;
    this.writeWatches.set(exchange.entry, this.history.watch());
  }

  private disarm(armed: ArmedFault): void {
    armed.on = false;
    this.armed = this.armed.filter((other) => other !== armed);
    armed.release();
  }
}

/** Ends a stream that will not be read, unless the fault reads it. */
function cancelBody({ body }: Response): void {
  if (body !== null && !body.locked) void body.cancel();
}
