import { Argument, Command } from "commander";
import type { Measurement } from "./row";

/** What to measure, and what to do with the results. */
export interface Wanted {
  readonly measurements: readonly Measurement[];
  readonly isWritten: boolean;
  readonly isChecked: boolean;
}

/** `npm run bench -- …`: help, and what it does not know, end it before anything is measured. */
export function benchCommand(table: readonly Measurement[], measure: (wanted: Wanted) => Promise<void>): Command {
  const names = new Argument("[name...]", "what to measure").choices(table.map(({ name }) => name));
  const widest = Math.max(...table.map(({ name }) => name.length));
  const lines = table.map(({ name, about }) => `  ${name.padEnd(widest)}  ${about}`);
  return new Command("npm run bench --")
    .description("Measures the provider against the alternatives, and prints a table.")
    .addArgument(names)
    .option("--write", "write the results to bench/results.json and bench/results.md; all together are always written")
    .option("--check", "exit with 1 if a goal is missed")
    .addHelpText("after", `\nNames; without one, all are measured in about an hour:\n${lines.join("\n")}`)
    .action((given: readonly string[], { write = false, check = false }: { write?: boolean; check?: boolean }) =>
      measure({
        measurements: table.filter(({ name }) => given.length === 0 || given.includes(name)),
        isWritten: write || given.length === 0,
        isChecked: check,
      }),
    );
}
