import type { Ended } from "../../support/run-process";
import type { EngineStack } from "./engine-stack";
import type { Observation } from "./observation";
import type { Platform } from "./platform";
import type { World } from "./world";

/** One command of the CLI, as it ran. */
export interface Ran {
  readonly line: string;
  readonly ended: Ended;
  /** It brings the program to the platform. */
  readonly applies: boolean;
  readonly refreshes: boolean;
  readonly destroys: boolean;
  /** It destroys what the program declares, too. */
  readonly runsProgram?: boolean;
  /** Undefined: everything. */
  readonly targets?: readonly string[];
  readonly withDependents?: boolean;
  /** It takes resources out of state, and nothing else. */
  readonly forgets?: boolean;
  /** The URN under which it takes an object into state. */
  readonly imports?: string;
  /** With a key that sees other objects. */
  readonly foreignKey?: boolean;
  /** The steps that the preview right before it announced, by URN. */
  readonly announced?: ReadonlyMap<string, string>;
}

/** The things that a command works with. */
export interface Bench {
  readonly stack: EngineStack;
  readonly platform: Platform;
  readonly world: World;
  readonly now: Observation;
  /** The key that the stack is configured with. */
  readonly key: { value: string };
}

/** What a command is, before it ran. */
export type Kind = Omit<Ran, "line" | "ended">;
export const up: Kind = { applies: true, refreshes: false, destroys: false };
export const look: Kind = { applies: false, refreshes: false, destroys: false };
export const down: Kind = { applies: false, refreshes: false, destroys: true };

/** The command line without the flags that every command has. */
export const shown = (args: readonly string[]): string =>
  `pulumi ${args.filter((arg) => !/^--(yes|skip-preview|client=.*|generate-code=false|protect=false)$/.test(arg)).join(" ")}`;
