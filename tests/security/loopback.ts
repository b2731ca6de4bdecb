import { createServer as createHttpServer, type IncomingMessage, type RequestListener, type Server } from "node:http";
import { createServer as createHttpsServer } from "node:https";
import type { Socket } from "node:net";
import { z } from "zod";

/** A real server on a free port of the loopback interface, and the requests that reached it. */
export interface LoopbackServer {
  readonly port: number;
  /** "127.0.0.1:<port>" */
  readonly host: string;
  readonly server: Server;
  /** One entry a request: "GET /path", and its headers. */
  readonly seen: { readonly line: string; readonly headers: IncomingMessage["headers"] }[];
}

const running: Server[] = [];
const sockets = new Set<Socket>();
const Address = z.object({ port: z.number() });

/** Starts a server with this answer; with a certificate it speaks HTTPS. {@link closeAll} ends it. */
export async function listen(
  answer: RequestListener,
  certificate?: { readonly key: string; readonly cert: string },
): Promise<LoopbackServer> {
  const seen: LoopbackServer["seen"] = [];
  const listener: RequestListener = (request, response) => {
    seen.push({ line: `${request.method ?? ""} ${request.url ?? ""}`, headers: request.headers });
    request.resume().once("end", () => answer(request, response));
  };
  const server = certificate ? createHttpsServer(certificate, listener) : createHttpServer(listener);
  running.push(server);
  // By hand, since Node forgets the sockets of a CONNECT, and the server would wait for them.
  server.on("connection", (socket: Socket) => void sockets.add(socket.once("close", () => sockets.delete(socket))));
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  const { port } = Address.parse(server.address());
  return { port, host: `127.0.0.1:${port}`, server, seen };
}

/** Ends all servers and their connections. */
export async function closeAll(): Promise<void> {
  const closed = running.splice(0).map((server) => new Promise((resolve) => server.close(resolve)));
  for (const socket of sockets) socket.destroy();
  await Promise.all(closed);
}
