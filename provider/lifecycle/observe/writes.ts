/** Counts what a process writes: a list from before a write does not answer a read after it. One for all that share a process. */
export class WriteCounter {
  private counted = 0;

  get count(): number {
    return this.counted;
  }

  add(): void {
    this.counted += 1;
  }
}
