/** One event, with the line ends of the Python server. JSON never holds a line break, so the data is one line. */
export const frame = (event: string, data: unknown): Uint8Array =>
  Buffer.from(`event: ${event}\r\ndata: ${JSON.stringify(data)}\r\n\r\n`);

/** A comment that keeps the connection alive. */
export const heartbeat: Uint8Array = Buffer.from(": heartbeat\r\n\r\n");
