import { z } from "zod";

/** One event, with the line ends of the Python server. JSON never holds a line break, so the data is one line. */
export const frame = (event: string, data: unknown): Uint8Array =>
  Buffer.from(`event: ${event}\r\ndata: ${JSON.stringify(data)}\r\n\r\n`);

/** The event with an id behind its data, as the Python server writes it. */
export const withId = (event: Uint8Array, id: string): Uint8Array =>
  Buffer.concat([event.subarray(0, -2), Buffer.from(`id: ${id}\r\n\r\n`)]);

/** A comment that keeps the connection alive. */
export const heartbeat: Uint8Array = Buffer.from(": heartbeat\r\n\r\n");

/** docs/internals/platform.md, Stream modes. */
export const streamMode = z.enum([
  "values",
  "updates",
  "messages-tuple",
  "messages",
  "debug",
  "tasks",
  "checkpoints",
  "custom",
  "events",
]);
export type StreamMode = z.infer<typeof streamMode>;
