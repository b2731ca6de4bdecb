import { type Command, InvalidArgumentError } from "commander";
import { whenStopped } from "../base/cli-error";
import { declareSetting, declareStack } from "../base/connection";
import { declareDeployment } from "../base/deployment";
import { declareFormat, notEmpty, numberLike, withHelp } from "../base/options";
import { lineText, paragraphText } from "../base/printable";
import { styleFor } from "../base/style";
import { failureOf, joinHint, type Situation } from "./failure";
import { jsonPrinter, peoplePrinter, type Printer } from "./printer";
import { NEW_THREAD, readInput, requestOf, type RunCommand, type RunFlags, runFlags } from "./request";
import { showEvents } from "./viewer";
import { AgentClient, loadTransport } from "../../provider/streaming/client";
import { StreamError } from "../../provider/streaming/errors";
import { STREAM_MODES, type StreamMode } from "../../provider/streaming/events";
import type { RunStream } from "../../provider/streaming/run-stream";

/** Declares the options of `pulumi-agent-platform run` and what it does. */
export function defineCommand(command: Command): void {
  declareDeployment(command, "else --url")
    .option("--url <url>", "the agent's address (else AGENT_PLATFORM_AGENT_URL)", notEmpty("an address"))
    .option("--assistant <name>", "the graph to run, an assistant's name in the stack, or its id")
    .option("--input <json>", "the graph's input: JSON, @file, or - for standard input (default: none)")
    .option("--mode <modes>", "what to stream; separate several with commas (default: messages-tuple)", oneMoreMode)
    .option("--subgraphs", "also show the output of subgraphs")
    .option("--thread <id>", "run on this thread, which keeps the output; `new` creates one")
    .option("--join <run>", "show the rest of a run of --thread that is still running");
  declareFormat(command, "format of the events");
  command.option("--idle-timeout <seconds>", "give up after this much silence (default: 300)", seconds);
  declareStack(command);
  declareSetting(command, "allowInsecure");
  withHelp(
    command,
    '\nExample: pulumi-agent-platform run support-agent --assistant agent --input \'{ "topic": "opening hours" }\'' +
      "\n\nExit codes: 0 the run ended, 1 it failed, was refused or cut off, 130 stopped with Ctrl-C." +
      `\n\nModes: ${STREAM_MODES.join(", ")}.\nTokens (messages-tuple) are printed as text, any other event as a line with as much of its data as fits.` +
      "\nWhat the agent says is printed, including secrets that it repeats." +
      "\nThe run id, the thread and a summary go to standard error." +
      "\n\nA deployment of the stack is asked with the key of its connection; an agent at --url with AGENT_PLATFORM_API_KEY, or none." +
      "\nIf the environment names a platform (AGENT_PLATFORM_BASE_URL) or an agent, its key goes only to their addresses." +
      "\n\n--join shows what the run streams from now on, in all its modes or those of --mode." +
      "\n--format json: a line for each event, { time: seconds since the start, mode, namespace, data }; an unknown event has" +
      '\n  mode "other", and its name as event.',
  ).action(async (deployment: string | undefined) => {
    process.exitCode = await showRun(runFlags.parse({ ...command.opts(), deployment }), process);
  });
}

function oneMoreMode(text: string, earlier: readonly StreamMode[] = []): readonly StreamMode[] {
  const modes = text.split(",").map((name) => {
    const mode = STREAM_MODES.find((each) => each === name.trim());
    if (mode !== undefined) return mode;
    throw new InvalidArgumentError(`Modes are ${STREAM_MODES.join(", ")}.`);
  });
  return [...earlier, ...modes];
}

/** The client checks the range. */
const seconds = numberLike(/^\d+(\.\d+)?$/, "A number of seconds is above 0, such as 60.");

/** The width of a line in a file or a pipe. */
const LINE_WIDTH = 160;

/** Starts or joins the run that the flags describe, and prints it. Returns the exit code. */
async function showRun(flags: RunFlags, host: NodeJS.Process): Promise<number> {
  const { env, stdin, stdout, stderr } = host;
  const { faint, wrong } = styleFor(stderr.isTTY, env);
  const report = (line: string): void => void stderr.write(`${faint(lineText(line))}\n`);
  let request: RunCommand | undefined;
  let thread: string | undefined;
  let stream: RunStream | undefined;
  let printer: Printer | undefined;
  const situation = (): Situation => ({
    isFound: request !== undefined,
    isByUrl: flags.deployment === undefined,
    hasKey: request?.client.apiKey !== undefined,
    joined: request?.join !== undefined,
    thread,
    runId: stream?.run?.runId ?? request?.join,
  });
  // When the process ends, the connection closes, whatever it waits for.
  whenStopped(host, () => {
    // The shell's prompt does not appear in an unfinished line.
    if (printer !== undefined) stdout.write(printer.end());
    const hint = joinHint(situation());
    const rest = hint === undefined ? "" : `; see it with ${hint}`;
    report(printer === undefined ? "stopped; no run was started" : `stopped; the run may still be going${rest}`);
  });
  try {
    request = await requestOf(flags, env);
    const { join, assistant = "", mode, subgraphs } = request;
    const input = request.input === undefined ? undefined : await readInput(request.input, stdin);
    const client = new AgentClient(request.client);
    if (request.thread === NEW_THREAD) {
      thread = (await client.threads.create()).threadId;
      report(`thread ${lineText(thread)}`);
    } else thread = request.thread;
    const asked = { assistantId: assistant, input, streamMode: mode, ...(subgraphs ? { streamSubgraphs: true } : {}) };
    if (thread === undefined) stream = client.runs.stream(asked);
    else stream = join === undefined ? client.threads.stream(thread, asked) : client.runs.join(thread, join);
    // Loaded before the run starts, so that the tenth of a second it takes does not count as the agent's.
    await loadTransport();
    const style = styleFor(stdout.isTTY, env);
    const people = { style, lineWidth: () => stdout.columns || LINE_WIDTH };
    printer = request.format === "json" ? jsonPrinter : peoplePrinter(people);
    if ((await showEvents(stream, printer, join === undefined ? [] : mode, stdout, report)) > 0) return 0;
    if (join === undefined && stream.run === undefined) {
      throw new StreamError(
        undefined,
        "was empty: it named no run and showed nothing. Is the url the agent's address?",
      );
    }
    report(join === undefined ? "no events" : "no events; a run that has ended streams nothing");
    return 0;
  } catch (error) {
    const { code, message, advice } = failureOf(error, situation());
    stderr.write(`${wrong("error:")} ${paragraphText(message)}\n`);
    if (advice !== undefined) report(advice);
    return code;
  }
}
