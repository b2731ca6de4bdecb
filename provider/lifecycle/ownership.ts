import { z } from "zod";
import { AgentPlatformError } from "../base/errors";
import { digest } from "./origin";

/**
 * Adds an entry, and returns those that were added since the last call, up to this one: in one order for all processes that share the journal.
 * Throws where it cannot.
 */
export type Journal = (entry: string) => readonly string[];

/** The journal of a process that shares its claims with none: a tool, a test. */
const ALONE: Journal = (entry) => [entry];

/** The names of one object. */
type Names = readonly string[];

/**
 * Which objects the resources of one engine run hold, so that no resource adopts or deletes what another one holds. The engine tells a
 * plugin nothing about the rest of the state, and starts one for each provider: they tell each other through a journal. A diff does not prove that the
 * program still declares a resource: the engine also diffs what it is about to delete (docs/internals/engine.md, trap 29). So every adoption leaves a mark in the
 * outputs of the resource. A delete is held back only by a resource with another mark: that one is in state too, holds the object, and has it deleted when
 * its own turn comes. An object may have several names, each of which identifies it. Every method throws, and nothing may be sent then, if the journal cannot be reached.
 */
export class Ownership {
  /** Made or adopted in this run, and the mark of the resource that has it. */
  private readonly taken = new Map<string, string>();
  /** The marks of the resources in state that were compared while they held the object. */
  private readonly holders = new Map<string, Set<string>>();
  /** Found in this run for an import, or for a resource that only reads it; each with a mark of its own. */
  private readonly foundAs = new Set<string>();
  /** How often a program's resource of that object was compared. A refresh compares too, each time after one read. */
  private readonly compared = new Map<string, number>();

  constructor(private readonly journal: Journal = ALONE) {}

  /**
   * A resource in state was compared with its declaration, and stays. @param isKnown All of the declaration is known: it is the program's.
   * @returns Whether another resource in state has the object, too, which a program declares as well.
   */
  recordDiff(object: Names, mark: string, isKnown: boolean, what: string): boolean {
    const outcome = this.publish(isKnown ? "stays" : "might stay", object, mark);
    if (outcome === "refused") throw heldTwice(what);
    return outcome === "shared";
  }

  /** A resource in state was read: its comparison comes next, and says nothing of the program. */
  recordRead(object: Names): void {
    this.publish("read", object);
  }

  /** An object that no state holds was found: an import, unless it is only read. */
  recordImport(object: Names, mark: string): void {
    this.publish("found", object, mark);
  }

  /** Call before an adoption. Throws if another resource of this program has the object. */
  recordAdoption(object: Names, mark: string, what: string): void {
    if (this.publish("adopt", object, mark) === "refused") throw heldTwice(what);
  }

  /** Call before a creation: what is made must be told. */
  beforeCreate(): void {
    this.publish("make", [""]);
  }

  /** Call after a creation. */
  recordCreate(object: Names, mark: string): void {
    this.publish("made", object, mark);
  }

  /**
   * Call before a delete: the resource gives up the object. True if another resource holds it and is left to delete it: if both are
   * deleted, the last one deletes the object.
   */
  isLeftToAnother(object: Names, mark: string): boolean {
    return this.publish("delete", object, mark) === "shared";
  }

  /** Back to the state at the start of a process. */
  forget(): void {
    this.taken.clear();
    this.holders.clear();
    this.compared.clear();
    this.foundAs.clear();
  }

  /** Tells the others, hears what they told before, and returns what this event comes to. */
  private publish(verb: Verb, names: Names, mark = ""): Outcome {
    const outcomes = names.map((name) => {
      const entries = this.journal(JSON.stringify([verb, digest(name, 16), digest(mark, 16)]));
      return entries.map((entry) => this.receive(...eventOf(entry))).at(-1);
    });
    return outcomes.find((outcome) => outcome !== undefined);
  }

  /** What one event changes. Every process hears the same events in the same order, and so comes to the same outcomes. */
  private receive(verb: Verb, object: string, mark: string): Outcome {
    switch (verb) {
      case "might stay":
        this.holdersOf(object).add(mark);
        return undefined;
      case "stays":
        return this.receiveDiff(object, mark);
      case "read":
        this.count(object, -1);
        return undefined;
      case "found":
        this.foundAs.add(`${object} ${mark}`);
        return undefined;
      case "adopt":
        return this.receiveAdoption(object, mark);
      case "make":
        return undefined;
      case "made":
        this.taken.set(object, mark);
        return undefined;
      case "delete":
        return this.receiveDelete(object, mark);
    }
  }

  private receiveDiff(object: string, mark: string): Outcome {
    const holders = this.holdersOf(object);
    const isNew = !holders.has(mark);
    holders.add(mark);
    // What was found is compared only if a program declares it: an import takes it over.
    const isImport = this.foundAs.delete(`${object} ${mark}`);
    if (isImport && this.receiveAdoption(object, mark) === "refused") return "refused";
    if ((this.taken.get(object) ?? mark) !== mark) return "refused";
    this.count(object, 1);
    return isNew && holders.size > 1 && (this.compared.get(object) ?? 0) > 1 ? "shared" : undefined;
  }

  private receiveAdoption(object: string, mark: string): Outcome {
    if (this.taken.has(object) || (this.compared.get(object) ?? 0) > 0) return "refused";
    this.taken.set(object, mark);
    return undefined;
  }

  private receiveDelete(object: string, mark: string): Outcome {
    const taken = this.taken.get(object);
    if (taken !== undefined) return taken === mark ? undefined : "shared";
    const holders = this.holdersOf(object);
    holders.delete(mark);
    return holders.size > 0 ? "shared" : undefined;
  }

  private holdersOf(object: string): Set<string> {
    const holders = this.holders.get(object) ?? new Set<string>();
    this.holders.set(object, holders);
    return holders;
  }

  private count(object: string, by: number): void {
    this.compared.set(object, (this.compared.get(object) ?? 0) + by);
  }
}

const VERBS = ["stays", "might stay", "read", "found", "adopt", "make", "made", "delete"] as const;
type Verb = (typeof VERBS)[number];

/** "refused": another resource has it, and this one must not. "shared": another one holds it too. */
type Outcome = "refused" | "shared" | undefined;

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
