import { AgentPlatformError } from "../base/errors";

/**
 * Which objects the resources of this process hold, so that no resource adopts or deletes what another one holds. The engine tells a
 * plugin nothing about the rest of the state, and a diff does not prove that the program still declares a resource: it also diffs what it is about to
 * delete (docs/engine.md, trap 29). So every adoption leaves a mark in the outputs of the resource. A delete is held back only by a
 * resource with another mark: that one is in state too, holds the object, and has it deleted when its own turn comes.
 */
export class Claims {
  /** Made or adopted by this process, and the mark of the resource that has it. */
  private readonly taken = new Map<string, string>();
  /** The marks of the resources in state that were compared while they held the object. */
  private readonly holders = new Map<string, Set<string>>();
  /** Found by this process for an import, or for a resource that only reads it; each with a mark of its own. */
  private readonly foundAs = new Set<string>();
  /** How often a program's resource of that object was compared. A refresh compares too, each time after one read. */
  private readonly compared = new Map<string, number>();

  /**
   * A resource in state was compared with its declaration, and stays. @param isKnown All of the declaration is known: it is the program's.
   * @returns Whether another resource in state has the object, too, which a program declares as well.
   */
  stays(object: string, mark: string, isKnown: boolean, what: string): boolean {
    const holders = this.holdersOf(object);
    const isNew = !holders.has(mark);
    holders.add(mark);
    if (!isKnown) return false;
    // What was found is compared only if a program declares it: an import takes it over.
    if (this.foundAs.delete(`${object} ${mark}`)) this.adopt(object, mark, what);
    if ((this.taken.get(object) ?? mark) !== mark) throw heldTwice(what);
    this.count(object, 1);
    return isNew && holders.size > 1 && (this.compared.get(object) ?? 0) > 1;
  }

  /** A resource in state was read: its comparison comes next, and says nothing of the program. */
  wasRead(object: string): void {
    this.count(object, -1);
  }

  /** An object that no state holds was found: an import, unless it is only read. */
  found(object: string, mark: string): void {
    this.foundAs.add(`${object} ${mark}`);
  }

  /** Call before an adoption. Throws if another resource of this program has the object. */
  adopt(object: string, mark: string, what: string): void {
    if (this.taken.has(object) || (this.compared.get(object) ?? 0) > 0) throw heldTwice(what);
    this.taken.set(object, mark);
  }

  /** Call after a creation. */
  made(object: string, mark: string): void {
    this.taken.set(object, mark);
  }

  /**
   * Call before a delete: the resource gives up the object. True if another resource holds it and is left to delete it: if both are
   * deleted, the last one deletes the object.
   */
  isLeftToAnother(object: string, mark: string): boolean {
    const taken = this.taken.get(object);
    if (taken !== undefined) return taken !== mark;
    const holders = this.holdersOf(object);
    holders.delete(mark);
    return holders.size > 0;
  }

  /** Back to the state at the start of a process. */
  forget(): void {
    this.taken.clear();
    this.holders.clear();
    this.compared.clear();
    this.foundAs.clear();
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

const heldTwice = (what: string): AgentPlatformError =>
  new AgentPlatformError(
    `${what} would belong to two resources of this program: it is already in this stack's state, and another resource adopts it. Keep one of them; ` +
      "to rename it in Pulumi, keep the new one, or use the option `aliases`",
  );
