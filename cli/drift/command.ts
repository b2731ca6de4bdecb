import { resolve } from "node:path";
import { InvalidArgumentError, Option, type Command } from "commander";
import { z } from "zod";
import { selectedStack } from "../base/engine";
import { compare } from "./engine";
import { FORMATS } from "./formats";
import { reportOf } from "./report";

const options = z.object({
  stack: z.string().optional(),
  cwd: z.string(),
  format: z.enum(["table", "markdown", "json"]),
});

/** The exit code for drift, which is the engine's own for "no changes were expected". */
const DRIFT = 7;

/** Declares the options of `agent-platform drift` and what it does. */
export function defineDriftCommand(command: Command): void {
  command
    .option("--stack <name>", "the stack to compare (default: the selected one)", stackName)
    .option("--cwd <folder>", "the folder of the Pulumi project", ".")
    .addOption(new Option("--format <name>", "form of the report").choices(Object.keys(FORMATS)).default("table"))
    .addHelpText(
      "after",
      "\nExit codes: 0 no drift, 7 drift, 1 the comparison failed." +
        "\nIt runs `pulumi refresh --preview-only` in its own environment (PULUMI_CONFIG_PASSPHRASE and so on)." +
        "\nNothing is written, to the state or to the platform." +
        "\n\nThe engine masks secrets on both sides, so a changed secret is a field only if nothing else in its object" +
        "\nchanged. If the platform shows which secret differs, a warning on standard error names it." +
        "\n\n--format json: { stack, clean: how many objects are as declared," +
        "\n  drifted: [{ urn, type, name, id, operation: update | delete, fields: [{ path, declared, live }] }] }" +
        "\n  A side that has no such field leaves out its key; a secret is the text [secret].",
    )
    .action(async () => run(options.parse(command.opts())));
}

async function run(given: z.infer<typeof options>): Promise<void> {
  const target = { folder: resolve(given.cwd), environment: process.env };
  const stack = given.stack ?? (await selectedStack(target));
  const events = await compare(stack, target);
  for (const warning of events.warnings) process.stderr.write(`warning: ${warning}\n`);
  const report = reportOf(stack, events);
  process.stdout.write(FORMATS[given.format](report));
  if (report.drifted.length > 0) process.exitCode = DRIFT;
}

function stackName(text: string): string {
  if (text === "") throw new InvalidArgumentError("It is the name of a stack, as `pulumi stack ls` shows it.");
  return text;
}
