import { once } from "node:events";
import { createServer, type Server } from "node:http";
import type { Socket } from "node:net";
import { getRequestListener } from "@hono/node-server";
import { EmulatorError } from "../base/emulator-error";
import { handleRequest, type HandlerContext } from "./request-handler";

/** The grace period for requests under way. */
const GRACE_MS = 2000;

/** The most connections: each takes up to 16 KB for headers, and every user of the machine can open some. */
const MOST_CONNECTIONS = 4096;
/** Above this number, the oldest connection without a request is closed. */
const CROWDED = MOST_CONNECTIONS - 64;

export class HttpServer {
  private readonly server: Server;
  /** Connections without a request so far. A client may open one in advance, and Node does not count it as idle. */
  private readonly unused = new Set<Socket>();
  private open = 0;

  constructor(context: HandlerContext) {
    this.server = createServer((incoming, outgoing) => {
      const listener = getRequestListener((request) => handleRequest(context, request, { incoming, outgoing }), {
        // The emulator runs inside tests: it leaves their global Request and Response alone.
        overrideGlobalObjects: false,
      });
      void listener(incoming, outgoing);
    });
    // A connection that cannot be taken, for want of file descriptors, must not end the emulator.
    this.server.on("error", () => undefined);
    this.server.maxConnections = MOST_CONNECTIONS;
    // Longer than any client keeps an idle connection: a request must not meet a socket that is being closed.
    this.server.keepAliveTimeout = 120_000;
    this.server.on("connection", (socket) => {
      this.unused.add(socket);
      const [oldest] = this.unused;
      if (++this.open > CROWDED) oldest?.destroy();
      socket.once("close", () => {
        this.open -= 1;
        this.unused.delete(socket);
      });
    });
    this.server.on("request", ({ socket }) => this.unused.delete(socket));
  }

  /** Resolves with the port of 127.0.0.1 that it listens on; rejects with EmulatorError when the port is taken. */
  async listen(port: number): Promise<number> {
    const { server } = this;
    await once(server.listen(port, "127.0.0.1"), "listening").catch((error: unknown) => {
      // By shape: an error may come from another realm.
      const isTaken = typeof error === "object" && error !== null && "code" in error && error.code === "EADDRINUSE";
      if (!isTaken) throw error;
      const advice = "Stop what listens there, or choose another port (0: any free one).";
      throw new EmulatorError(`Port ${port} of 127.0.0.1 is taken. ${advice}`, { cause: error });
    });
    const address = server.address();
    if (typeof address !== "object" || address === null) throw new Error("The emulator listens on no port.");
    return address.port;
  }

  /** Resolves once it is closed; connections that outlast the grace period are cut. */
  stop(): Promise<void> {
    return new Promise((resolve) => {
      const cut = setTimeout(() => this.server.closeAllConnections(), GRACE_MS);
      this.server.close(() => {
        clearTimeout(cut);
        resolve();
      });
      for (const socket of this.unused) socket.destroy();
    });
  }
}
