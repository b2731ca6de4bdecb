import type { FaultInput } from "../../../emulator";
import type { ManualChange } from "./by-hand";
import type { Command } from "./commands";
import type { Edit } from "./edits";
import type { OutageName } from "./layers";
import type { Traits } from "./platform";
import type { Slot } from "./world";

/** How the next revision of a slot's deployment ends. */
export const OUTCOMES = ["BUILD_FAILED", "DEPLOY_FAILED", "STUCK"] as const;

/** Faults that pass. */
export const FAULTS = ["reset-before-commit", "reset-after-commit", "status", "truncated-json", "html"] as const;

/** One step: changes of the program, changes by hand, failures, and a command. */
export interface Step {
  /** Before it, this version of the package takes over from the one that the program began with. */
  readonly upgrades?: true;
  readonly edits: readonly Edit[];
  readonly manualChanges: readonly ManualChange[];
  readonly outcome: { readonly slot: Slot; readonly ends: (typeof OUTCOMES)[number] } | undefined;
  readonly faults: readonly FaultInput[];
  readonly outage: OutageName | undefined;
  readonly command: Command;
}

/** A program to be played on the engine. */
export interface Program {
  /** The version of the package that it begins with. @default that of this checkout */
  readonly from?: string;
  readonly traits: Traits;
  readonly first: readonly { readonly slot: Slot; readonly pick: number }[];
  readonly steps: readonly Step[];
  /** The end begins with a refresh, even where nothing was changed by hand. */
  readonly refreshesInTheEnd: boolean;
}
