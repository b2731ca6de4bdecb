import type { Context, Found } from "./definition";
import { isNotFound, isNotOffered } from "./errors";

/** How long a list answers reads after its last page: the engine asks for a few reads at a time (design.md, Refresh is cheap). */
const KEPT_MS = 10_000;

/** Counts what a process writes: a list from before a write does not answer a read after it. One for all that share a process. */
export class Writes {
  private counted = 0;

  get count(): number {
    return this.counted;
  }

  add(): void {
    this.counted += 1;
  }
}

/** One pass over a list, as far as somebody needed it. A page is fetched once, however many ask. */
export class Listing<Live> {
  private readonly found = new Map<string, Found<Live>>();
  private readonly pages: AsyncIterator<readonly Found<Live>[]>;
  private step: Promise<void> | undefined;
  private state: "going on" | "complete" | "not offered" | "failed" = "going on";
  private readonly countAtStart: number;
  private latestAt: number;

  constructor(
    pages: AsyncIterable<readonly Found<Live>[]>,
    private readonly isWhole: (found: Found<Live>) => boolean,
    private readonly context: Pick<Context, "clock" | "writes">,
  ) {
    this.pages = pages[Symbol.asyncIterator]();
    this.countAtStart = context.writes.count;
    this.latestAt = context.clock.now();
  }

  /** Whether it may answer one more read. */
  get isCurrent(): boolean {
    if (this.state === "failed" || this.context.writes.count !== this.countAtStart) return false;
    return this.step !== undefined || this.context.clock.now() - this.latestAt <= KEPT_MS;
  }

  /** False where this platform turned out to have no such list: then nothing was found, and that says nothing. */
  get isOffered(): boolean {
    return this.state !== "not offered";
  }

  /** The object of this id; undefined is only a suspicion: the list may be stale, or its pages may have shifted. */
  async find(id: string): Promise<Found<Live> | undefined> {
    while (!this.found.has(id) && this.state === "going on") await this.advance();
    return this.found.get(id);
  }

  /** The first object that fits, after a look at all. */
  async findWhere(fits: (found: Found<Live>) => boolean): Promise<Found<Live> | undefined> {
    while (this.state === "going on") await this.advance();
    return [...this.found.values()].find(fits);
  }

  private advance(): Promise<void> {
    this.step ??= this.takeNext().finally(() => (this.step = undefined));
    return this.step;
  }

  private async takeNext(): Promise<void> {
    try {
      const next = await this.pages.next();
      this.latestAt = this.context.clock.now();
      if (next.done === true) this.state = "complete";
      else for (const found of next.value) if (this.isWhole(found)) this.found.set(found.id, found);
    } catch (error) {
      const isMissing = isNotFound(error) || isNotOffered(error);
      this.state = isMissing ? "not offered" : "failed";
      if (!isMissing) throw error;
    }
  }
}

/**
 * The list of a kind of object, kept per platform, tenant and key until this process writes, and for at most ten seconds: however many
 * resources a refresh reads, and however parallel, each page is fetched once.
 */
export class KeptList<Live> {
  private readonly kept = new WeakMap<Writes, Map<string, Listing<Live>>>();

  /**
   * @param pages All objects of the tenant, a page at a time; never kept.
   * @param isWhole Whether an item tells everything. Of a platform that lists summaries each object is read by itself: what they leave
   *   out would look like no drift.
   */
  constructor(
    readonly pages: (context: Context) => AsyncIterable<readonly Found<Live>[]>,
    readonly isWhole: (found: Found<Live>) => boolean = () => true,
  ) {}

  /** The kept list, or one that begins now. */
  current(context: Context): Listing<Live> {
    const kept = this.keptOf(context).get(identityOf(context));
    return kept?.isCurrent === true ? kept : this.begin(context);
  }

  /** A list that began after this one, which lacks something: absent from both is no matter of shifted pages. */
  after(context: Context, first: Listing<Live>): Listing<Live> {
    const current = this.current(context);
    return current === first ? this.begin(context) : current;
  }

  private begin(context: Context): Listing<Live> {
    const listing = new Listing(this.pages(context), this.isWhole, context);
    this.keptOf(context).set(identityOf(context), listing);
    return listing;
  }

  private keptOf({ writes }: Context): Map<string, Listing<Live>> {
    const kept = this.kept.get(writes) ?? new Map<string, Listing<Live>>();
    this.kept.set(writes, kept);
    return kept;
  }
}

function identityOf({ connection }: Context): string {
  const { baseUrl, sandboxBaseUrl, tenantId, organizationId, apiKey, bearerToken } = connection;
  return JSON.stringify([baseUrl, sandboxBaseUrl, tenantId, organizationId, apiKey, bearerToken]);
}
