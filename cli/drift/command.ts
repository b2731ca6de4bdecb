import { type Command, Option } from "commander";
import { resolve } from "node:path";
import { z } from "zod";
import { CliError, wrongUsage } from "../base/cli-error";
import { declareFormat, declareProject, withHelp } from "../base/options";
import { paragraphText } from "../base/printable";
import { selectedStack, shownReasons, type Target } from "../base/pulumi";
import { projectName } from "../base/stack-config";
import { stateReader } from "../base/states";
import { matching, PARALLEL, parallelOf, patternOf, stacksOf } from "../base/stacks";
import { progressOn } from "../base/style";
import { compareStack } from "./engine";
import { DRIFT_FORMATS } from "./formats";
import { compareAll, namedStacks, type StackRow } from "./many";
import { MANY_FORMATS } from "./many-formats";
import { outcomeOf, reportOf } from "./report";

const options = z.object({
  stack: z.string().optional(),
  stacks: z.array(z.string()).optional(),
  parallel: z.number().optional(),
  cwd: z.string(),
  format: z.enum(["text", "markdown", "json"]),
});
type Given = z.infer<typeof options>;

/** The exit code for drift, which is the engine's own for "no changes were expected". */
const DRIFT = 7;

/** Declares the options of `pulumi-agent-platform drift` and what it does. */
export function defineCommand(command: Command): void {
  const stacks = new Option(
    "--stacks <pattern>",
    'compare all matching stacks of the project, such as "prod-*"; repeatable',
  );
  declareProject(command)
    .addOption(stacks.argParser(patternOf).conflicts("stack"))
    .option("--parallel <count>", `with --stacks: how many engines run at a time (default: ${PARALLEL})`, parallelOf);
  declareFormat(command, "format of the report", Object.keys(DRIFT_FORMATS));
  withHelp(
    command,
    '\nExample: pulumi-agent-platform drift --stacks "prod-*" --format markdown' +
      "\n\nExit codes: 0 no drift, 7 drift, 1 the comparison failed, or an object could not be compared; " +
      "with --stacks, the worst of them: 1, then 7, then 0." +
      "\n\nIt runs `pulumi refresh --preview-only` with your environment, and changes nothing." +
      "\nThe engine masks secrets, so a changed secret is only listed if nothing else in its object changed. If the platform " +
      "shows which secret differs, a warning on standard error names it." +
      "\n\nWith --stacks, it reads the states without an engine and without a passphrase: secrets stay encrypted, and are not " +
      "compared. A stack that only an engine can compare gets one. A pattern with a slash, such as shop/*, names stacks of any " +
      "project." +
      "\n\n--format json: { stack, clean: the number of objects without drift," +
      "\n  drifted: [{ urn, type, name, id, operation: update | delete, readOnly?: true, " +
      "fields: [{ path, declared, live }], next: the next command and what it does }]," +
      "\n  unread: [{ urn, type, name, id }], the objects that could not be read," +
      "\n  servers: [{ urn, type, name, id, before, after, sameCommit, serves }], the deployments that the platform built " +
      "on another agent server, which is no drift; serves: false while the latest revision does not serve }" +
      "\n  If one side lacks the field, its key is left out; a secret is the text [secret]." +
      "\n  With --stacks: { version: 1, stacks: [{ stack, outcome: none | drift | unread, clean, drifted, unread, servers, " +
      "encrypted: [{ urn, type, name, id, fields }], what the state has encrypted, engine: why it took one } " +
      "or { stack, outcome: failed, reason, engine }] }",
  ).action(async () => {
    const given = options.parse(command.opts());
    const target = { folder: resolve(given.cwd), environment: process.env };
    await (given.stacks === undefined ? runOne(given, target) : runMany(given, given.stacks, target));
  });
}

async function runOne(given: Given, target: Target): Promise<void> {
  if (given.parallel !== undefined)
    throw wrongUsage("--parallel only works with --stacks: add --stacks, or leave --parallel out");
  const stack = given.stack ?? (await selectedStack(target));
  const events = await compareStack(stack, target);
  for (const warning of events.warnings) process.stderr.write(`warning: ${paragraphText(warning)}\n`);
  const report = reportOf(stack, events);
  process.stdout.write(DRIFT_FORMATS[given.format](report));
  const outcome = outcomeOf(report);
  if (outcome === "drift") process.exitCode = DRIFT;
  if (outcome === "unread")
    throw new CliError(
      `some objects could not be read, so the comparison is not complete; the report names them${shownReasons(events.errors)}`,
    );
}

async function runMany(
  { format, parallel = PARALLEL }: Given,
  given: readonly string[],
  target: Target,
): Promise<void> {
  // A pattern with a slash names projects.
  const project = projectName(target.folder);
  const isWide = project === undefined || given.some((pattern) => pattern.includes("/"));
  const patterns = given.map((each) => (isWide && project && !each.includes("/") ? `${project}/${each}` : each));
  const readState = await stateReader(target);
  const all = namedStacks(await stacksOf(isWide ? "backend" : "project", target), isWide);
  const names = new Set(
    matching(
      all.map(({ name }) => name),
      patterns,
    ),
  );
  const stacks = all.filter(({ name }) => names.has(name));
  const progress = progressOn(process.stderr);
  let done = 0;
  const report = await compareAll(stacks, readState, parallel, target, (row, warnings) => {
    progress.end();
    for (const warning of warnings) process.stderr.write(paragraphText(`warning: ${row.stack}: ${warning}\n`));
    progress.show(`compared ${++done} of ${stacks.length} stacks`);
  }).finally(progress.end);
  process.stdout.write(MANY_FORMATS[format](report));
  const count = (wanted: StackRow["outcome"]): number =>
    report.stacks.filter(({ outcome }) => outcome === wanted).length;
  if (count("drift") > 0) process.exitCode = DRIFT;
  const [failed, unread] = [count("failed"), count("unread")];
  if (failed > 0) throw new CliError(`${failed} of ${stacks.length} stacks could not be compared; the report says why`);
  if (unread > 0)
    throw new CliError(
      `${unread} of ${stacks.length} stacks have objects that could not be read; the report names them`,
    );
}
