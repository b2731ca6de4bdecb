/** Looks up ids by another value, so that a request costs the same with ten objects as with ten thousand. */
export class IdIndex {
  private readonly ids = new Map<string, Set<string>>();

  of(value: string): ReadonlySet<string> {
    return this.ids.get(value) ?? new Set();
  }

  add(value: string, id: string): void {
    const ids = this.ids.get(value) ?? new Set();
    this.ids.set(value, ids.add(id));
  }

  remove(value: string, id: string): void {
    const ids = this.ids.get(value);
    ids?.delete(id);
    if (ids?.size === 0) this.ids.delete(value);
  }

  clear(): void {
    this.ids.clear();
  }
}
