import { type Command, InvalidArgumentError, Option } from "commander";
import { createInterface } from "node:readline";
import { z } from "zod";
import { CliError, whenStopped, wrongUsage } from "../base/cli-error";
import { commandAt, CONNECTION_HELP, connectionsOf, declareConnection } from "../base/connection";
import { builtFrom, declareDeployment, findDeployment, type ShownDeployment } from "../base/deployment";
import { withHelp, notEmpty } from "../base/options";
import { lineText, nameLines, sentenceLines } from "../base/printable";
import { progressOn } from "../base/style";
import type { Clock } from "../../provider/base/clock";
import { durationMs, showDuration } from "../../provider/base/time";
import type { Log } from "../../provider/lifecycle/observe/context";
import { SILENT } from "../../provider/lifecycle/session";
import type { Revision } from "../../provider/functions/reading";
import { openOperator } from "../../provider/operating";

const options = z.looseObject({
  revision: z.string(),
  yes: z.boolean().default(false),
  keepSecrets: z.boolean().default(false),
  wait: z.boolean(),
  timeout: z.string().optional(),
});

/** What the command uses of the machine. */
interface Machine {
  /** Limits the wait. */
  readonly clock?: Clock;
  readonly ask?: typeof saysYes;
}

/** Declares the options of `pulumi-agent-platform redeploy` and what it does. */
export function defineCommand(command: Command, machine: Machine = {}): void {
  const timeout = new Option("--timeout <duration>", "how long to wait, like 45m (default: 30m)");
  declareDeployment(command)
    .requiredOption(
      "--revision <id>",
      "the revision to bring back, as `revisions` shows it (required)",
      notEmpty("an id"),
    )
    .option("-y, --yes", "do not ask whether the environment may come back")
    .option("--keep-secrets", "bring back only the image: the environment and all else stay as they are")
    .option("--no-wait", "do not wait until it is DEPLOYED")
    .addOption(timeout.argParser(duration).conflicts("wait"));
  declareConnection(command);
  withHelp(
    command,
    "\nExample: pulumi-agent-platform redeploy support-agent --revision 059e38f5-605f-4bbd-a442-ebe410a2d47d" +
      "\n\nEach run makes a new revision with the configuration of an earlier one, and waits until it is DEPLOYED. The earlier " +
      "environment comes back, with its secrets: the command names today's variables and asks (without a terminal it needs " +
      "--yes). To go back for good, change the program as well. Needs contract extended, or --keep-secrets." +
      CONNECTION_HELP +
      "\n\nExit codes: 0 it is DEPLOYED (with --no-wait: requested), 1 it failed, the time ran out, or you said no, " +
      "130 stopped with Ctrl-C.",
  ).action(async (deployment: string | undefined) => run(deployment, options.parse(command.opts()), machine));
}

async function run(
  named: string | undefined,
  { revision, yes, keepSecrets, wait, timeout, ...given }: z.infer<typeof options>,
  { clock, ask = saysYes }: Machine,
): Promise<void> {
  const progress = waitProgressOn(process.stderr);
  const connections = await connectionsOf(given, process.env);
  const { platform: operator, deployment } = await findDeployment(connections, named, (source) =>
    openOperator(source, { log: progress.log, clock }),
  );
  // Read first, to distinguish a mistyped id from a platform without this endpoint.
  const earlier = await operator.revision(deployment.id, revision);
  if (!keepSecrets) {
    process.stderr.write(environmentText(await operator.variables(deployment.id)));
    if (!yes) await agreed(ask);
  }
  // By its id: two deployments may share a name.
  const watching = commandAt(given, "revisions", deployment.id);
  // The platform goes on without this command.
  whenStopped(process, () => {
    progress.end();
    process.stdout.write(afterwards(watching));
  });
  const made = await operator.redeploy(deployment, revision, keepSecrets);
  process.stdout.write(askedForText(deployment, earlier, made.id));
  if (wait) {
    const serving = await operator
      .rolledOut(deployment, made, { timeout, advice: adviceOn(watching) })
      .finally(progress.end);
    process.stdout.write(`${lineText(`Deployment ${deployment.name}: revision ${serving} is DEPLOYED.`)}\n`);
  }
  process.stdout.write(afterwards(wait ? undefined : watching));
}

/** Throws CliError unless the person at the terminal agrees. */
async function agreed(ask: typeof saysYes): Promise<void> {
  const answer = await ask("Redeploy?");
  if (answer === undefined) {
    throw wrongUsage(
      "--yes: there is no terminal to ask on: add --yes if the environment may come back too, or --keep-secrets",
    );
  }
  if (!answer) throw new CliError("nothing was redeployed: the answer was no");
}

/** Checked before anything is sent. */
function duration(text: string): string {
  if (durationMs(text) === undefined)
    throw new InvalidArgumentError("It must be a duration such as 90s, 45m or 1h30m.");
  return text;
}

/** What to do when the wait does not end well. @param watching The command that shows the revisions. */
const adviceOn = (watching: string) => ({
  failed:
    "Redeploy another revision, or run `pulumi refresh` and then `pulumi up` to restore what the program declares",
  timedOut: `The rollout continues without this command: look at \`${watching}\`, or raise --timeout`,
  stopped: `The rollout may continue without this command: look at \`${watching}\``,
});

/** What a redeploy restores beside the image. No answer shows the variables of an earlier revision: these are today's, without values, which may be secret. */
export function environmentText(variables: readonly string[]): string {
  return [
    "The whole environment of that revision comes back, each variable as it was then.",
    ...(variables.length === 0
      ? ["Today there are none; some may come back."]
      : ["Today there are these; others may come back:", ...nameLines(variables)]),
    "A secret rotated since gets its old value back (not with --keep-secrets).",
    "",
  ].join("\n");
}

/** The redeploy that was asked for. @param made The new revision; undefined while the platform has not named it. */
function askedForText({ name }: ShownDeployment, earlier: Revision, made: string | undefined): string {
  const runs = builtFrom(earlier);
  const from = `revision ${earlier.id}${runs === null ? "" : ` (${runs})`}`;
  const sentence = `Deployment ${name}: ${from} comes back as ${made === undefined ? "a new revision" : `revision ${made}`}.`;
  return `${sentenceLines(lineText(sentence), "", "  ").join("\n")}\n`;
}

/** How a redeploy looks from the program, which knows nothing of it. @param watching The command that shows how far it is, if that is not known. */
function afterwards(watching: string | undefined): string {
  const watch = watching === undefined ? "" : `\nTo follow it: ${watching}\n`;
  return `${watch}\n${sentenceLines(AFTERWARDS, "").join("\n")}\n`;
}

const AFTERWARDS =
  "Your program does not know about this. `npx pulumi-agent-platform drift` shows the other revision as `rollout.revisionId` of the Deployment, with " +
  "the arguments that differ. After `pulumi refresh`, the next `pulumi up` restores what the program declares, in one more revision. If nothing " +
  "differs, it keeps this one. To go back for good, change the program.";

/** The progress of a wait: a line that changes, for a person at a terminal; a line for each status otherwise. */
function waitProgressOn(stream: NodeJS.WriteStream): { readonly log: Log; readonly end: () => void } {
  const terminal = progressOn(stream);
  let last = "";
  // The command says itself how the wait ended.
  const log: Log = {
    ...SILENT,
    progress: ({ status, of, waitedMs }) => {
      const line = lineText(of === undefined ? status : `${of} is ${status}`);
      if (stream.isTTY) terminal.show(`${showDuration(waitedMs)} (Ctrl-C ends only the wait): ${line}`);
      else if (line !== last) stream.write(`${line}\n`);
      last = line;
    },
    info: (message) => stream.write(`${lineText(message)}\n`),
    warn: (message) => stream.write(`warning: ${lineText(message)}\n`),
  };
  return { log, end: terminal.end };
}

/** A stream that may be a terminal. */
type Terminal<Stream> = Stream & { readonly isTTY?: boolean };

/** Asks the user at the terminal; undefined without a terminal. Only y or yes counts as yes; Ctrl-C and Ctrl-D do not. */
export async function saysYes(
  question: string,
  input: Terminal<NodeJS.ReadableStream> = process.stdin,
  output: Terminal<NodeJS.WritableStream> = process.stderr,
): Promise<boolean | undefined> {
  if (input.isTTY !== true || output.isTTY !== true) return undefined;
  const terminal = createInterface({ input, output });
  const answer = await new Promise<string | undefined>((resolve) => {
    terminal.once("close", () => resolve(undefined));
    terminal.question(`${question} [y/N] `, resolve);
  });
  terminal.close();
  if (answer === undefined) output.write("\n");
  return /^y(es)?$/i.test(answer?.trim() ?? "");
}
