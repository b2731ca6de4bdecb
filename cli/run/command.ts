import { type Command, InvalidArgumentError } from "commander";
import { declareSetting, declareStack } from "../base/connection";
import { declareDeployment } from "../base/deployment";
import { declareFormat, notEmpty, numberLike, withHelp } from "../base/options";
import { runFlags } from "./request";
import { showRun } from "./show-run";
import { STREAM_MODES, type StreamMode } from "../../provider/streaming/events";

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
