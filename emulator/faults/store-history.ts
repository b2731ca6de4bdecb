import type { Clock } from "../base/clock";
import type { Store } from "../store/store";

type Stored = ReturnType<Store["snapshot"]>;

/** What was stored until a moment, by the emulator's clock. */
interface Past {
  readonly until: number;
  readonly stored: Stored;
}

/** The stored data before each of the latest requests that wrote. Costs a copy per write: recorded only while needed. */
export class StoreHistory {
  private past: Past[] = [];

  constructor(
    private readonly store: Store,
    private readonly clock: Clock,
  ) {}

  /** Call before a request that may write; call the result once it has written. */
  watch(): () => void {
    const { version } = this.store;
    const stored = this.store.snapshot();
    return () => {
      if (this.store.version === version) return;
      this.past.push({ until: this.clock.now(), stored });
      if (this.past.length > 1000) this.past.shift();
    };
  }

  /** As before the last so many writes, or as early as is known. undefined: nothing was written. */
  beforeWrites(writes: number): Stored | undefined {
    return this.past[Math.max(0, this.past.length - writes)]?.stored;
  }

  /** As it was so long ago. undefined: nothing was written since. */
  ago(ms: number): Stored | undefined {
    const then = this.clock.now() - ms;
    return this.past.find((past) => past.until > then)?.stored;
  }

  clear(): void {
    this.past = [];
  }
}
