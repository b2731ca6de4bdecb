import type { Clock } from "../base/clock";
import { type Exchange, isStream, type Layer, type LogEntry, unanswered } from "../base/exchange";
import type { Store } from "../store/store";
import { ArmedFault } from "./armed-fault";
import { type EffectContext, effectOf } from "./effects";
import type { FaultInput, FaultPhase } from "./fault";
import { readFault } from "./fault-schema";
import type { ActiveFault, FaultSwitch, ListedFault } from "./fault-switch";
import type { Refetch } from "./lists";
import type { FaultOptions } from "./options";
import { Pauses } from "./pauses";
import { StoreHistory } from "./store-history";
import { seededRandom } from "./trigger";

export class FaultInjector implements Layer, FaultSwitch {
  private readonly context: EffectContext;
  private readonly writeWatches = new WeakMap<LogEntry, () => void>();
  private armed: ArmedFault[] = [];
  private added = 0;
  /** Never reset, because a page may still refer to an earlier fault. */
  private ids = 0;

  constructor(
    private readonly options: FaultOptions,
    store: Store,
    private readonly clock: Clock,
    refetch: Refetch,
  ) {
    this.context = { refetch, history: new StoreHistory(store, clock), pauses: new Pauses() };
    this.reset();
  }

  add(input: FaultInput): ActiveFault {
    const fault = readFault(input);
    // A sequence of its own: the draws of one fault do not depend on which requests another one sees.
    const random = seededRandom((this.options.seed ?? 1) + 1_000_003 * this.added++);
    const armed = new ArmedFault(++this.ids, fault, random, this.clock, () => {
      this.armed = this.armed.filter((other) => other !== armed);
    });
    this.armed.push(armed);
    return armed;
  }

  get list(): readonly ListedFault[] {
    return [...this.armed];
  }

  clear(): void {
    for (const armed of this.armed) armed.remove();
    this.added = 0;
    this.context.history.clear();
  }

  /** Resets to the faults of the options. Requests that are held are cut off. */
  reset(): void {
    this.close();
    for (const fault of this.options.faults ?? []) this.add(fault);
  }

  /** Cuts off the requests that faults keep waiting, and switches all faults off. */
  close(): void {
    this.context.pauses.cutAll();
    this.clear();
  }

  async beforeRoute(exchange: Exchange): Promise<Response | undefined> {
    for (const armed of this.armedFor("before-route")) {
      const answer = await this.strike(armed, exchange, new Response(null, { status: 200 }));
      if (answer !== undefined) return answer;
    }
    // Not before the hold ends, because a held request then reads and writes the data of that moment.
    if (exchange.request.method !== "GET" && this.armed.some(({ fault }) => fault.kind === "stale-read"))
      this.writeWatches.set(exchange.entry, this.context.history.watch());
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
    if (!armed.covers(exchange.request.method, exchange.url.pathname)) return undefined;
    const effect = await effectOf(armed, exchange, response, this.context);
    if (effect === undefined || !this.armed.includes(armed) || !armed.take()) return undefined;
    exchange.entry.fault = armed.fault.kind;
    exchange.entry.faultPhase = armed.phase;
    const answer = effect();
    // After the effect has begun: a test that waits for this may release a hold at once.
    armed.reach(exchange.entry);
    return answer;
  }
}

/** Ends a stream that will not be read, unless the fault reads it. */
function cancelBody({ body }: Response): void {
  if (body !== null && !body.locked) void body.cancel();
}
