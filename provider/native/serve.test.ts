import { spawn, type ChildProcessWithoutNullStreams } from "node:child_process";
import { once } from "node:events";
import { rmSync, writeFileSync } from "node:fs";
import { createServer, type Server } from "node:net";
import { join } from "node:path";
import { compiledSources } from "../../tests/support/compiled-sources";
import { grpcOfSdk } from "../engine/sdk";
import { protocol } from "./service";

let folder: string;
let engine: Server;
let plugin: ChildProcessWithoutNullStreams;
let port: number;
beforeAll(() => {
  folder = compiledSources();
  writeFileSync(join(folder, "server.js"), 'require("./provider/plugin.js").main();');
});
afterAll(() => rmSync(folder, { recursive: true }));

beforeEach(async () => {
  engine = createServer((socket) => socket.destroy()).listen(0, "127.0.0.1");
  await once(engine, "listening");
  plugin = spawn(process.execPath, [join(folder, "server.js"), `127.0.0.1:${portOf(engine)}`]);
  port = Number(await new Promise((resolve) => plugin.stdout.once("data", resolve)));
});
afterEach(() => {
  plugin.kill("SIGKILL");
  engine.close();
});

function portOf(server: Server): number {
  const address = server.address();
  if (address === null || typeof address === "string") throw new Error("it does not listen");
  return address.port;
}

test("a plugin that an engine has started follows no other one: an Attach to one that is gone does not end it", async () => {
  const { PluginAttach, ResourceProviderClient } = protocol();
  const client = new ResourceProviderClient(`127.0.0.1:${port}`, grpcOfSdk().credentials.createInsecure());
  await new Promise<void>((resolve, reject) => {
    const request = new PluginAttach().setAddress("127.0.0.1:1");
    client.attach(request, (error) => (error === null ? resolve() : reject(new Error(error.message))));
  });
  client.close();
  // It looks every second whether its engine is there.
  const looked = once(engine, "connection").then(() => "looks at its engine");
  await expect(Promise.race([looked, once(plugin, "exit")])).resolves.toBe("looks at its engine");
});

/** What another user learns who connects. Only root can start a process of another user. */
const asNobody = process.platform === "linux" && process.getuid?.() === 0 ? test : test.skip;
asNobody("another user's connection is closed before anything of it is read", async () => {
  // A server of HTTP/2 begins with its settings.
  const program = `
    const socket = require("node:net").connect(${port}, "127.0.0.1");
    socket.on("data", () => process.exit(1)).on("error", () => undefined).on("close", () => process.exit(0));
    socket.write("PRI * HTTP/2.0\\r\\n\\r\\nSM\\r\\n\\r\\n" + "\\0\\0\\0\\4\\0\\0\\0\\0\\0");`;
  const codeOf = (options: { uid?: number }): Promise<unknown> =>
    new Promise((resolve) => spawn(process.execPath, ["-e", program], { cwd: "/", ...options }).once("exit", resolve));
  await expect(codeOf({ uid: 65534 })).resolves.toBe(0);
  await expect(codeOf({})).resolves.toBe(1);
});
