import type { FaultInput, RevisionOutcome } from "../../emulator";
import type { ObjectType } from "../conformance/cases";

/** What may befall one command. */
export interface Fault {
  readonly name: string;
  readonly why: string;
  /** What happens to a request. */
  readonly request?: FaultInput;
  /** What the next request meets once that has struck so often: one of the same method, if it says no other. */
  readonly next?: FaultInput;
  /** The process is killed before a request, or after it was carried out. */
  readonly kill?: "before" | "after";
  /** How the revisions end that the command makes. */
  readonly outcome?: RevisionOutcome;
  /** A gateway gives up on the first POST, and the platform carries it out after the next look. */
  readonly isLate?: boolean;
  /** The build of a snapshot goes on as long as the command runs. */
  readonly isStuck?: boolean;
  /** What the processes of a run tell each other cannot be written. */
  readonly isFull?: boolean;
  /** Somebody makes one more revision of what is there while this one is built. */
  readonly superseded?: boolean;
  /** The requests that it strikes: by the player's choice one of these methods, or as the row itself says. @default any of them */
  readonly methods?: readonly string[];
  /** It befalls all requests of the command, or those of a wait, before whose deadline it passes, so that it may end none. */
  readonly lasts?: "command" | "wait";
  /** It comes once: twice in a row it could not be told from the truth. */
  readonly isOnce?: boolean;
  /** Its answer is believed, since it looks like the truth; it comes once. */
  readonly misleads?: boolean;
  /** The platform seems not to offer what it covers: a warning names what is left. */
  readonly hidesEndpoints?: boolean;
  /** It costs real time: requests have a short limit then, and it comes once. */
  readonly isSlow?: boolean;
  /** The types that have requests which it can strike. @default all */
  readonly types?: readonly ObjectType[];
}

/** The limit of a request while a fault is slow. */
export const SHORT_TIMEOUT_MS = 300;

type Row = readonly [name: string, why: string, request: FaultInput];
type More = Omit<Fault, "name" | "why" | "request">;
const rows = (more: More, ...all: readonly Row[]): Fault[] =>
  all.map(([name, why, request]) => ({ name, why, request, ...more }));

const READ = ["GET"];
/** Their lists page by offset. */
const BY_OFFSET = ["SandboxTemplate", "Deployment", "Listener"] as const;
const LISTED = [...BY_OFFSET, "SandboxRegistry", "SandboxSnapshot", "SandboxVolume", "PlatformAgent"] as const;
/** Their lists are asked for by a refresh, which reads nothing else. */
const READ_FROM_LISTS = BY_OFFSET.filter((type) => type !== "Deployment");
const LATE = { kind: "latency", ms: 4 } as const;
const FAILED = "an error, and nothing is done";
const LIMITED = "too many requests";

// Left out, since no client can tell them from the truth: 404 of the platform (it means gone), 405 and 501 of one object (not offered), 409 (exists), a refusal
// (4xx) after the platform has done it; and a latency before the route that is longer than the limit, which carries a request out after its repetition.
const AT_A_REQUEST: readonly Fault[] = [
  ...rows(
    { isSlow: true },
    ["latency", "an answer takes a while", { ...LATE, jitterMs: 4 }],
    ["latency after commit", "an answer takes a while, the work is done", { ...LATE, phase: "after-commit" }],
    ["an answer too late", "the client has given up", { ...LATE, ms: SHORT_TIMEOUT_MS + 40, phase: "after-commit" }],
  ),
  ...[400, 401, 403, 422, 500, 502, 503, 504].flatMap((status) =>
    rows({}, [`status ${status}`, FAILED, { kind: "status", status }]),
  ),
  ...rows(
    {},
    ["429", LIMITED, { kind: "status", status: 429 }],
    ["429, Retry-After 3", `${LIMITED}, and when to come again`, { kind: "status", status: 429, retryAfter: 3 }],
  ),
  ...[500, 502, 503, 504].flatMap((status) =>
    rows({ methods: ["POST", "PUT", "PATCH", "DELETE"] }, [
      ...([`status ${status} after commit`, "an error, and it is done"] as const),
      { kind: "status", status, phase: "after-commit" },
    ]),
  ),
  ...rows(
    {},
    ["lost request", "the connection ends before anything is done", { kind: "reset-before-commit" }],
    ["lost answer", "the connection ends once it is done", { kind: "reset-after-commit" }],
    ["half a body", "shorter than its header says", { kind: "truncated-json", by: "content-length" }],
    ["a body cut off", "the connection ends in the middle of it", { kind: "truncated-json", by: "cut" }],
    ["malformed JSON", "half of a body looks like all of it", { kind: "malformed-json" }],
    ["a page of HTML", "a gateway asks to sign in, with status 200", { kind: "html", phase: "before-route" }],
    ["a page of HTML after commit", "the same, and it is done", { kind: "html", phase: "after-commit" }],
    ["no body", "an empty answer with status 200", { kind: "empty-body" }],
  ),
  ...rows({ methods: ["PATCH", "PUT"], next: { kind: "status", status: 403 } }, [
    "lost answer, then 403",
    "it is done, and the key is revoked meanwhile",
    { kind: "reset-after-commit" },
  ]),
  ...rows(
    { isSlow: true },
    ["an endless body", "an answer that does not end", { kind: "endless-body" }],
    ["a slow body", "an answer that trickles", { kind: "slow-body", everyMs: 1, bytes: 300 }],
    ["a body too slow", "it takes longer than the limit", { kind: "slow-body", everyMs: 40, bytes: 20 }],
  ),
  ...rows(
    {},
    ["another content type", "a body under another name", { kind: "wrong-content-type" }],
    ["JSON as HTML", "a body under another name", { kind: "wrong-content-type", contentType: "text/html" }],
  ),
  // Once: two stale answers in a row cannot be told from the truth, however often a client looks.
  ...[1, 2, 3].flatMap((writes) =>
    rows({ methods: READ, misleads: true, types: LISTED }, [
      ...([`an answer ${writes} writes old`, "a replica that lags"] as const),
      { kind: "stale-read", writes },
    ]),
  ),
  ...rows({ methods: READ, types: LISTED }, ["a page twice", "rows move meanwhile", { kind: "duplicate-page" }]),
  // Once: where pages are short, it looks like the end of the list (docs/reliability.md, What cannot be promised, and why).
  ...rows({ methods: READ, types: READ_FROM_LISTS, isOnce: true }, [
    ...(["an offset that stays", "a list that answers its first page again"] as const),
    { kind: "stuck-offset" },
  ]),
];

const BODIES = ["text", "html", "json", "empty"] as const;
const GATEWAY = "it says nothing of an object";

const ofLists = (type: ObjectType, path: string): Fault[] => {
  const of = { kind: "status", method: "GET", path } as const;
  const lacks = (status: number): Row => [`${status} of ${path}`, "a platform that lacks a list", { ...of, status }];
  return [
    ...rows({ lasts: "command", types: [type], hidesEndpoints: true }, ...[405, 501].map(lacks)),
    ...rows(
      { lasts: "command", types: [type] },
      ...BODIES.map((body): Row => [`a gateway's 404 (${body}) of ${path}`, GATEWAY, { ...of, status: 404, body }]),
    ),
  ];
};

const THAT_LAST: readonly Fault[] = [
  ...ofLists("SandboxTemplate", "/v2/sandboxes/templates"),
  ...ofLists("OAuthProvider", "/v2/auth/providers"),
  ...ofLists("Deployment", "/v2/deployments"),
  ...rows(
    { lasts: "command" },
    ...BODIES.map((body): Row => {
      return [`a gateway's 404 (${body}) of everything`, GATEWAY, { kind: "status", status: 404, body }];
    }),
    ["503 of everything", "an outage", { kind: "status", status: 503 }],
    ["503 for a minute", "an outage that passes", { kind: "status", status: 503, forMs: 60_000 }],
    ["429, at once again", "no patience", { kind: "status", status: 429, retryAfter: 0, forMs: 5000 }],
  ),
  ...rows({ lasts: "command", types: BY_OFFSET }, [
    ...(["short pages", "hidden rows at the end of each page"] as const),
    { kind: "short-page" },
  ]),
];

const types = ["Deployment"] as const;
const PASSES = "it passes before the deadline";
const OF_ONE = { method: "GET", path: "/v2/deployments/**" } as const;
const STATUS = { kind: "status", ...OF_ONE } as const;
const IN_A_WAIT = rows(
  { lasts: "wait", types },
  ["503 for 40 seconds of a wait", PASSES, { ...STATUS, status: 503, forMs: 40_000 }],
  ["a gateway's 404 in a wait", PASSES, { ...STATUS, status: 404, body: "text", count: 1 }],
  ["a 429 of a minute in a wait", PASSES, { ...STATUS, status: 429, retryAfter: 60, count: 1 }],
  ["lost answers in a wait", PASSES, { ...OF_ONE, kind: "reset-after-commit", count: 8 }],
);

const OUTCOMES = ["BUILD_FAILED", "DEPLOY_FAILED", "CREATE_FAILED", "STUCK"] as const;
const OF_A_REVISION: readonly Fault[] = [
  ...OUTCOMES.map((outcome): Fault => {
    return { name: `its revision: ${outcome}`, why: "the program is wrong, or the platform", outcome, types };
  }),
  { name: "another revision meanwhile", why: "somebody deploys at the same time", superseded: true, types },
];

const MADE = [
  "SandboxTemplate",
  "OAuthProvider",
  "SandboxRegistry",
  "SandboxSnapshot",
  "SandboxVolume",
  "PlatformAgent",
  "Listener",
  "Deployment",
] as const;
const OF_A_POST: readonly Fault[] = [
  ...MADE.map((type): Fault => {
    const why = "a gateway gives up on it before the platform does";
    return { name: `a POST carried out late: ${type}`, why, isLate: true, methods: ["POST"], types: [type] };
  }),
  {
    name: "its build is stuck",
    why: "the wait for it ends at its limit",
    isStuck: true,
    methods: ["POST"],
    types: ["SandboxSnapshot"],
  },
];

const LATE_LIST = { kind: "stale-read", method: "GET", path: "/v2/sandboxes/*" } as const;
const OLD_ANSWER = { kind: "stale-read", method: "GET", writes: 1000 } as const;
const OF_A_DELETE: readonly Fault[] = [
  ...rows({ methods: ["DELETE"], next: LATE_LIST, isOnce: true, types: ["SandboxTemplate", "SandboxRegistry"] }, [
    ...(["lost answer, then a late list", "it is done, and a list still shows it"] as const),
    { kind: "reset-after-commit" },
  ]),
  ...rows({ methods: ["DELETE"], next: OLD_ANSWER, misleads: true, types: ["OAuthProvider", "Listener"] }, [
    ...(["405, then an old answer", "it is not offered, and a replica never saw the object"] as const),
    { kind: "status", status: 405 },
  ]),
];

const OF_THE_PROCESS: readonly Fault[] = [
  { name: "a full disk", why: "the plugins of a run share a journal", isFull: true, methods: ["POST"] },
  { name: "killed before a request", why: "a SIGKILL, a full disk", kill: "before" },
  { name: "killed after a request", why: "what it did is in no state", kill: "after" },
];

export const FAULTS = [
  ...[...AT_A_REQUEST, ...THAT_LAST, ...IN_A_WAIT],
  ...[...OF_A_REVISION, ...OF_A_POST, ...OF_A_DELETE, ...OF_THE_PROCESS],
];
