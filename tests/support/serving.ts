import { once } from "node:events";
import { createServer, type IncomingMessage, type RequestListener, type Server, type ServerResponse } from "node:http";
import { text } from "node:stream/consumers";
import { z } from "zod";

const servers: Server[] = [];
afterAll(() =>
  Promise.all(
    servers.splice(0).map((server) => {
      server.closeAllConnections();
      return new Promise((resolve) => server.close(resolve));
    }),
  ),
);

/** The address of a server of the suite's own, which ends with the suite. */
export async function serving(listener: RequestListener): Promise<string> {
  const server = createServer(listener).listen(0, "127.0.0.1");
  servers.push(server);
  await once(server, "listening");
  return `http://127.0.0.1:${z.object({ port: z.number() }).parse(server.address()).port}`;
}

/** The same for one that reads each request to its end before it answers. */
export const servingRead = (
  answer: (response: ServerResponse, request: IncomingMessage, body: string) => unknown,
): Promise<string> =>
  serving(
    (request, response) =>
      void text(request).then(
        (body) => answer(response, request, body),
        () => undefined,
      ),
  );
