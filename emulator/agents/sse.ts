/** How lines of a stream end. The Python server writes CRLF, the JavaScript one LF. */
export type LineEnds = "crlf" | "lf";

const LINE_ENDS: Readonly<Record<LineEnds, string>> = { crlf: "\r\n", lf: "\n" };

/** One event. JSON never holds a line break, so the data is one line. */
export function frame(event: string, data: unknown, lineEnds: LineEnds): Uint8Array {
  const end = LINE_ENDS[lineEnds];
  return Buffer.from(`event: ${event}${end}data: ${JSON.stringify(data)}${end}${end}`);
}

/** A comment that keeps the connection alive. */
export function heartbeat(lineEnds: LineEnds): Uint8Array {
  const end = LINE_ENDS[lineEnds];
  return Buffer.from(`: heartbeat${end}${end}`);
}
