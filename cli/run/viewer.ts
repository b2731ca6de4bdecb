import { once } from "node:events";
import { lineText } from "../base/printable";
import type { Printer } from "./printer";
import type { StreamMode } from "../../provider/streaming/events";
import type { RunStream } from "../../provider/streaming/run-stream";

/**
 * Prints a run's events while it goes on, and gives their number. Throws what the stream throws; after an event the summary is reported in any case.
 * @param modes The modes to show, if not all: a run that is joined streams all modes that it was started with.
 * @param output For the events alone.
 * @param report Takes every other message, a line at a time.
 */
export async function showEvents(
  stream: RunStream,
  printer: Printer,
  modes: readonly StreamMode[],
  output: NodeJS.WritableStream,
  report: (line: string) => void,
): Promise<number> {
  const begin = performance.now();
  const secondsSoFar = (): number => (performance.now() - begin) / 1000;
  let [events, shown, firstAfter, isNamed] = [0, 0, 0, false];
  const name = (): void => {
    const { run } = stream;
    if (isNamed || run === undefined) return;
    isNamed = true;
    const attempt = run.attempt === undefined ? "" : `, attempt ${run.attempt}`;
    report(`run ${lineText(run.runId)}${attempt}`);
  };
  try {
    for await (const event of stream) {
      const seconds = secondsSoFar();
      if (events === 0) firstAfter = seconds;
      events += 1;
      name();
      if (modes.length > 0 && !modes.some((mode) => mode === event.mode)) continue;
      shown += 1;
      // A slow reader slows the run down, and its events do not pile up here.
      if (!output.write(printer.event(event, seconds))) await once(output, "drain");
    }
    return events;
  } finally {
    output.write(printer.end());
    name();
    const count = `${events} event${events === 1 ? "" : "s"}${shown === events ? "" : ` (${shown} shown)`}`;
    const total = `${secondsSoFar().toFixed(2)}s`;
    if (events > 0) report(`${count} in ${total}, the first after ${firstAfter.toFixed(2)}s`);
  }
}
