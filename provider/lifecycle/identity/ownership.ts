import { randomBytes } from "node:crypto";
import { z } from "zod";
import { AgentPlatformError, messageOf, type UnfinishedError } from "../../base/errors";
import type { JsonObject } from "../../base/json";
import type { State } from "../observe/context";
import { digest } from "./origin";

/** The output that distinguishes a resource that adopted its object from any other that has it in state. */
export const ADOPTION_MARK = "__adoption";
/** Distinguishes this resource from another one in state that holds the object. */
export const newMark = (): string => randomBytes(4).toString("hex");

/** The mark for an object that a read found by its id or name: the same on every `up`, so that an object that is only read (`X.get`) does not look changed. */
export const markFor = (urn: string): string => digest(urn, 8);

/** The object that a resource in state holds, to compare it with those of other resources. */
export interface Held {
  /** The names of the object, each of which identifies it among all that the plugins of a run handle. */
  readonly names: readonly string[];
  /** Distinguishes two resources in state that hold objects of one name: by their adoption mark, and by the incarnation of the object. */
  readonly mark: string;
}

/** @param incarnation The output that distinguishes an object from one created later under the same id. */
export const markOf = (incarnation: string | undefined, outputs: JsonObject): string =>
  JSON.stringify([outputs[ADOPTION_MARK] ?? null, (incarnation && outputs[incarnation]) ?? null]);

/** Whether a read found another object under the name or id of the one in state. */
export function isSuccessor(incarnation: string | undefined, before: State, now: State): boolean {
  const [was, is] = [before, now].map(({ outputs }) => incarnation && outputs[incarnation]);
  return now.id !== before.id || (was !== undefined && is !== was);
}

/**
 * Adds an entry, and returns all entries since the last call, including this one, in an order that is the same for all processes that share the
 * journal. Throws if it cannot.
 */
export type Journal = (entry: string) => readonly string[];

/**
 * Which objects the resources of one engine run hold, so that no resource adopts or deletes an object of another one. The engine does not show a plugin
 * the rest of the state, and starts one plugin per provider, so the plugins share a journal. A diff does not prove that the program still declares a
 * resource: the engine also diffs resources that it is about to delete (docs/internals/engine.md, trap 29). So every adoption leaves a mark in the outputs
 * of the resource. Only a resource with a different mark holds a delete back: it is also in state, holds the same object, and deletes it when its own turn
 * comes. If the journal cannot be reached, every method except {@link recordCreate} throws, and nothing may be sent.
 */
export class Ownership {
  /** The claims on each object, by the digest of its name. */
  private readonly objects = new Map<string, Claims>();
  /** What creates and updates of this process left unfinished, by URN: an error hook may have the verb called again. */
  readonly begun = new Map<string, UnfinishedError>();
  private readonly salt = newMark();
  /** The ids of objects that this process has found for a resource without a state, by its URN. */
  readonly imported = new Map<string, string>();
  /**
   * The ids of objects that creates of this process adopted, or took over from a run that was cut off, with the URN of the row that has it now. The engine
   * deletes such an object of that row in this run only as part of a forced replacement.
   */
  readonly takenOver = new Map<string, { readonly row: string | undefined; readonly origin: "adopted" | "cut off" }>();

  /** @param journal By default that of a process that shares it with no other: a tool, a test. @param warn Reports problems that can no longer stop the run. */
  constructor(
    private readonly journal: Journal = (entry) => [entry],
    private readonly warn: (message: string) => void = () => undefined,
  ) {}

  /**
   * A resource in state was compared with its declaration, and stays. @param isKnown No value of the declaration is unknown, so it is the program's.
   * @returns Whether the program declares another resource in state with the same object.
   */
  recordDiff(held: Held, isKnown: boolean, what: string): boolean {
    const outcome = this.publish(isKnown ? "stays" : "might stay", held);
    if (outcome === "refused") throw heldTwice(what);
    return outcome === "shared";
  }

  /** A resource in state was compared with its declaration, and needs a new object: this one is to be deleted. */
  recordReplacement(held: Held): void {
    this.publish("replaced", held);
  }

  /** Whether a resource of this program replaces this object, which is then deleted. Knows the entries up to {@link beforeCreate}. */
  isBeingReplaced({ names }: Held): boolean {
    return names.some((name) => this.claimsOn(digest(name, 16)).replaced.size > 0);
  }

  /** Whether a resource of this program that is in state holds the object. Knows the entries up to {@link beforeCreate}. */
  isHeld({ names }: Held): boolean {
    return names.some((name) => this.claimsOn(digest(name, 16)).compared > 0);
  }

  /** A resource in state was read: the comparison that follows does not show that the program declares it. */
  recordRead(held: Held): void {
    this.publish("read", { ...held, mark: "" });
  }

  /** An object that no state holds was found: an import, unless it is only read. @param urn The resource that is to hold it. */
  recordImport(held: Held, urn: string, id: string): void {
    this.imported.set(urn, id);
    this.publish("found", held);
  }

  /** Call before an adoption. Throws if another resource of this program has the object. */
  recordAdoption(held: Held, what: string): void {
    if (this.publish("adopt", held) === "refused") throw heldTwice(what);
  }

  /** The mark of a resource that is created: the same one if an error hook has create called again. */
  markOfNew(urn: string | undefined): string {
    return urn === undefined ? newMark() : digest(`${this.salt} ${urn}`, 8);
  }

  /** Call before a creation. Throws if the journal cannot be reached, because the new object has to be recorded in it. */
  beforeCreate(): void {
    this.publish("make", { names: [""], mark: "" });
  }

  /** Call after a creation. Never throws: the object exists and must be saved in the state. */
  recordCreate(held: Held): void {
    try {
      this.publish("made", held);
    } catch (error) {
      for (const name of held.names) this.receive("made", digest(name, 16), digest(held.mark, 16));
      const [name = ""] = held.names;
      this.warn(
        `${name} was made, and is in the state, but the other plugins of this run do not know it: ${messageOf(error)}`,
      );
    }
  }

  /**
   * Call before a delete: the resource gives up the object. True if another resource still holds it: if both are deleted, the last one deletes the
   * object. Throws if a read of this run found it for another resource, which may have imported it: the engine imports even resources that are
   * not targets, and then compares nothing (docs/internals/engine.md, trap 41).
   */
  isLeftToAnother(held: Held, what: string): boolean {
    // If one name of the object shows that another resource holds it, the others need not refuse.
    const outcomes = this.outcomesOf("delete", held);
    if (outcomes.includes("shared")) return true;
    if (outcomes.includes("refused")) throw readForAnother(what);
    return false;
  }

  /** True for the first resource of the run that asks; the others leave the act to it. @param act Identifies the act across all platforms. */
  isFirstTo(act: string): boolean {
    return this.publish("once", { names: [act], mark: "" }) !== "shared";
  }

  /** Writes an event to the journal, applies the events of other plugins that came before it, and returns its outcome. */
  private publish(verb: Verb, held: Held): Outcome {
    return this.outcomesOf(verb, held).find((outcome) => outcome !== undefined);
  }

  /** The same, for each name of the object. */
  private outcomesOf(verb: Verb, { names, mark }: Held): readonly Outcome[] {
    return names.map((name) => {
      const entries = this.journal(JSON.stringify([verb, digest(name, 16), digest(mark, 16)]));
      return entries.map((entry) => this.receive(...eventOf(entry))).at(-1);
    });
  }

  /** Applies one event. Every process applies the same events in the same order, so all reach the same outcomes. */
  private receive(verb: Verb, object: string, mark: string): Outcome {
    return RECEIVE[verb](this.claimsOn(object), mark);
  }

  private claimsOn(object: string): Claims {
    const claims = this.objects.get(object) ?? new Claims();
    this.objects.set(object, claims);
    return claims;
  }
}

/** What the resources of a run do with one object. A resource is known by its mark. */
class Claims {
  /** The resource that created or adopted it in this run. */
  taken: string | undefined;
  /** The resources in state that were compared while they held it. */
  readonly holders = new Set<string>();
  /** The resources for which a read found it in this run: imports, or resources that only read it. */
  readonly foundFor = new Set<string>();
  /** The resources to be deleted in this run because another object takes its place. */
  readonly replaced = new Set<string>();
  /** How many resources of the program were compared while they held it. A refresh also compares, always after one read, which counts down. */
  compared = 0;
  /** The key of an act that one resource of the run has done for all of them ({@link Ownership.isFirstTo}). */
  isDone = false;
  private readonly imported = new Set<string>();

  stays(mark: string): Outcome {
    const isNew = !this.holders.has(mark);
    this.holders.add(mark);
    // An object that a read found is compared only if the program declares it: then it is an import, which adopts it.
    if (this.foundFor.delete(mark)) {
      if (this.adopt(mark) === "refused") return "refused";
      this.imported.add(mark);
    }
    if ((this.taken ?? mark) !== mark) return "refused";
    this.compared += 1;
    return isNew && this.holders.size > 1 && this.compared > 1 ? "shared" : undefined;
  }

  adopt(mark: string): Outcome {
    if (this.taken !== mark && (this.taken !== undefined || this.compared > 0)) return "refused";
    this.taken = mark;
    return undefined;
  }

  delete(mark: string): Outcome {
    // A run never deletes an object that it imports: this delete is for the row that the import replaces.
    if (this.imported.has(mark)) return "shared";
    if (this.taken !== undefined) return this.taken === mark ? undefined : "shared";
    this.holders.delete(mark);
    if (this.holders.size > 0) return "shared";
    const isDeclared = this.replaced.has(mark) || this.compared > 0;
    const isFoundForOthers = [...this.foundFor].some((each) => each !== mark);
    return !isDeclared && isFoundForOthers ? "refused" : undefined;
  }

  once(): Outcome {
    const outcome = this.isDone ? "shared" : undefined;
    this.isDone = true;
    return outcome;
  }
}

const VERBS = ["stays", "might stay", "replaced", "read", "found", "adopt", "make", "made", "delete", "once"] as const;
type Verb = (typeof VERBS)[number];

/** "refused": another resource has it, and this one must not. "shared": another one holds it too. */
type Outcome = "refused" | "shared" | undefined;

const RECEIVE: Readonly<Record<Verb, (claims: Claims, mark: string) => Outcome>> = {
  stays: (claims, mark) => claims.stays(mark),
  "might stay": (claims, mark) => void claims.holders.add(mark),
  replaced: (claims, mark) => void claims.replaced.add(mark),
  read: (claims) => void (claims.compared -= 1),
  found: (claims, mark) => void claims.foundFor.add(mark),
  adopt: (claims, mark) => claims.adopt(mark),
  make: () => undefined,
  made: (claims, mark) => void (claims.taken = mark),
  delete: (claims, mark) => claims.delete(mark),
  once: (claims) => claims.once(),
};

const Event = z.tuple([z.enum(VERBS), z.string(), z.string()]);

function eventOf(entry: string): z.output<typeof Event> {
  try {
    return Event.parse(JSON.parse(entry));
  } catch (error) {
    throw new AgentPlatformError(
      "what the plugins of this run have told each other cannot be read, so nothing is adopted or deleted; run the command again",
      { cause: error },
    );
  }
}

const heldTwice = (what: string): AgentPlatformError =>
  new AgentPlatformError(
    `${what} would belong to two resources of this program: it is already in this stack's state, and another resource adopts it. Keep one of them; ` +
      "to rename it in Pulumi, keep the new one, or use the option `aliases`",
  );

const readForAnother = (what: string): AgentPlatformError =>
  new AgentPlatformError(
    `${what} is not deleted: this run has read it for another resource of the program as well (an import, or a \`get\`), and a plugin cannot tell which. ` +
      "If it is imported, target that resource too, or run `pulumi up` without targets; if it is only read, take the `get` out of the program, or run " +
      "`pulumi destroy` without `--run-program`",
  );
