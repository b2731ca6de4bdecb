import type { Exchange, FaultInput } from "../../../emulator";
import { PLAYED } from "../../conformance/cases";
import { nameOf, TYPES, type Declaration } from "./program";
import type { Platform } from "./platform";

// What may befall one command: on before it, and off after it.

interface Fault {
  readonly why: string;
  /** Switches it on; what it returns switches it off. Undefined: it does not apply. */
  readonly on: (
    platform: Platform,
    declared: Declaration | undefined,
    n: number,
  ) => (() => void | Promise<void>) | undefined;
  /** Nothing can be read meanwhile. */
  readonly isBlind?: true;
}

const METHODS = ["POST", "PATCH", "GET", "DELETE", "*"] as const;
/** Strikes one request, or two. */
const striking =
  (kind: FaultInput["kind"], more: object = {}): Fault["on"] =>
  ({ emulator }, _declared, n) => {
    const method = METHODS[n % METHODS.length] ?? "*";
    const given = { kind, method, nth: 1 + ((n >> 3) % 2), count: 1 + ((n >> 4) % 2), ...more };
    return removing(emulator.faults.add(readInput(given)));
  };
const removing = (fault: { remove(): void }) => () => fault.remove();
const readInput = (given: object): FaultInput => {
  const isInput = (value: object): value is FaultInput => "kind" in value;
  if (!isInput(given)) throw new Error("no fault");
  return given;
};

const LISTS = TYPES.map((type) => PLAYED[type].path).filter((path) => path.startsWith("/v2"));
const isList = ({ url }: Exchange): boolean => LISTS.includes(url.pathname);
/** Only a command that waits for a deletion reads one object as often as this: the wait may be longer than a command may take. */
const READS_OF_A_WAIT = 12;

const ANSWERS = {
  "501": () => Response.json({ detail: "Not Implemented" }, { status: 501 }),
  "405": () => Response.json({ detail: "Method Not Allowed" }, { status: 405 }),
  "a gateway's 404": () =>
    new Response("404 page not found\n", { status: 404, headers: { "content-type": "text/plain" } }),
} as const;
const outage =
  (name: string, answer: () => Response, of: "lists" | "reads" | "everything"): Fault["on"] =>
  (platform) => {
    const reads = new Map<string, number>();
    platform.outages.set(name, (exchange) => {
      if (of === "everything") return answer();
      const isRead = exchange.request.method === "GET";
      if (!isRead || (of === "lists" && !isList(exchange))) return undefined;
      const { pathname } = exchange.url;
      reads.set(pathname, (reads.get(pathname) ?? 0) + 1);
      return !isList(exchange) && (reads.get(pathname) ?? 0) > READS_OF_A_WAIT ? undefined : answer();
    });
    return () => void platform.outages.delete(name);
  };

/** A gateway gives up on the first POST, and the platform carries it out later. */
const late: Fault["on"] = (platform) => {
  let isOver = false;
  const pending: Promise<unknown>[] = [];
  platform.outages.set("late", ({ request, url, body }) => {
    if (isOver || request.method !== "POST" || !LISTS.includes(url.pathname) || request.headers.has("x-late"))
      return undefined;
    isOver = true;
    const headers = {
      "x-api-key": request.headers.get("x-api-key") ?? "",
      "content-type": "application/json",
      "x-late": "1",
    };
    pending.push(
      new Promise((resolve) => setTimeout(resolve, 1500)).then(() =>
        fetch(platform.url + url.pathname, { method: "POST", headers, body }),
      ),
    );
    return new Response("upstream request timeout", { status: 504, headers: { "content-type": "text/plain" } });
  });
  return async () => {
    platform.outages.delete("late");
    await Promise.allSettled(pending);
  };
};

const ending =
  (outcome: "BUILD_FAILED" | "DEPLOY_FAILED" | "STUCK"): Fault["on"] =>
  (platform, declared) => {
    if (declared?.type !== "Deployment") return undefined;
    platform.nextRevision(nameOf(declared), outcome);
    return () => undefined;
  };

const FAULT_ROWS = {
  "a connection is cut before the request": {
    why: "it was surely not carried out",
    on: striking("reset-before-commit"),
  },
  "an answer is lost": { why: "the request was carried out", on: striking("reset-after-commit") },
  "503": { why: "repeated at once", on: striking("status", { status: 503 }) },
  "502 behind the request": {
    why: "the outcome is unknown",
    on: striking("status", { status: 502, phase: "after-commit" }),
  },
  "429": { why: "repeated as the answer says", on: striking("status", { status: 429, retryAfter: 1 }) },
  "half of an answer": { why: "no JSON", on: striking("truncated-json") },
  "a page of HTML": { why: "a gateway's", on: striking("html") },
  "lists lag": {
    why: "a list may come from a replica",
    on: ({ emulator }) => {
      const faults = LISTS.map((path) =>
        emulator.faults.add({ kind: "stale-read", method: "GET", path, writes: 1, count: 2 }),
      );
      return () => faults.forEach((fault) => fault.remove());
    },
  },
  "a POST is carried out late": { why: "a gateway gives up seconds before the platform does", on: late },
  ...outagesOf("the lists answer", "lists"),
  ...outagesOf("all reads answer", "reads"),
  "everything answers 503": {
    why: "the platform is down",
    on: outage("down", () => Response.json({ detail: "Service unavailable" }, { status: 503 }), "everything"),
    isBlind: true,
  },
  "the agent is down": {
    why: "its objects stay",
    on: ({ agent }) => {
      void agent.stop();
      return () => agent.start();
    },
    isBlind: true,
  },
  "the agent's answers are lost": {
    why: "the requests were carried out",
    on: ({ agent }, _declared, n) => {
      agent.lose({ method: METHODS[n % 2] ?? "POST" });
      return () => undefined;
    },
  },
  "the next revision fails to build": { why: "the image is wrong", on: ending("BUILD_FAILED") },
  "the next revision fails to start": { why: "the agent is wrong", on: ending("DEPLOY_FAILED") },
  "the next revision is stuck": { why: "a wait has to end", on: ending("STUCK") },
} as const satisfies Record<string, Fault>;

type OutageName<Begin extends string> = `${Begin} ${keyof typeof ANSWERS}`;
function outagesOf<Begin extends string>(begin: Begin, of: "lists" | "reads"): Record<OutageName<Begin>, Fault> {
  const row = (name: keyof typeof ANSWERS): Fault => ({
    why: "an endpoint that the platform lacks",
    on: outage(`${of} ${name}`, ANSWERS[name], of),
    isBlind: true,
  });
  const rows: Record<string, Fault> = {};
  const isWhole = (all: object): all is Record<OutageName<Begin>, Fault> => Object.keys(all).length === 3;
  for (const name of ["501", "405", "a gateway's 404"] as const) rows[`${begin} ${name}`] = row(name);
  if (!isWhole(rows)) throw new Error("three answers");
  return rows;
}

export type FaultName = keyof typeof FAULT_ROWS;
const isFault = (word: string): word is FaultName => word in FAULT_ROWS;
export const FAULTS: readonly FaultName[] = Object.keys(FAULT_ROWS).filter(isFault);
export const faultOf = (name: FaultName): Fault => FAULT_ROWS[name];
