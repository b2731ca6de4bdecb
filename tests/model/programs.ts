import fc from "fast-check";
import { faultKinds, type FaultInput, type FaultKind } from "../../emulator";

/** The verbs of a handler that reach the platform. */
export const VERBS = ["create", "read", "update", "delete"] as const;
export type Verb = (typeof VERBS)[number];

/** The request that does the work of a verb; a fault at it is what a cell of the table counts. */
export const CARRIER: Readonly<Record<Verb, string>> = {
  create: "POST",
  read: "GET",
  update: "PATCH",
  delete: "DELETE",
};

/**
 * All kinds but `hold`, which waits for the test that releases it (the tests of cut-off runs use it), and those of lists of several
 * pages, which the wide model has.
 */
export const KINDS: readonly FaultKind[] = faultKinds.filter(
  (kind) => !["hold", "short-page", "ignored-offset"].includes(kind),
);

/** Faults of the view of a GET. At a POST, PATCH or DELETE they make no sense: there they strike the look-ups of the verb. */
export const MISREADINGS: readonly FaultKind[] = ["stale-read", "duplicate-page", "stuck-offset"];
const ofLists: ReadonlySet<FaultKind> = new Set(["duplicate-page", "stuck-offset"]);
/** Faults of a body: of the three DELETEs only that of an OAuth provider answers one. */
const OF_A_BODY: readonly FaultKind[] = [
  "truncated-json",
  "malformed-json",
  "empty-body",
  "slow-body",
  "wrong-content-type",
];
/** They cost real time, so they come once a step. */
const SLOW: readonly FaultKind[] = ["slow-body", "endless-body", "latency"];

/** A fault, switched on while a verb runs. */
export interface Plan {
  readonly during: Verb;
  readonly fault: FaultInput;
}

/** A change by hand to the object of a slot before a step. */
export const STRANGERS = ["drift", "vanish", "revise", "squat"] as const;
export type Stranger = (typeof STRANGERS)[number];

/** One edit of the program, and the command that follows it under faults. */
export interface Step {
  /** The place of the subject in SUBJECTS. */
  readonly slot: number;
  /** The verb that the faults aim at; the edit is one that leads to it. */
  readonly verb: Verb;
  /** Picks among the edits that lead to the verb, and the fields that change. */
  readonly pick: number;
  /** Whether everything is put right first, so that the edit leads to the verb; else earlier steps may prevent that. */
  readonly prepared: boolean;
  readonly stranger: Stranger | undefined;
  readonly plans: readonly Plan[];
  /** Whether a refresh follows, under the same faults. */
  readonly refresh: boolean;
}

export interface Program {
  readonly steps: readonly Step[];
  /** Whether the command at the end refreshes although nothing was changed by hand. */
  readonly refresh: boolean;
}

/** Longer than the time limit of a request in these runs. */
export const REQUEST_TIMEOUT_MS = 60;
const TOO_LONG_MS = REQUEST_TIMEOUT_MS + 40;

/**
 * The variants of each kind. Left out, since no client can tell them from the truth: 404 (it means gone), 405 and 501 (not
 * offered), 409 (exists), and a refusal (4xx) after the platform has done it. Left out too: a latency before the route that
 * is longer than the time limit. Such a request is carried out after its repetition; only a precondition that the platform does not offer could stop it.
 */
const VARIANTS: Readonly<Record<FaultKind, readonly FaultInput[]>> = {
  latency: [
    { kind: "latency", ms: 4, jitterMs: 4 },
    { kind: "latency", ms: 4, phase: "after-commit" },
    { kind: "latency", ms: TOO_LONG_MS, phase: "after-commit" },
  ],
  status: [
    ...[400, 401, 403, 422, 500, 502, 503, 504].map((status) => ({ kind: "status" as const, status })),
    { kind: "status", status: 429 },
    { kind: "status", status: 429, retryAfter: 3 },
    ...[500, 502, 503, 504].map((status) => ({ kind: "status" as const, status, phase: "after-commit" as const })),
  ],
  "reset-before-commit": [{ kind: "reset-before-commit" }],
  "reset-after-commit": [{ kind: "reset-after-commit" }],
  hold: [],
  "truncated-json": [
    { kind: "truncated-json", by: "content-length" },
    { kind: "truncated-json", by: "cut" },
  ],
  "malformed-json": [{ kind: "malformed-json" }],
  html: [
    { kind: "html", phase: "before-route" },
    { kind: "html", phase: "after-commit" },
  ],
  "empty-body": [{ kind: "empty-body" }],
  "endless-body": [{ kind: "endless-body" }],
  "slow-body": [
    { kind: "slow-body", everyMs: 1, bytes: 300 },
    { kind: "slow-body", everyMs: 15, bytes: 1 },
  ],
  "wrong-content-type": [{ kind: "wrong-content-type" }, { kind: "wrong-content-type", contentType: "text/html" }],
  // Only one: two stale answers in a row cannot be told from the truth, however often a client looks.
  "stale-read": [1, 2, 3].map((writes) => ({ kind: "stale-read" as const, writes })),
  "duplicate-page": [{ kind: "duplicate-page" }],
  "stuck-offset": [{ kind: "stuck-offset" }],
  "short-page": [],
  "ignored-offset": [],
};

/** The subjects (by their place in SUBJECTS) whose verb sends a request that the fault can strike. */
function slotsFor(kind: FaultKind, verb: Verb): readonly number[] {
  const [template, provider, deployment, listener] = [0, 1, 2, 3] as const;
  if (kind === "duplicate-page" || kind === "stuck-offset")
    return verb === "create" ? [deployment] : [template, listener];
  if (kind === "stale-read" && (verb === "update" || verb === "delete")) return [template, deployment];
  if (OF_A_BODY.includes(kind) && verb === "delete") return [provider];
  return [template, provider, deployment, listener];
}

/** The kinds of faults that can strike a verb: an update and a delete find their object by its id or name, and read no list that could be wrong. */
export const CELLS = KINDS.flatMap((kind) => VERBS.map((verb) => ({ kind, verb }))).filter(
  ({ kind, verb }) => !(ofLists.has(kind) && (verb === "update" || verb === "delete")),
);

const cell = fc.constantFrom(...CELLS);

/** A second fault, anywhere in the step: it strikes the look-up after an unclear answer. */
const second = fc.record({
  during: fc.constantFrom(...VERBS),
  method: fc.constantFrom("*", "GET"),
  kind: fc.constantFrom<FaultKind>("status", "reset-before-commit", "reset-after-commit", "malformed-json", "html"),
  variant: fc.nat(99),
  nth: fc.integer({ min: 1, max: 3 }),
  count: fc.constantFrom(1, 1, 8),
});

const step: fc.Arbitrary<Step> = fc
  .record({
    cell,
    slot: fc.nat(11),
    pick: fc.nat(255),
    prepared: fc.oneof({ weight: 4, arbitrary: fc.constant(true) }, { weight: 1, arbitrary: fc.constant(false) }),
    stranger: fc.option(fc.constantFrom(...STRANGERS), { freq: 4, nil: undefined }),
    variant: fc.nat(99),
    nth: fc.constantFrom(1, 1, 1, 2),
    count: fc.constantFrom(1, 1, 2, 8),
    second: fc.option(second, { freq: 2, nil: undefined }),
    refresh: fc.boolean(),
  })
  .map(({ cell: { kind, verb }, slot, variant, nth, count, second: other, ...rest }) => {
    const slots = slotsFor(kind, verb);
    const misreads = MISREADINGS.includes(kind);
    const times = kind === "stale-read" || SLOW.includes(kind) ? 1 : count;
    const where = {
      method: misreads ? "GET" : CARRIER[verb],
      count: times,
      nth: verb === "read" && !misreads ? nth : 1,
    };
    const plans: Plan[] = [{ during: verb, fault: { ...variantOf(kind, variant), ...where } }];
    // A stale look-up matters after an unclear POST.
    if (kind === "stale-read" && verb === "create") {
      plans.push({ during: verb, fault: { kind: "reset-after-commit", method: "POST", count: 1 } });
    } else if (other !== undefined && kind !== "stale-read") {
      const { during, method, nth: from, count: often } = other;
      plans.push({ during, fault: { ...variantOf(other.kind, other.variant), method, nth: from, count: often } });
    }
    return { ...rest, slot: slots[slot % slots.length] ?? 0, verb, plans };
  });

function variantOf(kind: FaultKind, variant: number): FaultInput {
  const variants = VARIANTS[kind];
  const found = variants[variant % variants.length];
  if (found === undefined) throw new Error(`no variant of ${kind}`);
  return found;
}

/** A random program under random faults. */
export const program: fc.Arbitrary<Program> = fc.record({
  steps: fc.array(step, { minLength: 1, maxLength: 4, size: "max" }),
  refresh: fc.boolean(),
});
