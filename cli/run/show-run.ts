import { whenStopped } from "../base/cli-error";
import { lineText, paragraphText } from "../base/printable";
import { styleFor } from "../base/style";
import { failureOf, joinHint, type Situation } from "./failure";
import { jsonPrinter, peoplePrinter } from "./printer";
import { NEW_THREAD, readInput, requestOf, type RunFlags, type RunCommand } from "./request";
import { Viewer } from "./viewer";
import type { Json } from "../../provider/base/json";
import { AgentClient, loadTransport } from "../../provider/streaming/client";
import { StreamError } from "../../provider/streaming/errors";
import type { RunStream } from "../../provider/streaming/run-stream";

/** The width of a line in a file or a pipe. */
const LINE_WIDTH = 160;

/** Starts or joins the run that the flags describe, and prints it. Returns the exit code. */
export async function showRun(flags: RunFlags, host: NodeJS.Process): Promise<number> {
  const show = new RunShow(host, flags.deployment === undefined);
  // Without standard error there is nowhere to report to.
  host.stderr.on("error", () => undefined);
  whenStopped(host, () => show.interrupt());
  try {
    await show.run(await requestOf(flags, host.env));
    return 0;
  } catch (error) {
    return show.fail(error);
  }
}

/** One run of the command, and how it ends. When the process ends, the connection closes, whatever it waits for. */
class RunShow {
  private request: RunCommand | undefined;
  private thread: string | undefined;
  private stream: RunStream | undefined;
  private viewer: Viewer | undefined;

  constructor(
    private readonly host: NodeJS.Process,
    private readonly isByUrl: boolean,
  ) {}

  async run(request: RunCommand): Promise<void> {
    this.request = request;
    const { join, thread, mode } = request;
    const input = request.input === undefined ? undefined : await readInput(request.input, this.host.stdin);
    const client = new AgentClient(request.client);
    this.thread = thread === NEW_THREAD ? await this.newThread(client) : thread;
    this.stream = this.streamOf(client, request, input);
    // Loaded before the run starts, so that the tenth of a second it takes does not count as the agent's.
    await loadTransport();
    const shown = join === undefined ? [] : mode;
    this.viewer = new Viewer(this.printer(request), shown, this.host.stdout, (line) => this.report(line));
    if ((await this.viewer.show(this.stream)) > 0) return;
    if (join === undefined && this.stream.run === undefined) {
      throw new StreamError(
        undefined,
        "was empty: it named no run and showed nothing. Is the url the agent's address?",
      );
    }
    this.report(join === undefined ? "no events" : "no events; a run that has ended streams nothing");
  }

  fail(error: unknown): number {
    const { code, message, advice } = failureOf(error, this.situation());
    const { wrong } = styleFor(this.host.stderr.isTTY, this.host.env);
    this.host.stderr.write(`${wrong("error:")} ${paragraphText(message)}\n`);
    if (advice !== undefined) this.report(advice);
    return code;
  }

  interrupt(): void {
    this.viewer?.endLine();
    const hint = joinHint(this.situation());
    const rest = hint === undefined ? "" : `; see it with ${hint}`;
    this.report(
      this.viewer === undefined ? "stopped; no run was started" : `stopped; the run may still be going${rest}`,
    );
  }

  private async newThread(client: AgentClient): Promise<string> {
    const { threadId } = await client.threads.create();
    this.report(`thread ${lineText(threadId)}`);
    return threadId;
  }

  private streamOf(
    client: AgentClient,
    { join, assistant = "", mode: streamMode, subgraphs }: RunCommand,
    input: Json | undefined,
  ): RunStream {
    if (join !== undefined && this.thread !== undefined) return client.runs.join(this.thread, join);
    const asked = { assistantId: assistant, input, streamMode, ...(subgraphs ? { streamSubgraphs: true } : {}) };
    return this.thread === undefined ? client.runs.stream(asked) : client.threads.stream(this.thread, asked);
  }

  private printer({ format }: RunCommand) {
    const { stdout, env } = this.host;
    const style = styleFor(stdout.isTTY, env);
    return format === "json" ? jsonPrinter : peoplePrinter({ style, lineWidth: () => stdout.columns || LINE_WIDTH });
  }

  private situation(): Situation {
    const { join } = this.request ?? {};
    return {
      isFound: this.request !== undefined,
      isByUrl: this.isByUrl,
      hasKey: this.request?.client.apiKey !== undefined,
      joined: join !== undefined,
      thread: this.thread,
      runId: this.stream?.run?.runId ?? join,
    };
  }

  private report(line: string): void {
    const { faint } = styleFor(this.host.stderr.isTTY, this.host.env);
    this.host.stderr.write(`${faint(lineText(line))}\n`);
  }
}
