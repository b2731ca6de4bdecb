import { once } from "node:events";
import { lineText } from "../base/printable";
import type { Printer } from "./printer";
import type { RunIdentity } from "../../provider/streaming/errors";
import { hasTag, isFromNode, type RunEvent, type StreamMode } from "../../provider/streaming/events";
import type { RunStream } from "../../provider/streaming/run-stream";

/** The streams of a process: `output` is for the events alone; every other message goes to `report`, a line at a time. */
export interface Outlets {
  readonly output: NodeJS.WritableStream;
  readonly report: (line: string) => void;
}

/** Prints one run while it goes on, and counts its events. */
export class Viewer {
  private readonly begin = performance.now();
  private events = 0;
  private shown = 0;
  private firstAfter = 0;
  private isNamed = false;

  constructor(
    private readonly printer: Printer,
    private readonly filters: Filters,
    private readonly outlets: Outlets,
  ) {}

  /** Prints events until the run ends, and returns their number. Throws what the stream throws; after an event the summary is reported in any case. */
  async show(stream: RunStream): Promise<number> {
    try {
      for await (const event of stream) {
        const seconds = this.seconds();
        if (this.events === 0) this.firstAfter = seconds;
        this.events += 1;
        this.name(stream.run);
        if (!passes(event, this.filters)) continue;
        this.shown += 1;
        await this.print(this.printer.event(event, seconds));
      }
      return this.events;
    } finally {
      this.endLine();
      this.name(stream.run);
      if (this.events > 0) this.outlets.report(this.summary());
    }
  }

  /** Ends an unfinished line, so that the shell's prompt does not appear in it. */
  endLine(): void {
    this.outlets.output.write(this.printer.end());
  }

  /** A slow reader slows the run down, and its events do not pile up here. */
  private async print(text: string): Promise<void> {
    if (!this.outlets.output.write(text)) await once(this.outlets.output, "drain");
  }

  private name(run: RunIdentity | undefined): void {
    if (this.isNamed || run === undefined) return;
    this.isNamed = true;
    const attempt = run.attempt === undefined ? "" : `, attempt ${run.attempt}`;
    this.outlets.report(`run ${lineText(run.runId)}${attempt}`);
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

/** Which events to show. An empty list lets everything through. */
export interface Filters {
  /** Tokens with one of these tags. */
  readonly tags: readonly string[];
  /** Tokens from one of these nodes. */
  readonly nodes: readonly string[];
  /** Events of these modes; for a join, because the run streams all modes that it was started with. */
  readonly modes: readonly StreamMode[];
}

/** Whether to show an event. Only tokens have tags and nodes: every other event passes those filters. */
export function passes(event: RunEvent, { tags, nodes, modes }: Filters): boolean {
  if (modes.length > 0 && !modes.some((mode) => mode === event.mode)) return false;
  if (event.mode !== "messages-tuple") return true;
  return any(tags, (tag) => hasTag(event, tag)) && any(nodes, (node) => isFromNode(event, node));
}

const any = (wanted: readonly string[], matches: (one: string) => boolean): boolean =>
  wanted.length === 0 || wanted.some(matches);
