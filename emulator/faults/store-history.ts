import type { Clock } from "../base/clock";
import type { Store } from "../store/store";

type Stored = ReturnType<Store["snapshot"]>;

/** The data that was stored until a moment, by the emulator's clock. */
interface Snapshot {
  readonly until: number;
  readonly stored: Stored;
}

/** The stored data before each of the latest requests that wrote. Costs a copy per write: recorded only while needed. */
export class StoreHistory {
  private snapshots: Snapshot[] = [];

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
      this.snapshots.push({ until: this.clock.now(), stored });
      if (this.snapshots.length > 1000) this.snapshots.shift();
    };
  }

  /** The data before the last `writes` writes, or the oldest known. undefined when nothing was written. */
  beforeLastWrites(writes: number): Stored | undefined {
    return this.snapshots[Math.max(0, this.snapshots.length - writes)]?.stored;
  }

  /** The data of `ms` milliseconds ago. undefined when nothing was written since. */
  ago(ms: number): Stored | undefined {
    const then = this.clock.now() - ms;
    return this.snapshots.find((past) => past.until > then)?.stored;
  }

  clear(): void {
    this.snapshots = [];
  }
}
