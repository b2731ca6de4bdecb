import { type Command, Option } from "commander";
import { resolve } from "node:path";
import { z } from "zod";
import { wrongUsage } from "../base/cli-error";
import { declareFormat, declareProject, notEmpty, repeatable, withHelp } from "../base/options";
import { jsonText, paragraphText } from "../base/printable";
import { selectedStack } from "../base/pulumi";
import { type Style, styleFor } from "../base/style";
import { markdown } from "./markdown";
import { loadPreview, readPreview, runPreview, writeOutput } from "./preview";
import { reviewOf } from "./report";
import type { Review } from "./review";
import { terminal } from "./terminal";

const options = z.object({
  stack: z.string().optional(),
  cwd: z.string(),
  format: z.enum(["text", "markdown", "json"]),
  output: z.string().optional(),
  failOn: z.enum(["replacement", "deletion"]).optional(),
  policyPack: z.array(z.string()).default([]),
  save: z.string().optional(),
  events: z.string().optional(),
});
type Given = z.infer<typeof options>;

const EXIT_CODES: Readonly<Record<Review["result"], number>> = {
  "no changes": 0,
  changes: 8,
  refused: 9,
  failed: 1,
};

const packs = repeatable(notEmpty("the folder of a policy pack"));

/** Declares the options of `pulumi-agent-platform review` and what it does. */
export function defineCommand(command: Command): void {
  const events = new Option("--events <file>", "review a saved preview, without the engine");
  declareFormat(declareProject(command), "format of the review", Object.keys(REVIEW_FORMATS))
    .option("--output <file>", "write the review to a file", notEmpty("the path of a file"))
    .addOption(
      new Option("--fail-on <risk>", "refuse this risk and any greater one").choices(["replacement", "deletion"]),
    )
    .option("--policy-pack <folder>", "check the preview against this policy pack; repeatable", packs)
    .option("--save <file>", "save the preview, to review it again in another format", notEmpty("the path of a file"))
    .addOption(events.argParser(notEmpty("the path of a file")).conflicts(["stack", "policyPack"]))
    .argument("[arguments...]", "after --: more arguments for `pulumi preview`, such as --target");
  withHelp(
    command,
    "\nExample: pulumi-agent-platform review --format markdown --output review.md --fail-on deletion" +
      "\n\nExit codes: 0 no changes, 8 changes, 9 refused (by --fail-on, or by a mandatory policy), 1 an error, also in the preview." +
      "\n\nIt runs `pulumi preview` with your environment, and changes nothing." +
      "\nSecrets are named, never shown." +
      "\nThe risks, from low to high: none, new revision, replacement, deletion. docs/review.md describes --format json.",
  ).action(async (more: string[]) => run(options.parse(command.opts()), more));
}

async function run(asked: Given, more: readonly string[]): Promise<void> {
  if (asked.events !== undefined && more.length > 0)
    throw wrongUsage("--events: no `pulumi preview` is run that could take the arguments after --: leave them out");
  const saved = asked.events === undefined ? await preview(asked, more) : loadPreview(asked.events);
  // For this user alone: what a program prints may be in it.
  if (asked.save !== undefined) writeOutput("--save", asked.save, saved, 0o600);
  const review = reviewOf(readPreview(saved), asked.failOn);
  const style = styleFor(asked.output === undefined && process.stdout.isTTY, process.env);
  const text = REVIEW_FORMATS[asked.format](review, style);
  if (asked.output === undefined) process.stdout.write(text);
  else writeOutput("--output", asked.output, text);
  // A review on the terminal says so itself.
  if (asked.output !== undefined || asked.format !== "text") {
    for (const error of review.errors) process.stderr.write(`error: ${paragraphText(error)}\n`);
    for (const reason of review.refusals) process.stderr.write(`refused: ${paragraphText(reason)}\n`);
  }
  process.exitCode = EXIT_CODES[review.result];
}

/** The arguments of `pulumi preview` that the review sets itself. */
const OWN = /^(-s.*|--stack(=.*)?|-C.*|--cwd(=.*)?|-j|--json(=.*)?|--save-plan(=.*)?|-h|--help)$/;
/** With which a preview writes the stack's file. */
const SAVED = /^(-c.*|--config(=.*)?)$/;

async function preview(asked: Given, more: readonly string[]): Promise<string> {
  const [first = "-"] = more;
  if (!first.startsWith("-"))
    throw wrongUsage(
      `${first}: name a stack by --stack; arguments for \`pulumi preview\` begin with - and come after --`,
    );
  const own = more.find((word) => OWN.test(word));
  if (own !== undefined)
    throw wrongUsage(`${own} cannot come after --: a stack is named by --stack before it, and a folder by --cwd`);
  const saved = more.find((word) => SAVED.test(word));
  if (saved !== undefined)
    throw wrongUsage(
      `${saved.replace(/=.*/, "")} cannot come after --: the preview would write the value into the stack's file. Give a changed copy of that file with --config-file`,
    );
  const target = { folder: resolve(asked.cwd), environment: process.env };
  const stack = asked.stack ?? (await selectedStack(target));
  const checks = asked.policyPack.map((folder) => `--policy-pack=${folder}`);
  return runPreview(stack, target, [...checks, ...more]);
}

/** The formats of a review; each gives the whole text, with a line end. */
export const REVIEW_FORMATS = {
  text: terminal,
  markdown: (review: Review): string => markdown(review),
  json: jsonText,
} as const satisfies Record<string, (review: Review, style: Style) => string>;
