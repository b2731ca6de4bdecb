import { connect, createServer, type Socket } from "node:net";

/** A port of this machine that leads to another, farther away. */
export interface SlowLink {
  readonly port: number;
  /** How many bytes went to the target so far. */
  sent(): number;
  /** How often it was asked and had answered: each costs the latency once. */
  roundTrips(): number;
  close(): void;
}

/** Opens a port that leads to `target`; whatever goes there takes `latencyMs`, so each round trip does. */
export function slowLink(target: number, latencyMs: number): Promise<SlowLink> {
  const sockets = new Set<Socket>();
  let [bytes, turns] = [0, 0];
  const server = createServer((near) => {
    const far = connect(target, "127.0.0.1");
    // Timers of one length fire in the order in which they were set.
    let isAsking = false;
    far.on("data", () => (isAsking = false));
    near.on("data", (data: Buffer) => {
      bytes += data.length;
      if (!isAsking) turns += 1;
      isAsking = true;
      setTimeout(() => void far.write(data), latencyMs);
    });
    near.on("end", () => void setTimeout(() => far.end(), latencyMs));
    far.pipe(near);
    for (const [one, other] of [
      [near, far],
      [far, near],
    ] as const) {
      one.setNoDelay(true);
      sockets.add(one);
      one.once("error", () => other.destroy());
      one.once("close", () => sockets.delete(one));
    }
  });
  return new Promise((resolve, reject) => {
    server.once("error", reject);
    server.listen(0, "127.0.0.1", () => {
      const address = server.address();
      if (address === null || typeof address === "string") {
        reject(new Error("no port is free"));
        return;
      }
      const close = (): void => {
        server.close();
        for (const socket of sockets) socket.destroy();
      };
      resolve({ port: address.port, sent: () => bytes, roundTrips: () => turns, close });
    });
  });
}
