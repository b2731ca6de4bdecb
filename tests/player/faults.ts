import type { FaultInput, FaultKind, RevisionOutcome } from "../../emulator";
import type { ObjectType } from "../conformance/cases";

/** What may befall one command. */
export interface Fault {
  readonly name: string;
  readonly why: string;
  /** What happens to a request. */
  readonly request?: FaultInput;
  /** The process is killed before a request, or after it was carried out. */
  readonly kill?: "before" | "after";
  /** How the revisions end that the command makes. */
  readonly outcome?: RevisionOutcome;
  /** Somebody makes one more revision of what is there while this one is built. */
  readonly superseded?: boolean;
  /** The requests that it strikes: by the player's choice one of these methods, or as the row itself says. @default any of them */
  readonly methods?: readonly string[];
  /** It befalls all requests of the command, or those of a wait, not some of them. */
  readonly lasts?: "command" | "wait";
  /** It passes before the deadline of any wait, so it may end none. */
  readonly passes?: boolean;
  /** Its answer is believed, since it looks like the truth. */
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

const WRITES = ["POST", "PATCH", "DELETE"];
const struck = (name: string, why: string, request: FaultInput, more: Partial<Fault> = {}): Fault => ({
  name,
  why,
  request,
  ...more,
});

const LISTED: readonly ObjectType[] = [
  "SandboxTemplate",
  "Deployment",
  "Listener",
  "SandboxRegistry",
  "SandboxSnapshot",
];
/** Their lists are asked for by a refresh, which reads nothing else. */
const READ_FROM_LISTS: readonly ObjectType[] = ["SandboxTemplate", "Listener", "SandboxRegistry", "SandboxSnapshot"];

// Left out, since no client can tell them from the truth: 404 of the platform (it means gone), 405 and 501 of one object (not offered), 409 (exists), a refusal
// (4xx) after the platform has done it; and a latency before the route that is longer than the limit, which carries a request out after its repetition.
const AT_A_REQUEST: readonly Fault[] = [
  struck("latency", "an answer takes a while", { kind: "latency", ms: 4, jitterMs: 4 }, { isSlow: true }),
  struck(
    "latency after commit",
    "an answer takes a while, the work is done",
    { kind: "latency", ms: 4, phase: "after-commit" },
    { isSlow: true },
  ),
  struck(
    "an answer too late",
    "the client has given up by then",
    { kind: "latency", ms: SHORT_TIMEOUT_MS + 40, phase: "after-commit" },
    { isSlow: true },
  ),
  ...[400, 401, 403, 422, 500, 502, 503, 504].map((status) =>
    struck(`status ${status}`, "an error, and nothing is done", { kind: "status", status }),
  ),
  struck("429", "too many requests", { kind: "status", status: 429 }),
  struck("429, Retry-After 3", "too many requests, and when to come again", {
    kind: "status",
    status: 429,
    retryAfter: 3,
  }),
  ...[500, 502, 503, 504].map((status) =>
    struck(
      `status ${status} after commit`,
      "an error, and it is done",
      { kind: "status", status, phase: "after-commit" },
      { methods: WRITES },
    ),
  ),
  struck("lost request", "the connection ends before anything is done", { kind: "reset-before-commit" }),
  struck("lost answer", "the connection ends once it is done", { kind: "reset-after-commit" }),
  struck("half a body", "shorter than its header says", { kind: "truncated-json", by: "content-length" }),
  struck("a body cut off", "the connection ends in the middle of it", { kind: "truncated-json", by: "cut" }),
  struck("malformed JSON", "half of a body looks like all of it", { kind: "malformed-json" }),
  struck("a page of HTML", "a gateway asks to sign in, with status 200", { kind: "html", phase: "before-route" }),
  struck("a page of HTML after commit", "the same, and it is done", { kind: "html", phase: "after-commit" }),
  struck("no body", "an empty answer with status 200", { kind: "empty-body" }),
  struck("an endless body", "an answer that does not end", { kind: "endless-body" }, { isSlow: true }),
  struck("a slow body", "an answer that trickles", { kind: "slow-body", everyMs: 1, bytes: 300 }, { isSlow: true }),
  struck(
    "a body too slow",
    "it takes longer than the limit",
    { kind: "slow-body", everyMs: 40, bytes: 20 },
    { isSlow: true },
  ),
  struck("another content type", "a body under another name", { kind: "wrong-content-type" }),
  struck("JSON as HTML", "a body under another name", { kind: "wrong-content-type", contentType: "text/html" }),
  // Once: two stale answers in a row cannot be told from the truth, however often a client looks.
  ...[1, 2, 3].map((writes) =>
    struck(
      `an answer ${writes} writes old`,
      "a replica that lags",
      { kind: "stale-read", writes },
      { methods: ["GET"], misleads: true, types: LISTED },
    ),
  ),
  struck(
    "a page twice",
    "rows move while a list is read",
    { kind: "duplicate-page" },
    { methods: ["GET"], types: LISTED },
  ),
  struck(
    "an offset that stays",
    "a list that answers its first page again",
    { kind: "stuck-offset" },
    { methods: ["GET"], types: READ_FROM_LISTS },
  ),
];

const DEPLOYMENT: readonly ObjectType[] = ["Deployment"];
const LIST_OF: Readonly<Partial<Record<ObjectType, string>>> = {
  SandboxTemplate: "/v2/sandboxes/templates",
  OAuthProvider: "/v2/auth/providers",
  Deployment: "/v2/deployments",
};
const OF_DEPLOYMENTS = "/v2/deployments/**";
const BODIES = ["text", "html", "json", "empty"] as const;

const lasting = (name: string, why: string, request: FaultInput, more: Partial<Fault> = {}): Fault =>
  struck(name, why, request, { lasts: "command", ...more });
const ofLists = (type: ObjectType, path: string): Fault[] => [
  ...[405, 501].map((status) =>
    lasting(
      `${status} of ${path}`,
      "a platform that lacks a list",
      { kind: "status", status, method: "GET", path },
      {
        hidesEndpoints: true,
        types: [type],
      },
    ),
  ),
  ...BODIES.map((body) =>
    lasting(
      `a gateway's 404 (${body}) of ${path}`,
      "it says nothing of an object",
      { kind: "status", status: 404, body, method: "GET", path },
      { types: [type] },
    ),
  ),
];

const THAT_LAST: readonly Fault[] = [
  ...Object.entries(LIST_OF).flatMap(([type, path]) => ofLists(typeNamed(type), path)),
  ...BODIES.map((body) =>
    lasting(`a gateway's 404 (${body}) of everything`, "it says nothing of an object", {
      kind: "status",
      status: 404,
      body,
    }),
  ),
  lasting("503 of everything", "an outage", { kind: "status", status: 503 }),
  lasting("503 for a minute", "an outage that passes", { kind: "status", status: 503, forMs: 60_000 }),
  lasting("429, at once again", "a limit without patience", {
    kind: "status",
    status: 429,
    retryAfter: 0,
    forMs: 5000,
  }),
  lasting("short pages", "hidden rows at the end of each page", { kind: "short-page" }, { types: LISTED }),
];

const inAWait = (name: string, request: FaultInput): Fault =>
  struck(
    name,
    "it passes before the deadline",
    { method: "GET", path: OF_DEPLOYMENTS, ...request },
    {
      lasts: "wait",
      passes: true,
      types: DEPLOYMENT,
    },
  );

const IN_A_WAIT: readonly Fault[] = [
  inAWait("503 for 40 seconds of a wait", { kind: "status", status: 503, forMs: 40_000 }),
  inAWait("a gateway's 404 in a wait", { kind: "status", status: 404, body: "text", count: 1 }),
  inAWait("a 429 of a minute in a wait", { kind: "status", status: 429, retryAfter: 60, count: 1 }),
  inAWait("lost answers in a wait", { kind: "reset-after-commit", count: 8 }),
];

const OF_A_REVISION: readonly Fault[] = [
  ...(["BUILD_FAILED", "DEPLOY_FAILED", "CREATE_FAILED", "STUCK"] as const).map((outcome) => ({
    name: `its revision: ${outcome}`,
    why: "the program is wrong, or the platform",
    outcome,
    types: DEPLOYMENT,
  })),
  { name: "another revision meanwhile", why: "somebody deploys at the same time", superseded: true, types: DEPLOYMENT },
];

const OF_THE_PROCESS: readonly Fault[] = [
  { name: "killed before a request", why: "a SIGKILL, a full disk", kill: "before" },
  { name: "killed after a request", why: "what it did is in no state", kill: "after" },
];

export const FAULTS: readonly Fault[] = [
  ...AT_A_REQUEST,
  ...THAT_LAST,
  ...IN_A_WAIT,
  ...OF_A_REVISION,
  ...OF_THE_PROCESS,
];

/** The kinds of the emulator's faults that are played: all but `hold`, which waits for a test. */
export const KINDS: readonly FaultKind[] = [...new Set(FAULTS.flatMap(({ request }) => request?.kind ?? []))];

function typeNamed(name: string): ObjectType {
  if (name === "SandboxTemplate" || name === "OAuthProvider" || name === "Deployment") return name;
  throw new Error(`${name} has no list here`);
}
