/** What a reader should know first, the worst last. */
export const RISKS = ["none", "new revision", "replacement", "deletion"] as const;
export type Risk = (typeof RISKS)[number];

/** Something that follows from a change: a code for programs, a sentence for people, which goes on after the object's name. */
export interface Consequence {
  readonly code:
    | "revision"
    | "server"
    | "in place"
    | "wait"
    | "rolled back"
    | "replacement"
    | "dependents"
    | "deletion"
    | "renamed"
    | "stays"
    | "irrevocable"
    | "adoption"
    | "wiped"
    | "moved"
    | "unnamed";
  readonly text: string;
}

/** What `up` does to an object, the gravest first, and what reports say: of one object, and behind a number of them. */
export const OPERATIONS = {
  delete: { verb: "will be deleted", counted: "to delete" },
  replace: { verb: "will be replaced", counted: "to replace" },
  update: { verb: "will be updated", counted: "to update" },
  adopt: { verb: "will be adopted", counted: "to adopt" },
  import: { verb: "will be imported", counted: "to import" },
  create: { verb: "will be created", counted: "to create" },
  /** Nothing is deleted. */
  leave: { verb: "leaves the stack", counted: "to leave the stack" },
  /** Only its place in the program changes. */
  move: { verb: "will be renamed", counted: "renamed" },
} as const;
export type Operation = keyof typeof OPERATIONS;

/** One field of an object, as a report shows it. A side without a value that may be shown leaves its key out. */
export interface ReviewedField {
  /** Such as `environmentVariables.LEVEL`; of a secret, its name: `secrets.MODEL_API_KEY`. */
  readonly path: string;
  /** "may change": whether it does is only known at `up`. */
  readonly change: "new" | "changes" | "removed" | "may change";
  readonly before?: unknown;
  readonly after?: unknown;
  readonly secret?: true;
  /** The value is only known at `up`. */
  readonly unknown?: true;
  /** The objects whose `up` makes the value known, as far as the engine says. */
  readonly waitsFor?: readonly string[];
  /** The object is replaced for it. */
  readonly replaces?: true;
}

/** A request to the platform that changes an object. */
export interface ReviewedRequest {
  readonly method: "POST" | "PUT" | "PATCH" | "DELETE";
  /** False if it depends on values that are only known at `up`, or on the live object. */
  readonly certain: boolean;
  /** The fields that its body certainly has, under the platform's names. */
  readonly fields: readonly string[];
  /** Further fields that it may have; "*" for fields whose names are only known at `up`. */
  readonly mayHave: readonly string[];
}

/** An object to which something happens. */
export interface ReviewedObject {
  readonly urn: string;
  readonly type: string;
  readonly kind: string;
  /** Its name in the program. */
  readonly name: string;
  /** Its id on the platform, if it has one yet. */
  readonly id?: string;
  readonly operation: Operation;
  /** False if it may stay unchanged, which is only known at `up`. */
  readonly certain: boolean;
  readonly risk: Risk;
  readonly consequences: readonly Consequence[];
  /** The URN of the object to which it belongs, as a Rollout does to its Deployment; both are reported together. */
  readonly partOf?: string;
  /** In the order in which `up` sends them; none for an object of another provider, and for one that only waits or runs. */
  readonly requests: readonly ReviewedRequest[];
  readonly fields: readonly ReviewedField[];
}

/** A policy that is violated. */
export interface ReviewedPolicy {
  readonly pack: string;
  readonly policy: string;
  /** As the engine names it: "mandatory", "advisory". */
  readonly level: string;
  /** The object that violates it; absent for the stack as a whole. */
  readonly object?: string;
  readonly message: string;
}

/** The output of `pulumi-agent-platform review --format json`. Within a version keys may be added; these stay. */
export interface Review {
  readonly version: 1;
  readonly stack: string;
  readonly result: "no changes" | "changes" | "refused" | "failed";
  readonly risk: Risk;
  readonly headline: string;
  /** Why it is refused: `--fail-on`, and mandatory policies. */
  readonly refusals: readonly string[];
  /** Why the preview failed. */
  readonly errors: readonly string[];
  readonly policies: readonly ReviewedPolicy[];
  /** The riskiest first. */
  readonly objects: readonly ReviewedObject[];
  /** How many objects stay as they are. */
  readonly unchanged: number;
  readonly warnings: readonly string[];
}
