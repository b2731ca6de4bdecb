import { createServer, type Server } from "node:http";
import { getRequestListener } from "@hono/node-server";
import { EmulatorError } from "../base/emulator-error";
import { handleRequest, type HandlerContext } from "./request-handler";

/** How long requests under way get to end. */
const GRACE_MS = 2000;

/** An HTTP server that does not listen yet. */
export function createHttpServer(context: HandlerContext): Server {
  const server = createServer((incoming, outgoing) => {
    const listener = getRequestListener((request) => handleRequest(context, request, { incoming, outgoing }), {
      // The emulator runs inside tests: it leaves their global Request and Response alone.
      overrideGlobalObjects: false,
    });
    void listener(incoming, outgoing);
  });
  // Longer than any client keeps an idle connection: a request must not meet a socket that is being closed.
  server.keepAliveTimeout = 120_000;
  return server;
}

/** Resolves with the port of 127.0.0.1 that it listens on; rejects with EmulatorError when the port is taken. */
export function listen(server: Server, port: number): Promise<number> {
  return new Promise((resolve, reject) => {
    server.once("error", (error) => reject(isPortTaken(error) ? portTaken(port, error) : error));
    server.listen(port, "127.0.0.1", () => {
      const address = server.address();
      if (typeof address === "object" && address !== null) resolve(address.port);
      else reject(new Error("The emulator listens on no port."));
    });
  });
}

/** Resolves once the server is closed; connections that outlast the grace period are cut. */
export function stop(server: Server): Promise<void> {
  return new Promise((resolve) => {
    const cut = setTimeout(() => server.closeAllConnections(), GRACE_MS);
    server.close(() => {
      clearTimeout(cut);
      resolve();
    });
    server.closeIdleConnections();
  });
}

function isPortTaken(error: Error): boolean {
  return "code" in error && error.code === "EADDRINUSE";
}

function portTaken(port: number, cause: Error): EmulatorError {
  return new EmulatorError(
    `Port ${port} of 127.0.0.1 is taken. Stop what listens there, or choose another port (0: any free one).`,
    { cause },
  );
}
