import { spawn, type ChildProcessWithoutNullStreams } from "node:child_process";
import { once } from "node:events";
import { rmSync, writeFileSync } from "node:fs";
import { createServer, type Server } from "node:net";
import { join } from "node:path";
import { startEmulator } from "../../emulator";
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

test("a plugin that a person has started serves one run after the other, whatever became of the one before", async () => {
  plugin.kill("SIGKILL");
  plugin = spawn(process.execPath, [join(folder, "server.js")]);
  port = Number(await new Promise((resolve) => plugin.stdout.once("data", resolve)));
  const emulator = await startEmulator();
  const { url: baseUrl, apiKey } = emulator;
  const messages = protocol();
  const client = new messages.ResourceProviderClient(`127.0.0.1:${port}`, grpcOfSdk().credentials.createInsecure());
  const done =
    (resolve: (value?: unknown) => void, reject: (error: Error) => void) =>
    (error: Error | null, response?: { getReturn?: () => { toJavaScript(): unknown } | undefined }): void =>
      error ? reject(error) : resolve(response?.getReturn?.()?.toJavaScript());
  const begin = (address: string): Promise<unknown> =>
    new Promise((...ends) =>
      client.attach(new messages.PluginAttach().setAddress(address), (error) => done(...ends)(error)),
    );
  const configure = (stackKey: string): Promise<unknown> => {
    const args = messages.Struct.fromJavaScript({ baseUrl, apiKey, stackKey });
    return new Promise((...ends) =>
      client.configure(new messages.ConfigureRequest().setArgs(args), (error) => done(...ends)(error)),
    );
  };
  const runFor = async (stackKey: string, address: string): Promise<unknown> => {
    await begin(address);
    await configure(stackKey);
    const invoke = new messages.InvokeRequest().setTok("agent-platform:index:listDeployments");
    const listed = await new Promise((...ends) => client.invoke(invoke, done(...ends)));
    await new Promise((...ends) => client.cancel(new messages.Empty(), (error) => done(...ends)(error)));
    return listed;
  };
  const other = createServer((socket) => socket.destroy()).listen(0, "127.0.0.1");
  await once(other, "listening");
  try {
    const [first, second] = [engine, other].map((each) => `127.0.0.1:${portOf(each)}`);
    const none = { items: [] };
    await expect(runFor("a", first ?? "")).resolves.toEqual(none);
    await expect(runFor("a", first ?? "")).resolves.toEqual(none);
    await expect(runFor("b", second ?? "")).resolves.toEqual(none);
    // In one run, another provider still needs a process of its own.
    await begin(second ?? "");
    await configure("b");
    await begin(second ?? "");
    await expect(configure("c")).rejects.toThrow("configured already, with other settings");
  } finally {
    client.close();
    other.close();
    await emulator.close();
  }
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
