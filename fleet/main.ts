#!/usr/bin/env node
import { readFileSync } from "node:fs";
import { text as textOf } from "node:stream/consumers";
import { Command, Option } from "commander";
import { failWith, wrongUsage } from "../cli/base/cli-error";
import { notEmpty } from "../cli/base/options";
import { messageOf } from "../provider/base/errors";
import { noteSecrets, safeText } from "../provider/base/masker";
import { approve, cancel, checkLease, FLEET_FILE, retry, roll, status, takePart, type Given } from "./commands";
import { VERSION } from "./database";
import { noteEnvironment, say } from "./process";

const program = new Command("agent-platform-fleet")
  .description("Rolls many Pulumi stacks out in waves, and goes on after any interruption.")
  .version(VERSION, "-V, --version", "print the version")
  .exitOverride()
  .hook("preAction", () => checkLease())
  .addHelpText(
    "after",
    "\nExit codes: 0 every stack succeeded, 7 only drift was found, 1 some stack" +
      "\nfailed, is locked or was left untouched, 2 wrong usage: nothing was done." +
      "\n\nWithout --database the runs are kept in .state/fleet/database beside the fleet" +
      "\nfile (PGlite, in this process).",
  );

/** A command of the fleet. */
function define(words: string, description: string): Command {
  return program
    .command(words)
    .description(description)
    .option("--file <path>", "the file of the fleet", notEmpty("a path"), FLEET_FILE)
    .addOption(
      new Option("--database <url>", "the Postgres that all workers share: postgres://...").env("FLEET_DATABASE_URL"),
    );
}

const given = (command: Command): Given => command.opts<Given>();

define("preview", "preview all stacks").action((_, command: Command) => roll(given(command), "preview"));
define("up", "bring all stacks up, a wave at a time; goes on with a run that was interrupted").action(
  (_, command: Command) => roll(given(command), "up"),
);
define("destroy", "destroy all stacks, a wave at a time")
  .option("--yes", "really destroy them")
  .action((options: { yes?: boolean }, command: Command) => {
    if (options.yes !== true)
      throw wrongUsage("destroy deletes everything in all stacks of the fleet: confirm it with --yes");
    return roll(given(command), "destroy");
  });
define("drift", "compare all stacks with the platform").action((_, command: Command) => roll(given(command), "drift"));
define(
  "rotate <key>",
  "set a secret of every stack's configuration, bring the stacks up, and say who still serves the old value",
)
  .option("--value-file <path>", "the file with the new value (default: standard input)", notEmpty("a path"))
  .addHelpText(
    "after",
    "\nThe value is not printed, and sealed in the database until the run ends: with" +
      "\n--database by FLEET_KEY, which has to be the same (16 characters or more) for" +
      "\neach worker; else by a key in a file beside it. Each worker changes the" +
      "\nPulumi.<stack>.yaml of its own checkout: commit them.",
  )
  .action(async (key: string, { valueFile }: { valueFile?: string }, command: Command) => {
    if (!/^[A-Za-z][\w.:-]*$/.test(key)) throw wrongUsage(`${JSON.stringify(key)} is no key of a configuration`);
    await roll(given(command), "rotate", key, () => valueFrom(valueFile));
  });
define("status", "show the newest run")
  .addOption(new Option("--format <name>", "format of the report").choices(["text", "json", "html"]).default("text"))
  .action(({ format }: { format: "text" | "json" | "html" }, command: Command) => status(given(command), format));
define("approve [wave]", "let the run go on behind the gate of a wave").action(
  (wave: string | undefined, _, command: Command) => approve(given(command), wave),
);
define("cancel", "stop the run when what runs now has ended").action((_, command: Command) => cancel(given(command)));
define("retry", "run again what did not succeed in the newest run")
  .option("--value-file <path>", "of a rotation: the file with the new value", notEmpty("a path"))
  .action(async ({ valueFile }: { valueFile?: string }, command: Command) =>
    retry(given(command), valueFile === undefined ? undefined : await valueFrom(valueFile)),
  );
define("worker", "take part in the runs of the database, and take over from workers that died").action(
  (_, command: Command) => takePart(given(command)),
);

async function valueFrom(file: string | undefined): Promise<string> {
  let value: string;
  if (file === undefined && process.stdin.isTTY)
    say("type the new value, Enter and Ctrl-D; a terminal shows it, --value-file does not", process.stderr);
  try {
    value = (file === undefined ? await textOf(process.stdin) : readFileSync(file, "utf8")).replace(/\r?\n$/, "");
  } catch (error) {
    throw wrongUsage(`the new value cannot be read: ${messageOf(error)}`);
  }
  if (value === "")
    throw wrongUsage("the new value is empty: give it on standard input, or in a file with --value-file");
  noteSecrets(value);
  return value;
}

process.stdout.on("error", (error: NodeJS.ErrnoException) => {
  // A run goes on without a reader.
  if (error.code !== "EPIPE") process.exit(1);
});

async function main(): Promise<void> {
  noteEnvironment();
  try {
    await program.parseAsync();
  } catch (error) {
    failWith(error, safeText(messageOf(error)));
  }
}

void main().then(() => process.exit());
