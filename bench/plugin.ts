import { execFile, spawn, type ChildProcess } from "node:child_process";
import { once } from "node:events";
import { join } from "node:path";
import { createInterface } from "node:readline";
import { promisify } from "node:util";
import {
  credentials,
  Server,
  ServerCredentials,
  type Client,
  type sendUnaryData,
  type ServiceError,
} from "@grpc/grpc-js";
import { EngineService } from "@pulumi/pulumi/proto/engine_grpc_pb";
import { ResourceProviderClient } from "@pulumi/pulumi/proto/provider_grpc_pb";
import { ResourceMonitorService } from "@pulumi/pulumi/proto/resource_grpc_pb";
import { SupportsFeatureResponse } from "@pulumi/pulumi/proto/resource_pb";
import { CheckRequest, ConfigureRequest, ConstructRequest, CreateRequest } from "@pulumi/pulumi/proto/provider_pb";
import { Empty } from "google-protobuf/google/protobuf/empty_pb";
import { Struct } from "google-protobuf/google/protobuf/struct_pb";
import { PLUGIN, type Front } from "../tests/support/cli-stack";

/** Lets {@link Plugin.needed} reach into the process. */
const HOOK = `process.on("SIGUSR2", () => {
  globalThis.gc();
  const { heapUsed, external } = process.memoryUsage();
  process.send(heapUsed + external);
});`;

type Properties = Parameters<typeof Struct.fromJavaScript>[0];

/** A plugin process, of dynamic resources or the native one, as the engine starts it; a stand-in for the engine takes its log lines. */
export class Plugin {
  private constructor(
    private readonly child: ChildProcess,
    private readonly engine: Server,
    private readonly client: ResourceProviderClient & Client,
    private readonly monitor: string,
  ) {}

  /** Resolves when it can be called, configured with these settings of the stack. */
  static async start(settings: Readonly<Record<string, string>>, front: Front = "dynamic"): Promise<Plugin> {
    const engine = new Server();
    const take = (_call: unknown, answer: sendUnaryData<Empty>) => answer(null, new Empty());
    engine.addService(EngineService, { log: take, getRootResource: take, setRootResource: take, startDebugging: take });
    // What a component asks before it is made; the rest is not implemented.
    engine.addService(ResourceMonitorService, {
      supportsFeature: (_call: unknown, answer: sendUnaryData<SupportsFeatureResponse>) =>
        answer(null, new SupportsFeatureResponse()),
    });
    const port = await promisify(engine.bindAsync.bind(engine))("127.0.0.1:0", ServerCredentials.createInsecure());
    const script =
      front === "native" ? join(PLUGIN, "server.js") : require.resolve("@pulumi/pulumi/cmd/dynamic-provider");
    const child = spawn(
      process.execPath,
      ["--expose-gc", "--import", `data:text/javascript,${encodeURIComponent(HOOK)}`, script, `127.0.0.1:${port}`],
      {
        stdio: ["ignore", "pipe", "inherit", "ipc"],
      },
    );
    // It prints its port.
    const { stdout } = child;
    if (stdout === null) throw new Error("the plugin has no output");
    const own = await new Promise<string>((resolve) => createInterface(stdout).once("line", resolve));
    const client = new ResourceProviderClient(`127.0.0.1:${own}`, credentials.createInsecure());
    const plugin = new Plugin(child, engine, client, `127.0.0.1:${port}`);
    const request = new ConfigureRequest();
    // A native plugin gets its settings without their namespace.
    const named = Object.entries(settings).map(
      ([name, value]) => [front === "native" ? bare(name) : name, value] as const,
    );
    request.setArgs(Struct.fromJavaScript(Object.fromEntries(named)));
    await new Promise<void>((resolve, reject) => client.configure(request, settle(resolve, reject)));
    return plugin;
  }

  async check(urn: string, news: Properties): Promise<void> {
    const request = new CheckRequest();
    request.setUrn(urn);
    request.setOlds(Struct.fromJavaScript({}));
    request.setNews(Struct.fromJavaScript(news));
    await new Promise<void>((resolve, reject) => this.client.check(request, settle(resolve, reject)));
  }

  async create(urn: string, properties: Properties): Promise<void> {
    const request = new CreateRequest();
    request.setUrn(urn);
    request.setProperties(Struct.fromJavaScript(properties));
    await new Promise<void>((resolve, reject) => this.client.create(request, settle(resolve, reject)));
  }

  /** Asks for a component that is none: everything is loaded before it is refused. */
  async loadComponents(): Promise<void> {
    const request = new ConstructRequest()
      .setType("agent-platform:index:None")
      .setName("n")
      .setInputs(Struct.fromJavaScript({}));
    request.setMonitorendpoint(this.monitor);
    const refused = await new Promise<unknown>((resolve) => this.client.construct(request, resolve));
    if (!String(refused).includes("no component")) throw new Error(`no component was asked for: ${String(refused)}`);
  }

  /** Ends the waits, as Ctrl-C does. */
  async cancel(): Promise<void> {
    await new Promise<void>((resolve, reject) => this.client.cancel(new Empty(), settle(resolve, reject)));
  }

  /** The memory that the process takes from the machine now, in MB. */
  async memory(): Promise<number> {
    const { stdout } = await promisify(execFile)("ps", ["-o", "rss=", "-p", String(this.child.pid)]);
    return (Number(stdout) * 1024) / 1e6;
  }

  /** The size of its heap after a garbage collection, in MB. */
  async needed(): Promise<number> {
    const answer = once(this.child, "message");
    this.child.kill("SIGUSR2");
    return Number((await answer)[0]) / 1e6;
  }

  async stop(): Promise<void> {
    this.client.close();
    this.child.kill("SIGKILL");
    await once(this.child, "exit");
    this.engine.forceShutdown();
  }
}

const bare = (key: string): string => key.split(":").at(-1) ?? key;

const settle =
  (resolve: () => void, reject: (error: Error) => void) =>
  (error: ServiceError | null): void => {
    if (error === null) resolve();
    else reject(error);
  };
