import { once } from "node:events";
import { lineText } from "../base/printable";
import type { Printer } from "./printer";
import type { RunIdentity } from "../../provider/streaming/errors";
import type { StreamMode } from "../../provider/streaming/events";
import type { RunStream } from "../../provider/streaming/run-stream";

/** Prints one run while it goes on, and counts its events. */
export class Viewer {
  private readonly begin = performance.now();
  private events = 0;
  private shown = 0;
  private firstAfter = 0;
  private isNamed = false;

  /**
   * @param modes The modes to show, if not all: a run that is joined streams all modes that it was started with.
   * @param output For the events alone.
   * @param report Takes every other message, a line at a time.
   */
  constructor(
    private readonly printer: Printer,
    private readonly modes: readonly StreamMode[],
    private readonly output: NodeJS.WritableStream,
    private readonly report: (line: string) => void,
  ) {}

  /** Prints events until the run ends, and returns their number. Throws what the stream throws; after an event the summary is reported in any case. */
  async show(stream: RunStream): Promise<number> {
    try {
      for await (const event of stream) {
        const seconds = this.seconds();
        if (this.events === 0) this.firstAfter = seconds;
        this.events += 1;
        this.name(stream.run);
        if (this.modes.length > 0 && !this.modes.some((mode) => mode === event.mode)) continue;
        this.shown += 1;
        await this.print(this.printer.event(event, seconds));
      }
      return this.events;
    } finally {
      this.endLine();
      this.name(stream.run);
      if (this.events > 0) this.report(this.summary());
    }
  }

  /** Ends an unfinished line, so that the shell's prompt does not appear in it. */
  endLine(): void {
    this.output.write(this.printer.end());
  }

  /** A slow reader slows the run down, and its events do not pile up here. */
  private async print(text: string): Promise<void> {
    if (!this.output.write(text)) await once(this.output, "drain");
  }

  private name(run: RunIdentity | undefined): void {
    if (this.isNamed || run === undefined) return;
    this.isNamed = true;
    const attempt = run.attempt === undefined ? "" : `, attempt ${run.attempt}`;
    this.report(`run ${lineText(run.runId)}${attempt}`);
  }

  private summary(): string {
    const total = `${this.seconds().toFixed(2)}s`;
    const count = `${this.events} event${this.events === 1 ? "" : "s"}`;
    const hidden = this.shown === this.events ? "" : ` (${this.shown} shown)`;
    return `${count}${hidden} in ${total}, the first after ${this.firstAfter.toFixed(2)}s`;
  }

  private seconds(): number {
    return (performance.now() - this.begin) / 1000;
  }
}
