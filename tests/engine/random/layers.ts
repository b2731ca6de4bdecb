import type { Exchange, Layer } from "../../../emulator";

/** Called after each request that may have made something. */
export function whenMade(look: () => void): Layer {
  return {
    afterCommit: (exchange, response) => {
      if (exchange.request.method !== "GET") look();
      return Promise.resolve(response);
    },
  };
}

/** Collects how the package that sends a request names itself: "pulumi-agent-platform/1.2.3". */
export function whoAsks(seen: Set<string>): Layer {
  return {
    beforeRoute: ({ request }) => {
      const agent = request.headers.get("user-agent") ?? "";
      if (agent.startsWith("pulumi-agent-platform/")) seen.add(agent);
      return Promise.resolve(undefined);
    },
  };
}

/** Refuses keys that were revoked. */
export function revoked(keys: ReadonlySet<string>): Layer {
  return {
    beforeRoute: ({ request }) =>
      Promise.resolve(
        keys.has(request.headers.get("x-api-key") ?? "")
          ? Response.json({ detail: "This API key was revoked" }, { status: 401 })
          : undefined,
      ),
  };
}

/** The outages that last for the whole of one command, unless it waits for their end. */
export const OUTAGES = [
  "the lists answer 501",
  "the lists answer 405",
  "the lists answer a gateway's 404",
  "all reads answer 501",
  "all reads answer 405",
  "all reads answer a gateway's 404",
  "everything answers 503",
] as const;
export type OutageName = (typeof OUTAGES)[number];

const isList = ({ url }: Exchange): boolean =>
  ["/v2/sandboxes/templates", "/v2/auth/providers", "/v2/deployments"].includes(url.pathname);

/** Only a command that waits for a deletion reads one object as often as this. */
const READS_OF_A_WAIT = 12;

/** A lasting fault: on until it is switched off, or over for an object that a command waits for, since the wait may be longer than a command may take. */
export class Outage implements Layer {
  private current: OutageName | undefined;
  private readonly reads = new Map<string, number>();

  get name(): OutageName | undefined {
    return this.current;
  }

  set name(name: OutageName | undefined) {
    this.current = name;
    this.reads.clear();
  }

  beforeRoute(exchange: Exchange): Promise<Response | undefined> {
    const answer = this.answer(exchange);
    if (answer !== undefined) exchange.entry.fault = this.name ?? null;
    return Promise.resolve(answer);
  }

  private answer(exchange: Exchange): Response | undefined {
    if (this.name === undefined) return undefined;
    if (this.name === "everything answers 503")
      return Response.json({ detail: "Service unavailable" }, { status: 503 });
    const struck = exchange.request.method === "GET" && (this.name.startsWith("all reads") || isList(exchange));
    if (!struck || this.isOver(exchange)) return undefined;
    if (this.name.endsWith("501")) return Response.json({ detail: "Not Implemented" }, { status: 501 });
    if (this.name.endsWith("405")) return Response.json({ detail: "Method Not Allowed" }, { status: 405 });
    return new Response("404 page not found\n", { status: 404, headers: { "content-type": "text/plain" } });
  }

  private isOver(exchange: Exchange): boolean {
    if (isList(exchange)) return false;
    const { pathname } = exchange.url;
    const reads = (this.reads.get(pathname) ?? 0) + 1;
    this.reads.set(pathname, reads);
    return reads > READS_OF_A_WAIT;
  }
}
