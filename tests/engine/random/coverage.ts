import { MANUAL_CHANGES } from "./by-hand";
import { COMMANDS } from "./commands";
import { EDITS } from "./edits";
import { wordsOn } from "./fronts";
import { OUTAGES } from "./layers";
import { ODDITIES } from "./platform";
import { FAULTS, OUTCOMES } from "./steps";

/** The whole vocabulary, by the kind of operation; not all of it is played on both plugins. */
export const VOCABULARY = {
  "the program": EDITS,
  "by hand": MANUAL_CHANGES,
  revision: OUTCOMES,
  fault: FAULTS,
  outage: OUTAGES,
  command: COMMANDS,
  platform: ["late, null until then", "late, the old one until then", "slowly", ...ODDITIES],
} as const;
export type Section = keyof typeof VOCABULARY;

const SECTIONS: readonly Section[] = ["the program", "by hand", "revision", "fault", "outage", "command", "platform"];

/** How often each operation was tried. */
export class Coverage {
  private readonly counts = new Map<string, number>();

  count(section: Section, operation: string): void {
    const key = `${section}: ${operation}`;
    this.counts.set(key, (this.counts.get(key) ?? 0) + 1);
  }

  /** Each operation of the vocabulary with its count; 0 where it was never tried. */
  get table(): Record<string, number> {
    const keys = SECTIONS.flatMap((section) =>
      wordsOn<string>(VOCABULARY[section]).map((operation) => `${section}: ${operation}`),
    );
    return Object.fromEntries(keys.map((key) => [key, this.counts.get(key) ?? 0]));
  }

  get text(): string {
    return Object.entries(this.table)
      .map(([key, count]) => `${String(count).padStart(6)}  ${key}`)
      .join("\n");
  }
}
