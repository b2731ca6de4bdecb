/** What is stored, or is to be stored, is not what this emulator writes. */
export class StoreError extends Error {
  override readonly name = "StoreError";
}

interface Part {
  all(): readonly unknown[];
  clear(): void;
}

/** All objects of the emulator as plain data: what goes into the data file. */
export class Store {
  private readonly parts = new Map<string, Part>();
  private readonly listeners = new Set<() => void>();
  private changes = 0;

  /** @param unreadable Creates the error for stored objects that no collection can read. */
  constructor(
    private readonly loaded: Readonly<Record<string, readonly unknown[]>> = {},
    readonly unreadable = (why: string): Error => new StoreError(why),
  ) {}

  /** Grows with every change: shows whether something is not written yet. */
  get version(): number {
    return this.changes;
  }

  changed(): void {
    this.changes += 1;
    for (const listener of this.listeners) listener();
  }

  /** Calls the listener after each change, until the function that this returns is called. */
  onChange(listener: () => void): () => void {
    this.listeners.add(listener);
    return () => void this.listeners.delete(listener);
  }

  stored(name: string): readonly unknown[] {
    return this.loaded[name] ?? [];
  }

  attach(name: string, part: Part): void {
    this.parts.set(name, part);
  }

  snapshot(): Record<string, readonly unknown[]> {
    // Collections that were never opened are kept as they were loaded.
    return {
      ...this.loaded,
      ...Object.fromEntries([...this.parts].map(([name, part]) => [name, part.all()])),
    };
  }

  clear(): void {
    for (const part of this.parts.values()) part.clear();
  }
}
