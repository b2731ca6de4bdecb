import type { FaultKind } from "../../emulator";
import { CELLS, KINDS, VERBS, type Verb } from "./programs";

/** The outcomes of the operations that faults of one kind struck. */
export interface Counts {
  tried: number;
  /** The operation succeeded nevertheless. */
  survived: number;
  /** It failed with an error of ours, and the next fault-free `up` put everything right. */
  failedCleanly: number;
  /** How often that `up` needed `adopt`. */
  neededAdopt: number;
  lost: number;
  doubled: number;
}

/** Counts over all runs. */
export class Tally {
  runs = 0;
  /** Objects of other users with the declared name that were adopted. */
  adoptedFromOthers = 0;
  readonly kinds = new Map<FaultKind, Counts>();
  /** How often a fault struck the request that carries the verb (or, for a misreading, a look-up of the verb). */
  readonly cells = new Map<string, number>();

  of(kind: FaultKind): Counts {
    const counts = this.kinds.get(kind) ?? {
      tried: 0,
      survived: 0,
      failedCleanly: 0,
      neededAdopt: 0,
      lost: 0,
      doubled: 0,
    };
    this.kinds.set(kind, counts);
    return counts;
  }

  fired(kind: FaultKind, verb: Verb): void {
    const cell = `${kind} ${verb}`;
    this.cells.set(cell, (this.cells.get(cell) ?? 0) + 1);
  }

  /** The cells that fired less often than `times`. */
  rarer(than: number): string[] {
    const all = CELLS.map(({ kind, verb }) => `${kind} ${verb}`);
    return all.filter((cell) => (this.cells.get(cell) ?? 0) < than);
  }

  /** A line per kind of fault, for people. */
  show(): string {
    const lines = KINDS.map((kind) => {
      const { tried, survived, failedCleanly, neededAdopt, lost, doubled } = this.of(kind);
      const cells = VERBS.map((verb) => `${verb} ${this.cells.get(`${kind} ${verb}`) ?? 0}`).join(", ");
      return (
        `${kind.padEnd(20)} fired: ${cells} | operations ${tried}: survived ${survived}, failed cleanly ${failedCleanly}, ` +
        `adopt ${neededAdopt}, lost ${lost}, doubled ${doubled}`
      );
    });
    return [`${this.runs} runs, ${this.adoptedFromOthers} objects of others adopted`, ...lines].join("\n");
  }
}
