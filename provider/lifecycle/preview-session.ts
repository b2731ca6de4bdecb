import type { Context, WriteCounter } from "./observe/context";
import { identityOf } from "./observe/kept-list";

/** What a process has learned by asking at preview (docs/review.md). */
export class PreviewSession {
  private readonly countAtStart: number;
  private readonly openings = new Map<string, Promise<boolean>>();

  constructor(private readonly writes: WriteCounter) {
    this.countAtStart = writes.count;
  }

  /** False once this process has written: then it is no preview, and the answers to come are those of `up` itself. */
  get mayAsk(): boolean {
    return this.writes.count === this.countAtStart;
  }

  /** Whether a connection is open for questions. The first to ask opens it, and tells what it finds; the others wait for it. */
  isOpen(context: Context, open: () => Promise<void>): Promise<boolean> {
    const identity = identityOf(context);
    const known = this.openings.get(identity);
    if (known !== undefined) return known.catch(() => false);
    const opening = open().then(() => true);
    this.openings.set(identity, opening);
    return opening;
  }

  /** No more questions to this connection. */
  close(context: Context): void {
    this.openings.set(identityOf(context), Promise.resolve(false));
  }
}
