import type { Exchange } from "../../../emulator";
import { cutConnection, cutInTheMiddle, itemsOf, withItems, type Listed } from "./answers";

/** The facts about the act under way that a spoiling can use. */
export interface Seen {
  /** The latest first page that the platform really answered to a path; undefined: none yet. */
  readonly firstPage: (path: string) => Listed | undefined;
  /** Whether a listed item is the object that the act is about. */
  readonly isOurs: (item: unknown) => boolean;
}

/** One way to spoil a request. Once, or every request from then on. */
export interface Spoiling {
  readonly name: string;
  /**
   * Whether waiting helps, as far as a client can tell: a failure that passes may not end a wait (docs/internals/design.md, Deployment and Rollout). "refused":
   * the platform has understood and said no. "lie": a 200 or 404 that is not true.
   */
  readonly means: "passes" | "refused" | "not offered" | "lie";
  /** To a client it looks like another row of this table: it is tried once, but not for ever. */
  readonly isTwin?: boolean;
  /** Instead of the platform: the request does not reach it. undefined: it does not apply to this request. */
  readonly before?: (exchange: Exchange) => Response | undefined;
  /** After the platform has done it. undefined: it does not apply to this answer. */
  readonly after?: (exchange: Exchange, response: Response, text: string, seen: Seen) => Response | undefined;
}

const json = (body: unknown, status = 200, headers: Record<string, string> = {}) =>
  Response.json(body, { status, headers });
const text = (body: string | null, type: string, status = 200) =>
  new Response(body, { status, headers: { "content-type": type } });
const page = "<!DOCTYPE html><html><head><title>Sign in</title></head><body>Sign in to go on.</body></html>";
/** For a GET, a replaced answer looks the same whether the platform was asked or not: it is tried once. */
const afterChange =
  (answer: () => Response) =>
  ({ request }: Exchange): Response | undefined =>
    request.method === "GET" ? undefined : answer();
const withDetail = (status: number, detail: string) => () => json({ detail }, status);

const passing: readonly Spoiling[] = [
  ...[500, 502, 503, 504].map((status) => ({
    name: `${status}`,
    means: "passes" as const,
    isTwin: status > 500 && status !== 503,
    before: withDetail(status, "Upstream error"),
  })),
  ...[500, 502, 503, 504].map((status) => ({
    name: `${status} after the commit`,
    means: "passes" as const,
    isTwin: status > 500 && status !== 503,
    after: afterChange(withDetail(status, "Upstream error")),
  })),
  { name: "429", means: "passes", before: withDetail(429, "Too many requests") },
  ...["0", "1", "60"].map((seconds) => ({
    name: `429 with Retry-After ${seconds}`,
    means: "passes" as const,
    isTwin: seconds === "1",
    before: () => json({ detail: "Too many requests" }, 429, { "retry-after": seconds }),
  })),
  { name: "reset before the commit", means: "passes", before: cutConnection },
  {
    name: "reset after the commit",
    means: "passes",
    after: (exchange) => (exchange.request.method === "GET" ? undefined : cutConnection(exchange)),
  },
  { name: "truncated JSON", means: "passes", after: cutInTheMiddle },
];

const notFoundOfAGateway: readonly Spoiling[] = [
  {
    name: "a gateway's 404, plain text",
    means: "passes",
    before: () => text("404 page not found\n", "text/plain", 404),
  },
  {
    name: "a gateway's 404, HTML",
    means: "passes",
    isTwin: true,
    before: () => text("<html><head><title>404 Not Found</title></head></html>", "text/html", 404),
  },
  {
    name: "a gateway's 404, no body",
    means: "passes",
    isTwin: true,
    before: () => new Response(null, { status: 404 }),
  },
  {
    name: "a gateway's 404, JSON without detail",
    means: "passes",
    before: () => json({ message: "no Route matched with those values" }, 404),
  },
];

const refusals: readonly Spoiling[] = [
  { name: "401", means: "refused", before: withDetail(401, "Invalid API key") },
  { name: "403", means: "refused", before: withDetail(403, "Forbidden") },
  { name: "405", means: "not offered", before: withDetail(405, "Method Not Allowed") },
  { name: "501", means: "not offered", before: withDetail(501, "Not Implemented") },
  { name: "the platform's own 404, untrue", means: "lie", before: withDetail(404, "Not found") },
];

const TRIED_FOR_EVER = ["HTML", "an empty object"];

const nonsense: readonly Spoiling[] = [
  ...[
    ["HTML", () => text(page, "text/html")] as const,
    ["no body", () => new Response(null, { status: 200 })] as const,
    ["an empty object", () => json({})] as const,
    ["an empty array", () => json([])] as const,
    ["JSON of another shape", () => json({ status: "ok", data: { items: [1] } })] as const,
  ].flatMap(([what, answer]) => [
    { name: `200 with ${what}`, means: "passes" as const, isTwin: !TRIED_FOR_EVER.includes(what), before: answer },
    {
      name: `200 with ${what}, after the commit`,
      means: "passes" as const,
      isTwin: !TRIED_FOR_EVER.includes(what),
      after: afterChange(answer),
    },
  ]),
];

/** Applies to lists alone. */
function ofAList(spoil: (listed: Listed, offset: number, seen: Seen, path: string) => unknown) {
  return ({ request, url }: Exchange, response: Response, body: string, seen: Seen): Response | undefined => {
    const listed = request.method === "GET" && response.status === 200 ? itemsOf(body) : undefined;
    if (listed === undefined) return undefined;
    const spoilt = spoil(listed, Number(url.searchParams.get("offset") ?? 0), seen, url.pathname);
    return spoilt === undefined ? undefined : json(spoilt);
  };
}

const lists: readonly Spoiling[] = [
  { name: "an empty list", means: "lie", after: ofAList((listed, offset) => withItems(listed, [], offset)) },
  {
    name: "a list without the object",
    means: "lie",
    after: ofAList((listed, offset, { isOurs }) => {
      const rest = listed.items.filter((item) => !isOurs(item));
      return rest.length === listed.items.length ? undefined : withItems(listed, rest, offset + rest.length);
    }),
  },
  {
    name: "a page one short, its item on the next page",
    means: "passes",
    after: ofAList((listed, offset, seen, path) => {
      const last = seen.firstPage(path)?.items.at(-1);
      if (offset === 0) return withItems(listed, listed.items.slice(0, -1), listed.items.length);
      return withItems(listed, last === undefined ? listed.items : [last, ...listed.items], offset + 1);
    }),
  },
  {
    name: "the offset ignored, but counted up",
    means: "passes",
    after: ofAList((_listed, offset, seen, path) => {
      const first = seen.firstPage(path);
      return offset === 0 || first === undefined
        ? undefined
        : withItems(first, first.items, offset + first.items.length);
    }),
  },
];

/** All spoilings: the answers of gateways, proxies and tired platforms. */
export const SPOILINGS: readonly Spoiling[] = [...passing, ...notFoundOfAGateway, ...refusals, ...nonsense, ...lists];
