import { z } from "zod";
import { unanswered, type Exchange } from "../../emulator";
import type { Step, Way } from "./schedule";
import type { Event } from "./world";

/** A list as the platform answered it. */
interface Listed {
  /** Where its items are; undefined: the answer is the array itself. */
  readonly name: string | undefined;
  readonly items: readonly unknown[];
}

/** What is known of the command under way. */
interface Seen {
  /** The latest first page that the platform really answered to a path. */
  readonly firstPages: ReadonlyMap<string, Listed>;
  /** Whether a listed item is the object that the command is about. */
  readonly isOurs: (item: unknown) => boolean;
}

/** One way to spoil an answer: those of gateways, proxies and tired platforms. */
interface Spoiling {
  readonly name: string;
  /**
   * Whether waiting helps, as far as a client can tell: a failure that passes may not end a wait (docs/internals/design.md, Deployment and Rollout). "refused":
   * the platform has understood and said no. "lie": a 200 or 404 that is not true.
   */
  readonly means: "passes" | "refused" | "not offered" | "lie";
  /** To a client it looks like another row of this table: it is tried once, but not for ever. */
  readonly isTwin?: boolean;
  /** The requests that it can strike: a read that is answered with something else looks the same whether the platform was asked or not. @default "all" */
  readonly strikes?: "all" | "changes" | "lists";
  /** Instead of the platform: the request does not reach it. */
  readonly before?: (exchange: Exchange) => Response;
  /** After the platform has done it. undefined: it does not apply to this answer. */
  readonly after?: (exchange: Exchange, response: Response, text: string, seen: Seen) => Response | undefined;
}

const json = (body: unknown, status = 200, headers: Record<string, string> = {}): Response =>
  Response.json(body, { status, headers });
const text = (body: string | null, type: string, status = 200): Response =>
  new Response(body, { status, headers: { "content-type": type } });
const withDetail = (status: number, detail: string) => (): Response => json({ detail }, status);
const PAGE = "<!DOCTYPE html><html><head><title>Sign in</title></head><body>Sign in to go on.</body></html>";

/** The client sees a reset. */
export function lost({ incoming }: Exchange): Response {
  incoming.socket.resetAndDestroy();
  return unanswered;
}

/** Half of the body that the header promises. */
function cutInTheMiddle({ outgoing, incoming }: Exchange, response: Response, body: string): Response | undefined {
  if (body === "") return undefined;
  const bytes = Buffer.from(body);
  outgoing.writeHead(response.status, { "content-type": "application/json", "content-length": bytes.length });
  outgoing.write(bytes.subarray(0, Math.ceil(bytes.length / 2)), () => incoming.socket.destroySoon());
  return unanswered;
}

const passing: readonly Spoiling[] = [
  ...[500, 502, 503, 504].flatMap((status): Spoiling[] => {
    const row = { means: "passes", isTwin: status > 500 && status !== 503 } as const;
    const answer = withDetail(status, "Upstream error");
    return [
      { ...row, name: `${status}`, before: answer },
      { ...row, name: `${status} after the commit`, strikes: "changes", after: answer },
    ];
  }),
  { name: "429", means: "passes", before: withDetail(429, "Too many requests") },
  ...["0", "1", "60"].map((seconds): Spoiling => {
    const before = () => json({ detail: "Too many requests" }, 429, { "retry-after": seconds });
    return { name: `429 with Retry-After ${seconds}`, means: "passes", isTwin: seconds === "1", before };
  }),
  { name: "reset before the commit", means: "passes", before: lost },
  { name: "reset after the commit", means: "passes", strikes: "changes", after: lost },
  { name: "truncated JSON", means: "passes", after: cutInTheMiddle },
];

const ofGateways: readonly Spoiling[] = [
  { name: "plain text", before: () => text("404 page not found\n", "text/plain", 404) },
  { name: "HTML", isTwin: true, before: () => text("<html><title>404 Not Found</title></html>", "text/html", 404) },
  { name: "no body", isTwin: true, before: () => new Response(null, { status: 404 }) },
  { name: "JSON without detail", before: () => json({ message: "no Route matched with those values" }, 404) },
].map((row) => ({ ...row, means: "passes", name: `a gateway's 404, ${row.name}` }));

export const UNTRUE_404 = "the platform's own 404, untrue";
const refusals: readonly Spoiling[] = [
  { name: "401", means: "refused", before: withDetail(401, "Invalid API key") },
  { name: "403", means: "refused", before: withDetail(403, "Forbidden") },
  { name: "405", means: "not offered", before: withDetail(405, "Method Not Allowed") },
  { name: "501", means: "not offered", before: withDetail(501, "Not Implemented") },
  { name: UNTRUE_404, means: "lie", before: withDetail(404, "Not found") },
];

const nonsense: readonly Spoiling[] = [
  { what: "HTML", answer: () => text(PAGE, "text/html") },
  { what: "an empty object", answer: () => json({}) },
  { what: "no body", isTwin: true, answer: () => new Response(null, { status: 200 }) },
  { what: "an empty array", isTwin: true, answer: () => json([]) },
  { what: "JSON of another shape", isTwin: true, answer: () => json({ status: "ok", data: { items: [1] } }) },
].flatMap(({ what, isTwin = false, answer }): Spoiling[] => [
  { name: `200 with ${what}`, means: "passes", isTwin, before: answer },
  { name: `200 with ${what}, after the commit`, means: "passes", isTwin, strikes: "changes", after: answer },
]);

type Items = readonly unknown[] | undefined;
/** Another list; undefined items: it does not apply. */
const ofAList =
  (spoil: (items: readonly unknown[], seen: Seen, path: string, offset: number) => Items) =>
  ({ url }: Exchange, response: Response, body: string, seen: Seen): Response | undefined => {
    const listed = response.status === 200 ? listIn(body) : undefined;
    const offset = Number(url.searchParams.get("offset") ?? 0);
    const items = listed && spoil(listed.items, seen, url.pathname, offset);
    if (listed === undefined || items === undefined) return undefined;
    return json(listed.name === undefined ? items : { [listed.name]: items, offset: offset + items.length });
  };

export const LISTS_LACK = ["an empty list", "a list without the object"];
const lists: readonly Spoiling[] = [
  { name: "an empty list", means: "lie", after: ofAList(() => []) },
  {
    name: "a list without the object",
    means: "lie",
    after: ofAList((items, { isOurs }) => (items.some(isOurs) ? items.filter((item) => !isOurs(item)) : undefined)),
  },
  {
    name: "a page one short, its item on the next page",
    means: "passes",
    after: ofAList((items, { firstPages }, path, offset) => {
      if (offset === 0) return items.slice(0, -1);
      const last = firstPages.get(path)?.items.at(-1);
      return last === undefined ? items : [last, ...items];
    }),
  },
  {
    name: "the offset ignored, but counted up",
    means: "passes",
    after: ofAList((_items, { firstPages }, path, offset) => (offset === 0 ? undefined : firstPages.get(path)?.items)),
  },
].map((row) => ({ ...row, means: row.means === "lie" ? "lie" : "passes", strikes: "lists" }));

const SPOILINGS: readonly Spoiling[] = [...passing, ...ofGateways, ...refusals, ...nonsense, ...lists];

const ONCE = "spoiled answer: ";
const ON = "spoiled answers from here on: ";
/** Each, once and for ever. */
export const SPOILED: readonly Way[] = SPOILINGS.flatMap(({ name, isTwin }): Way[] =>
  isTwin === true ? [`${ONCE}${name}`] : [`${ONCE}${name}`, `${ON}${name}`],
);
export const isForEver = (way: Way): boolean => way.startsWith(ON);
export const spoilingOf = (way: Way): Spoiling | undefined =>
  SPOILINGS.find(({ name }) => way === `${ONCE}${name}` || way === `${ON}${name}`);

export function canSpoil(way: Way, step: Step): boolean {
  const { strikes = "all" } = spoilingOf(way) ?? {};
  if (strikes === "lists") return isList(step) || step.name.endsWith("/search");
  return strikes === "all" || !step.isRead;
}

/** A read of a collection of the platform, or of the revisions of a deployment. */
export const isList = ({ isRead, name, collection }: Step): boolean => {
  const [path = ""] = name.split("?");
  return isRead && (path === `GET ${collection}` || path.endsWith("/revisions"));
};

/** Spoils answers of a command. */
export class Spoiler implements Seen {
  firstPages = new Map<string, Listed>();
  isOurs: (item: unknown) => boolean = () => false;
  private forEver: Spoiling | undefined;

  /** A command begins. @param names Of the object that it is about. */
  begin(names: readonly string[]): void {
    this.firstPages.clear();
    this.forEver = undefined;
    this.isOurs = (item) => names.some((name) => JSON.stringify(item).includes(`"${name}"`));
  }

  before(exchange: Exchange, event: Event): Response | undefined {
    const spoiling = this.on(event);
    if (isForEver(event.way)) this.forEver = spoiling;
    const answer = spoiling?.before?.(exchange);
    event.isSpoiled = answer !== undefined;
    return answer;
  }

  after(exchange: Exchange, event: Event, response: Response, body: string): Response | undefined {
    const listed = isList(event.step) ? listIn(body) : undefined;
    const { pathname, searchParams } = exchange.url;
    if (listed !== undefined && Number(searchParams.get("offset") ?? 0) === 0) this.firstPages.set(pathname, listed);
    const answer = this.on(event)?.after?.(exchange, response, body, this);
    if (answer !== undefined) event.isSpoiled = true;
    return answer;
  }

  private on({ way, step }: Event): Spoiling | undefined {
    const { forEver } = this;
    const stays = forEver !== undefined && canSpoil(`${ON}${forEver.name}`, step) ? forEver : undefined;
    return spoilingOf(way) ?? stays;
  }
}

const Items = z.array(z.unknown());
const Fields = z.record(z.string(), z.unknown());

function listIn(body: string): Listed | undefined {
  let parsed: unknown;
  try {
    parsed = JSON.parse(body);
  } catch {
    return undefined;
  }
  const bare = Items.safeParse(parsed);
  if (bare.success) return { name: undefined, items: bare.data };
  return Object.entries(Fields.safeParse(parsed).data ?? {}).flatMap(([name, value]) => {
    const items = Items.safeParse(value);
    return items.success ? [{ name, items: items.data }] : [];
  })[0];
}
