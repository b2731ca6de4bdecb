import { createHash } from "node:crypto";
import { once } from "node:events";
import { statSync } from "node:fs";
import { createServer, type Server } from "node:net";
import { errorCode } from "../../provider/base/errors";

/** A name that no file has: Linux, from Node 20.8 on. */
const HAS_NAMES =
  process.platform === "linux" && process.versions.node.localeCompare("20.8", undefined, { numeric: true }) >= 0;

/** The folder itself, whatever the way to it: links and other mounts included. */
export function folderId(folder: string): string {
  const { dev, ino } = statSync(folder, { bigint: true });
  return `${dev}:${ino}`;
}

/**
 * Takes what has this name in a folder for this process; undefined if another one has it. The system gives it to one process at a time, and takes it back
 * when that ends. Where it has no such names: a port.
 */
export async function lockOf(folder: string, name: string): Promise<Server | undefined> {
  const sum = createHash("sha256")
    .update(`${folderId(folder)} ${name}`)
    .digest();
  const path = `\0agent-platform ${sum.toString("hex")}`;
  const server = createServer((socket) => socket.destroy());
  const port = { host: "127.0.0.1", port: 20_000 + (sum.readUInt16BE() % 20_000) };
  try {
    await once(server.listen(HAS_NAMES ? { path } : port), "listening");
    // It ends with the process.
    return server.unref();
  } catch (error) {
    if (errorCode(error) === "EADDRINUSE") return undefined;
    throw error;
  }
}
