import { whenStopped } from "../base/cli-error";
import { lineText, paragraphText } from "../base/printable";
import { styleFor } from "../base/style";
import { failureOf, joinHint, type Situation } from "./failure";
import { jsonPrinter, peoplePrinter, type Printer } from "./printer";
import { NEW_THREAD, readInput, requestOf, type RunFlags, type RunCommand } from "./request";
import { showEvents } from "./viewer";
import { AgentClient, loadTransport } from "../../provider/streaming/client";
import { StreamError } from "../../provider/streaming/errors";
import type { RunStream } from "../../provider/streaming/run-stream";

/** The width of a line in a file or a pipe. */
const LINE_WIDTH = 160;

/** Starts or joins the run that the flags describe, and prints it. Returns the exit code. */
export async function showRun(flags: RunFlags, host: NodeJS.Process): Promise<number> {
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
