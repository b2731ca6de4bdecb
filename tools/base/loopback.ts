import { randomBytes } from "node:crypto";
import { createServer } from "node:net";

// What a server of this machine needs: a port that nobody has, and a credential that nobody has to know.

/** A port of 127.0.0.1 on which nothing listens now. */
export function freePort(): Promise<number> {
  const server = createServer();
  return new Promise((resolve, reject) => {
    server.once("error", reject);
    server.listen(0, "127.0.0.1", () => {
      const address = server.address();
      server.close(() => {
        if (address === null || typeof address === "string") reject(new Error("no port is free"));
        else resolve(address.port);
      });
    });
  });
}

/** A random secret that fits into a header, a URL and a shell. It begins with a letter: one that begins with a dash looks like an option. */
export const randomSecret = (): string => `k${randomBytes(24).toString("base64url")}`;
