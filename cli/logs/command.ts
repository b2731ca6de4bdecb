import { type Command, Option } from "commander";
import { z } from "zod";
import { CONNECTION_HELP, connectionsOf, declareConnection } from "../base/connection";
import { declareDeployment, findDeployment } from "../base/deployment";
import { withHelp, declareFormat, FORMATS, notEmpty, wholeNumber } from "../base/options";
import { jsonLine, lineText } from "../base/printable";
import { type Style, styleFor } from "../base/style";
import { showLogs, type ShownEntry } from "./show-logs";
import { type Clock, realClock } from "../../provider/base/clock";
import { lastStates, plainText } from "../../provider/base/plain-text";
import { openClient } from "../../provider/functions/platform-client";
import { readerOf } from "../../provider/functions/reading";

const options = z.looseObject({
  revision: z.string().optional(),
  build: z.boolean().default(false),
  deploy: z.boolean().default(false),
  lines: z.number(),
  follow: z.boolean().default(false),
  format: z.enum(FORMATS),
});

const USUAL_LINES = 200;

/** Declares the options of `pulumi-agent-platform logs` and what it does. @param clock Of the pauses of --follow and of requests; the machine's by default. */
export function defineCommand(command: Command, clock: Clock = realClock): void {
  declareDeployment(command)
    .option("--revision <id>", "the revision, as `revisions` shows it (default: the latest)", notEmpty("an id"))
    .option("--build", "show only the build log")
    .addOption(new Option("--deploy", "show only the deploy log: its start, and the agent").conflicts("build"))
    .option("--lines <number>", "show at most this many of the last entries", wholeNumber, USUAL_LINES)
    .option("--follow", "keep showing new entries");
  declareFormat(command, "format of the entries");
  declareConnection(command);
  withHelp(
    command,
    "\nExample: pulumi-agent-platform logs support-agent --follow" +
      "\n\nPrints the build log of a revision, then its deploy log. Headings and the revision's id go to standard error." +
      "\nEntries are printed as they were written, including secrets that the agent logged. Needs contract extended." +
      CONNECTION_HELP +
      "\n\n--follow ends with the rollout of the revision (with --build: with its build), or with Ctrl-C if it already serves." +
      "\n--format json: a line for each entry, { log: build | deploy, timestamp, level, message }; null if the platform does not say." +
      "\n\nExit codes: 0 the log was shown, also with Ctrl-C; 1 it cannot be read, or the followed revision failed.",
  ).action(async (deployment: string | undefined) => run(deployment, options.parse(command.opts()), clock));
}

async function run(
  named: string | undefined,
  { revision: id, build, deploy, lines, follow, format, ...given }: z.infer<typeof options>,
  clock: Clock,
): Promise<void> {
  const connections = await connectionsOf(given, process.env);
  const { platform, deployment } = await findDeployment(connections, named, (source) =>
    readerOf(openClient(source, { clock })),
  );
  const revision = await platform.revision(deployment.id, id);
  // The usual end of what is followed; before that, it is an interruption.
  if (follow) process.once("SIGINT", () => process.exit());
  const { stdout, stderr, env } = process;
  const report = (line: string) => void stderr.write(`${styleFor(stderr.isTTY, env).faint(line)}\n`);
  const printer = format === "json" ? jsonEntryPrinter : peopleEntryPrinter(styleFor(stdout.isTTY, env), report);
  const hasFailed = await showLogs({
    platform,
    deployment,
    revision,
    kinds: build ? ["build"] : deploy ? ["deploy"] : ["build", "deploy"],
    lines,
    follow,
    clock,
    report,
    print: (entry) => void stdout.write(printer(entry)),
  });
  if (hasFailed) process.exitCode = 1;
}

/** An entry as the text of standard output. */
type EntryPrinter = (entry: ShownEntry) => string;

/** For people. @param heading Called where another log begins. */
function peopleEntryPrinter({ faint, wrong }: Style, heading: (line: string) => void): EntryPrinter {
  let before: string | undefined;
  return ({ log, timestamp, level, message }) => {
    if (log !== before) heading(`${log} log:`);
    before = log;
    const isBad = level !== null && /^(error|critical|fatal)$/i.test(level);
    const text = [level === null ? "" : lineText(level), plainText(lastStates(message)).trimEnd()]
      .filter((part) => part !== "")
      .join(" ");
    return [timestamp === null ? "" : `${faint(lineText(timestamp))} `, isBad ? wrong(text) : text, "\n"].join("");
  };
}

/** For programs: without loss. */
const jsonEntryPrinter: EntryPrinter = ({ log, timestamp, level, message }) =>
  jsonLine({ log, timestamp, level, message });
