import { randomBytes, randomInt } from "node:crypto";
import { createServer } from "node:net";

// What a server of this machine needs: a port that nobody has, and a credential that nobody has to know.

// Below the ports that a system gives to connections and to servers that ask for any: Linux from 32768, macOS from 49152.
const [LOWEST, HIGHEST] = [20_000, 32_000];

/** A port of 127.0.0.1 on which nothing listens now. No connection gets it by chance while its server is stopped. */
export async function freePort(): Promise<number> {
  for (let tries = 0; tries < 100; tries++) {
    const port = randomInt(LOWEST, HIGHEST);
    if (await isFree(port)) return port;
  }
  throw new Error("no port is free");
}

function isFree(port: number): Promise<boolean> {
  const server = createServer();
  return new Promise((resolve) => {
    server.once("error", () => resolve(false));
    server.listen(port, "127.0.0.1", () => server.close(() => resolve(true)));
  });
}

/** A random secret that fits into a header, a URL and a shell. It begins with a letter: one that begins with a dash looks like an option. */
export const randomSecret = (): string => `k${randomBytes(24).toString("base64url")}`;
