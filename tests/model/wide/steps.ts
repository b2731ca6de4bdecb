import fc from "fast-check";
import type { FaultInput, RevisionOutcome } from "../../../emulator";

/** The condition of the platform while a command runs. */
export interface Weather {
  readonly name: string;
  readonly fault: FaultInput;
  /** All of the command, or only the wait of a rollout. */
  readonly during: "command" | "wait";
  /** It passes before the deadline of any wait, so it may not end one. */
  readonly passes: boolean;
  /** The platform then seems not to offer the endpoints that the fault covers: a warning names the objects that are left. */
  readonly hidesEndpoints: boolean;
}

const LISTS = ["/v2/sandboxes/templates", "/v2/auth/providers", "/v2/deployments"];
const GATEWAY = ["text", "html", "json", "empty"] as const;
const OF_DEPLOYMENTS = "/v2/deployments/**";

const lasting = (name: string, fault: FaultInput, hidesEndpoints = false): Weather => ({
  name,
  fault,
  during: "command",
  passes: false,
  hidesEndpoints,
});
const inAWait = (name: string, fault: FaultInput): Weather => ({
  name,
  fault,
  during: "wait",
  passes: true,
  hidesEndpoints: false,
});

export const WEATHERS: readonly Weather[] = [
  ...LISTS.flatMap((path) => [
    ...[405, 501].map((status) =>
      lasting(`${status} of ${path}`, { kind: "status", status, method: "GET", path }, true),
    ),
    ...GATEWAY.map((body) =>
      lasting(`a gateway's 404 (${body}) of ${path}`, { kind: "status", status: 404, body, method: "GET", path }),
    ),
  ]),
  ...GATEWAY.map((body) => lasting(`a gateway's 404 (${body}) of everything`, { kind: "status", status: 404, body })),
  lasting("503 of everything", { kind: "status", status: 503 }),
  lasting("503 for a minute", { kind: "status", status: 503, forMs: 60_000 }),
  lasting("short pages", { kind: "short-page" }),
  lasting("ignored offsets", { kind: "ignored-offset" }),
  lasting("lost answers", { kind: "reset-after-commit", count: 1, method: "PATCH" }),
  lasting("lost answers of a creation", { kind: "reset-after-commit", count: 1, method: "POST" }),
  lasting("429, at once again", { kind: "status", status: 429, retryAfter: 0, forMs: 5000 }),
  inAWait("503 for 40 seconds", { kind: "status", status: 503, method: "GET", path: OF_DEPLOYMENTS, forMs: 40_000 }),
  inAWait("a gateway's 404 once", {
    kind: "status",
    status: 404,
    body: "text",
    method: "GET",
    path: OF_DEPLOYMENTS,
    count: 1,
  }),
  inAWait("429 with a minute of Retry-After", {
    kind: "status",
    status: 429,
    retryAfter: 60,
    method: "GET",
    path: OF_DEPLOYMENTS,
    count: 1,
  }),
  inAWait("three resets", { kind: "reset-after-commit", method: "GET", path: OF_DEPLOYMENTS, count: 8 }),
];

/** An edit of the program, and its effects. */
export interface Edit {
  readonly slot: number;
  readonly what: "update" | "rename" | "replace" | "remove";
  readonly pick: number;
  /** How the next revision ends. */
  readonly outcome: RevisionOutcome;
  /** A revision of the same configuration is made by hand while this one is built. */
  readonly superseded: boolean;
}

export const STRANGERS = ["vanishes", "is remade", "drifts", "is revised", "gets its id"] as const;
export const COMMANDS = [
  "up",
  "refresh, then up",
  "up --refresh",
  "refresh",
  "refresh with another key",
  "destroy with another key",
  "destroy --target --target-dependents",
  "destroy --refresh",
] as const;

export interface Step {
  readonly edits: readonly Edit[];
  readonly stranger: { readonly slot: number; readonly what: (typeof STRANGERS)[number] } | undefined;
  readonly weather: Weather | undefined;
  readonly command: (typeof COMMANDS)[number];
}

export interface Program {
  readonly steps: readonly Step[];
}

const slot = fc.nat(3);
const edit: fc.Arbitrary<Edit> = fc.record({
  slot: fc.constantFrom(0, 1, 2, 3, 3, 3),
  what: fc.constantFrom("update", "update", "update", "rename", "replace", "remove"),
  pick: fc.nat(63),
  outcome: fc.constantFrom<RevisionOutcome>(
    "DEPLOYED",
    "DEPLOYED",
    "DEPLOYED",
    "BUILD_FAILED",
    "DEPLOY_FAILED",
    "STUCK",
  ),
  superseded: fc.oneof({ weight: 5, arbitrary: fc.constant(false) }, { weight: 1, arbitrary: fc.constant(true) }),
});

const step: fc.Arbitrary<Step> = fc.record({
  edits: fc.array(edit, { maxLength: 2 }),
  stranger: fc.option(fc.record({ slot, what: fc.constantFrom(...STRANGERS) }), { freq: 3, nil: undefined }),
  weather: fc.option(fc.constantFrom(...WEATHERS), { freq: 2, nil: undefined }),
  command: fc.constantFrom("up", "up", ...COMMANDS),
});

/** A random program; it is played in every world. */
export const program: fc.Arbitrary<Program> = fc.record({
  steps: fc.array(step, { minLength: 1, maxLength: 5, size: "max" }),
});
