import type { Context } from "./observe/context";
import { identityOf } from "./observe/kept-list";

/** Which connections a preview may ask, and which have answered (docs/review.md). */
export class PreviewSession {
  private readonly countAtStart: number;
  private readonly openings = new Map<string, Promise<boolean>>();

  constructor(private readonly writes: Context["writes"]) {
    this.countAtStart = writes.count;
  }

  /** False once this process has written something: then it is not a preview, and `up` itself reports what the platform answers. */
  get mayAsk(): boolean {
    return this.writes.count === this.countAtStart;
  }

  /** Whether questions may be sent over a connection. The first caller opens it and gets the error if that fails; the others wait for it and get false. */
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
