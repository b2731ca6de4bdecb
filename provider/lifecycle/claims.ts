import { AgentPlatformError } from "./errors";

/**
 * Which objects the resources of this process hold, so that none has two holders: what one resource adopts, another does not adopt or
 * delete. The engine tells a plugin nothing of the rest of the state, but it asks about each resource that the program still declares.
 */
export class Claims {
  /** Made or adopted by this process. */
  private readonly taken = new Set<string>();
  /** How often a program's resource of that object was compared. A refresh compares too, each time after one read. */
  private readonly compared = new Map<string, number>();

  /** A resource in state was compared with its declaration, and stays. */
  stays(object: string, what: string): void {
    if (this.taken.has(object)) throw heldTwice(what);
    this.count(object, 1);
  }

  /** A resource in state was read: its comparison comes next, and says nothing of the program. */
  wasRead(object: string): void {
    this.count(object, -1);
  }

  /** Before an adoption. Throws where another resource of this program has the object. */
  adopt(object: string, what: string): void {
    if (this.isHeld(object)) throw heldTwice(what);
    this.taken.add(object);
  }

  /** After a creation. */
  made(object: string): void {
    this.taken.add(object);
  }

  /** Another resource than the one that is about to be deleted has the object. */
  isHeld(object: string): boolean {
    return this.taken.has(object) || (this.compared.get(object) ?? 0) > 0;
  }

  /** As at the start of a process. */
  forget(): void {
    this.taken.clear();
    this.compared.clear();
  }

  private count(object: string, by: number): void {
    this.compared.set(object, (this.compared.get(object) ?? 0) + by);
  }
}

const heldTwice = (what: string): AgentPlatformError =>
  new AgentPlatformError(
    `${what} would have two resources of this program: it is in this stack's state already, and another resource adopts it. Keep one of them; ` +
      "to give it another name in Pulumi, keep the new one, or use the option `aliases`",
  );
