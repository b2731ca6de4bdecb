import { setTimeout } from "node:timers/promises";
import type { Exchange, FaultInput } from "../../../emulator";
import { PLAYED } from "../../conformance/cases";
import { nameOf, tableOf, TYPES, wordsOf, type Declaration } from "./program";
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

/** After each command, the emulator's own faults are taken off. */
const ENDS_BY_ITSELF = (): void => undefined;
const METHODS = ["POST", "PATCH", "GET", "DELETE", "*"] as const;
/** Strikes one request, or two. */
const striking =
  (fault: FaultInput): Fault["on"] =>
  ({ emulator }, _declared, n) => {
    const method = METHODS[n % METHODS.length] ?? "*";
    emulator.faults.add({ ...fault, method, nth: 1 + ((n >> 3) % 2), count: 1 + ((n >> 4) % 2) });
    return ENDS_BY_ITSELF;
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
  let pending: Promise<unknown> | undefined;
  platform.outages.set("late", ({ request, url, body }) => {
    if (
      pending !== undefined ||
      request.method !== "POST" ||
      !LISTS.includes(url.pathname) ||
      request.headers.has("x-late")
    )
      return undefined;
    const headers = {
      "x-api-key": request.headers.get("x-api-key") ?? "",
      "content-type": "application/json",
      "x-late": "1",
    };
    const send = () => fetch(platform.url + url.pathname, { method: "POST", headers, body });
    pending = setTimeout(1500).then(send);
    return new Response("upstream request timeout", { status: 504, headers: { "content-type": "text/plain" } });
  });
  return async () => {
    platform.outages.delete("late");
    await pending?.catch(() => undefined);
  };
};

const ending =
  (outcome: "BUILD_FAILED" | "DEPLOY_FAILED" | "STUCK"): Fault["on"] =>
  (platform, declared) => {
    if (declared?.type !== "Deployment") return undefined;
    platform.outcomes.set(nameOf(declared), outcome);
    return ENDS_BY_ITSELF;
  };

const lacking = (name: keyof typeof ANSWERS, of: "lists" | "reads"): Fault => ({
  why: "an endpoint that the platform lacks",
  on: outage(`${of} ${name}`, ANSWERS[name], of),
  isBlind: true,
});

export const FAULT_ROWS = tableOf<Fault>()({
  "a connection is cut before the request": {
    why: "it was surely not carried out",
    on: striking({ kind: "reset-before-commit" }),
  },
  "an answer is lost": { why: "the request was carried out", on: striking({ kind: "reset-after-commit" }) },
  "503": { why: "repeated at once", on: striking({ kind: "status", status: 503 }) },
  "502 behind the request": {
    why: "the outcome is unknown",
    on: striking({ kind: "status", status: 502, phase: "after-commit" }),
  },
  "429": { why: "repeated as the answer says", on: striking({ kind: "status", status: 429, retryAfter: 1 }) },
  "half of an answer": { why: "no JSON", on: striking({ kind: "truncated-json" }) },
  "a page of HTML": { why: "a gateway's", on: striking({ kind: "html" }) },
  "lists lag": {
    why: "a list may come from a replica",
    on: ({ emulator }) => {
      for (const path of LISTS) emulator.faults.add({ kind: "stale-read", method: "GET", path, writes: 1, count: 2 });
      return ENDS_BY_ITSELF;
    },
  },
  "a POST is carried out late": { why: "a gateway gives up seconds before the platform does", on: late },
  "the lists answer 501": lacking("501", "lists"),
  "the lists answer 405": lacking("405", "lists"),
  "the lists answer a gateway's 404": lacking("a gateway's 404", "lists"),
  "all reads answer 501": lacking("501", "reads"),
  "all reads answer 405": lacking("405", "reads"),
  "all reads answer a gateway's 404": lacking("a gateway's 404", "reads"),
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
      agent.faults.add({ kind: "reset-after-commit", method: METHODS[n % 2] ?? "POST", count: 1 });
      return ENDS_BY_ITSELF;
    },
  },
  "the next revision fails to build": { why: "the image is wrong", on: ending("BUILD_FAILED") },
  "the next revision fails to start": { why: "the agent is wrong", on: ending("DEPLOY_FAILED") },
  "the next revision is stuck": { why: "a wait has to end", on: ending("STUCK") },
});

export type FaultName = keyof typeof FAULT_ROWS;
export const FAULTS = wordsOf(FAULT_ROWS);
