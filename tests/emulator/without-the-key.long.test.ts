import { Agent, request } from "node:http";
import { connect, type Socket } from "node:net";
import { setFlagsFromString } from "node:v8";
import { runInNewContext } from "node:vm";
import { z } from "zod";
import { startEmulator, type Emulator, type EmulatorOptions } from "../../emulator";

// Other users of the machine reach the emulator's port without its key: what they send is answered, and costs little.

setFlagsFromString("--expose-gc");
const collect = z.function({ input: [], output: z.void() }).parse(runInNewContext("gc"));
/** What the process holds, in MB. */
const held = async (): Promise<number> => {
  // What a WeakMap or a socket has let go goes with the second collection.
  for (let time = 0; time < 2; time += 1) {
    collect();
    await new Promise(setImmediate);
  }
  const { heapUsed, external } = process.memoryUsage();
  return (heapUsed + external) / 2 ** 20;
};

interface Sent {
  readonly method?: string;
  readonly path?: string;
  readonly headers?: Readonly<Record<string, string>>;
  readonly body?: string;
}

async function on(options: EmulatorOptions, what: (emulator: Emulator) => Promise<void>): Promise<void> {
  const emulator = await startEmulator(options);
  await what(emulator).finally(() => emulator.close());
}

/** Sends as many, a few at a time; gives the statuses. */
async function sendMany({ url }: Emulator, count: number, one: (at: number) => Sent): Promise<ReadonlySet<number>> {
  const agent = new Agent({ keepAlive: true, maxSockets: 8 });
  const statuses = new Set<number>();
  const sendOne = ({ method = "GET", path = "/v2/deployments", headers = {}, body }: Sent): Promise<void> =>
    new Promise((resolve, reject) => {
      const sent = request(url + path, { method, headers, agent }, (answer) => {
        statuses.add(answer.statusCode ?? 0);
        answer.resume().on("end", resolve);
      });
      sent.on("error", reject).end(body);
    });
  let next = 0;
  const sender = async (): Promise<void> => {
    while (next < count) await sendOne(one(next++));
  };
  await Promise.all(Array.from({ length: 8 }, sender));
  agent.destroy();
  return statuses;
}

const long = "x".repeat(7000);
const names = (at: number): string =>
  Array.from({ length: 2000 }, (_, name) => `${(at * 2000 + name).toString(36)}=`).join("&");

/** The figures are MB: what they kept once, and at most may keep now. */
test.each<[what: string, once: number, most: number, count: number, one: (at: number) => Sent]>([
  ["bodies of many empty objects", 128, 10, 100, () => ({ method: "POST", body: `[${"{},".repeat(21_000)}{}]` })],
  ["bodies of text", 22, 5, 400, (at) => ({ method: "POST", body: `{"name":"${at}${long.repeat(8)}"}` })],
  ["long paths", 44, 5, 3000, (at) => ({ path: `/v2/${at}${long}` })],
  ["wrong keys", 44, 5, 3000, (at) => ({ headers: { "x-api-key": `${at}${long}` } })],
  ["queries of many names", 90, 45, 600, (at) => ({ path: `/v2/deployments?${names(at)}` })],
])("%s are not kept (%i MB once, and at most %i now)", async (_what, _once, most, count, one) => {
  await on({ console: true, limits: true }, async (emulator) => {
    await sendMany(emulator, 20, one);
    const begin = await held();
    await sendMany(emulator, count, one);
    expect((await held()) - begin).toBeLessThan(most);
    expect(emulator.requests.length).toBeGreaterThan(20);
  });
});

test("of a body without the right key the log has the length alone, and nobody reads it", async () => {
  await on({ faults: [{ kind: "status", status: 500, echo: true, nth: 2 }] }, async (emulator) => {
    const ask = async (key: string): Promise<string> => {
      const headers = { "x-api-key": key, "content-type": "application/json" };
      const answer = await fetch(`${emulator.url}/v2/deployments`, { method: "POST", headers, body: '{"name":"ä"}' });
      return `${answer.status} ${await answer.text()}`;
    };
    expect(await ask("wrong")).toMatch(/^401 /);
    expect(await ask("wrong")).toBe('500 {"detail":"Fault of the emulator: status 500; the request was: "}');
    expect(await ask(emulator.apiKey)).toMatch(/^422 /);
    const [first, , last] = emulator.requests.map(({ requestBody }) => requestBody);
    expect([first, last]).toEqual(["<12 characters>", { name: "ä" }]);
  });
});

/** Begins bodies of 12 MB, and sends 11.5 of them. */
function beginBodies({ port }: Emulator, count: number, headers: string): Socket[] {
  const head = `POST /v2/deployments HTTP/1.1\r\nhost: 127.0.0.1\r\ncontent-length: 12000000\r\n${headers}\r\n`;
  return Array.from({ length: count }, () => {
    const socket = connect(port, "127.0.0.1").on("error", () => undefined);
    socket.write(head);
    socket.write(Buffer.alloc(11_500_000, " "));
    return socket;
  });
}
const statusOf = (socket: Socket): Promise<string> =>
  new Promise((resolve) => socket.once("data", (data: Buffer) => resolve(data.toString().slice(9, 12))));
const endOf = (sockets: readonly Socket[]): void => sockets.forEach((socket) => socket.destroy());

test("bodies that have not ended hold nothing without the key", async () => {
  await on({}, async (emulator) => {
    const begin = await held();
    const sockets = beginBodies(emulator, 12, "");
    await Promise.all(sockets.map((socket) => new Promise<void>((resolve) => socket.write("", () => resolve()))));
    // They held 138 MB.
    expect((await held()) - begin).toBeLessThan(20);
    const statuses = sockets.map(statusOf);
    for (const socket of sockets) socket.write(Buffer.alloc(500_000, " "));
    expect(await Promise.all(statuses)).toEqual(sockets.map(() => "401"));
    endOf(sockets);
  });
});

test("all that have not ended may hold 64 MiB together: one too many is refused, and the others go on", async () => {
  await on({}, async (emulator) => {
    const sockets = beginBodies(emulator, 6, `x-api-key: ${emulator.apiKey}\r\n`);
    const statuses = sockets.map(async (socket) => [await statusOf(socket), socket] as const);
    const [first, refused] = await Promise.race(statuses);
    expect(first).toBe("503");
    const [other = refused] = sockets.filter((socket) => socket !== refused);
    other.write(Buffer.alloc(500_000, " "));
    expect(await statusOf(other)).toBe("422");
    endOf(sockets);
  });
});

test("connections that ask for nothing, or have not asked yet, make room: their owner is answered", async () => {
  await on({}, async ({ port }) => {
    const open = (): Promise<Socket> =>
      new Promise((resolve) => {
        const socket = connect(port, "127.0.0.1").on("error", () => undefined);
        socket.once("connect", () => resolve(socket.resume()));
      });
    const sockets: Socket[] = [];
    // No more at once than the system lets wait.
    while (sockets.length < 4224) sockets.push(...(await Promise.all(Array.from({ length: 128 }, open))));
    for (const socket of sockets.slice(-64)) socket.write("GET / HTTP/1.1\r\nhost: ");
    const owner = await open();
    owner.write("GET / HTTP/1.1\r\nhost: 127.0.0.1\r\n\r\n");
    expect(await statusOf(owner)).toBe("501");
    endOf([...sockets, owner]);
  });
});
