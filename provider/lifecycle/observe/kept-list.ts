import type { Context, Found } from "./context";
import { isForbidden, isLacking } from "../../base/errors";
import { ABSENT, type Absent, found, type Observation, type Unsupported, UNSUPPORTED } from "./observation";
import type { Workspace } from "./workspace";

/** How long a list answers reads after its last page. The engine reads only a few resources at a time (docs/internals/design.md, Refresh is cheap). */
const KEPT_MS = 10_000;

/** One pass over a list, as far as it was needed. Each page is fetched once, however many readers ask. */
export class Listing<Live> {
  private readonly found = new Map<string, Found<Live>>();
  private readonly pages: AsyncIterator<readonly Found<Live>[]>;
  private step: Promise<void> | undefined;
  /** Objects that the list shows only as a summary, which proves no more than that they exist. */
  private readonly summarized = new Set<string>();
  /** What absence from it means, or why it broke off; undefined while there may be more pages. */
  private end: Absent | Unsupported | { readonly state: "failed"; readonly error: unknown } | undefined;
  private readonly countAtStart: number;
  private latestAt: number;

  constructor(
    pages: AsyncIterable<readonly Found<Live>[]>,
    private readonly isWhole: (found: Found<Live>) => boolean,
    private readonly context: Pick<Context, "clock" | "writes">,
    private readonly onItem: (found: Found<Live>) => void,
  ) {
    this.pages = pages[Symbol.asyncIterator]();
    this.countAtStart = context.writes.count;
    this.latestAt = context.clock.now();
  }

  /** Whether it may answer one more read. */
  get isCurrent(): boolean {
    return this.isRecent && this.context.writes.count === this.countAtStart;
  }

  /** Whether it is recent enough to say where something was. */
  get isRecent(): boolean {
    if (this.end?.state === "failed" && !isForbidden(this.end.error)) return false;
    return this.step !== undefined || this.context.clock.now() - this.latestAt <= KEPT_MS;
  }

  /** The object of this id. Absent is only a suspicion: the list may be stale, or its pages may have shifted. */
  find(id: string): Promise<Observation<Found<Live>>> {
    return this.search(() => {
      const whole = this.found.get(id);
      if (whole !== undefined) return found(whole);
      return this.summarized.has(id) ? UNSUPPORTED : undefined;
    });
  }

  /** The same, or what a look for this object alone answers: a key may read an object without being allowed to list all. */
  async findOr(
    id: string,
    look: () => Promise<Observation<Found<Live>>> | undefined,
  ): Promise<Observation<Found<Live>>> {
    const listed = await this.find(id).catch((error: unknown): Unsupported => {
      if (isForbidden(error)) return { ...UNSUPPORTED, cause: error };
      throw error;
    });
    if (listed.state === "found") return listed;
    const seen = (await look()) ?? UNSUPPORTED;
    // Such a key may not see what is there.
    if (seen.state === "absent" && listed.state === "unsupported" && isForbidden(listed.cause)) throw listed.cause;
    return seen;
  }

  /** The first object that fits. Absent is only a suspicion, as with {@link find}. */
  findWhere(fits: (found: Found<Live>) => boolean): Promise<Observation<Found<Live>>> {
    return this.search(() => {
      const first = [...this.found.values()].find(fits);
      return first && found(first);
    });
  }

  private async search(look: () => Observation<Found<Live>> | undefined): Promise<Observation<Found<Live>>> {
    for (;;) {
      const seen = look();
      if (seen !== undefined) return seen;
      if (this.end?.state === "failed") throw this.end.error;
      if (this.end !== undefined) return this.end;
      await this.advance();
    }
  }

  private advance(): Promise<void> {
    this.step ??= this.takeNext().finally(() => (this.step = undefined));
    return this.step;
  }

  private async takeNext(): Promise<void> {
    try {
      const next = await this.pages.next();
      this.latestAt = this.context.clock.now();
      if (next.done === true) this.end = ABSENT;
      else next.value.forEach((item) => this.take(item));
    } catch (error) {
      this.end = isLacking(error) ? { state: "unsupported", cause: error } : { state: "failed", error };
    }
  }

  private take(item: Found<Live>): void {
    if (this.isWhole(item)) this.found.set(item.id, item);
    else this.summarized.add(item.id);
    this.onItem(item);
  }
}

/**
 * The list of a kind of object, kept per platform, tenant and key until this process writes, and for at most ten seconds. However many
 * resources a refresh reads, and however parallel, each page is fetched once.
 */
export class KeptList<Live> {
  private readonly kept = new WeakMap<Context["writes"], Map<string, Listing<Live>>>();

  /**
   * @param pages All objects of the tenant, a page at a time; never kept.
   * @param isWhole Whether an item has all fields. An object that is listed as a summary is read by itself, or drift in the rest would be missed.
   */
  constructor(
    readonly pages: (context: Context) => AsyncIterable<readonly Found<Live>[]>,
    readonly isWhole: (found: Found<Live>) => boolean = () => true,
    /** The workspace that an item is in, if it says so. */
    private readonly workspaceOf: (live: Live) => Workspace = () => ({}),
  ) {}

  current(context: Context): Listing<Live> {
    const kept = this.keptOf(context).get(identityOf(context));
    return kept?.isCurrent === true ? kept : this.begin(context);
  }

  /** The latest list, even one from before a write: it shows where an object is or was. */
  recent(context: Context): Listing<Live> {
    const kept = this.keptOf(context).get(identityOf(context));
    return kept?.isRecent === true ? kept : this.begin(context);
  }

  /** A list that began after `first`, which lacks an object. If both lack it, it was not hidden by shifted pages. */
  after(context: Context, first: Listing<Live>): Listing<Live> {
    const current = this.current(context);
    return current === first ? this.begin(context) : current;
  }

  private begin(context: Context): Listing<Live> {
    const listing = new Listing(this.pages(context), this.isWhole, context, ({ live }) =>
      context.workspaces.saw(this.workspaceOf(live)),
    );
    this.keptOf(context).set(identityOf(context), listing);
    return listing;
  }

  private keptOf({ writes }: Context): Map<string, Listing<Live>> {
    const kept = this.kept.get(writes) ?? new Map<string, Listing<Live>>();
    this.kept.set(writes, kept);
    return kept;
  }
}

/** Tells apart the connections of a process that may see different objects. */
export function identityOf({ connection }: Context): string {
  const { baseUrl, sandboxBaseUrl, tenantId, organizationId, apiKey, bearerToken } = connection;
  return JSON.stringify([baseUrl, sandboxBaseUrl, tenantId, organizationId, apiKey, bearerToken]);
}
