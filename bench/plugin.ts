import { execFile, spawn, type ChildProcess } from "node:child_process";
import { once } from "node:events";
import { createServer, type Server } from "node:net";
import { createInterface } from "node:readline";
import { promisify } from "node:util";
import { credentials, type Client, type ServiceError } from "@grpc/grpc-js";
import { ResourceProviderClient } from "@pulumi/pulumi/proto/provider_grpc_pb";
import { CheckRequest, ConfigureRequest, CreateRequest } from "@pulumi/pulumi/proto/provider_pb";
import { Struct } from "google-protobuf/google/protobuf/struct_pb";

type Properties = Parameters<typeof Struct.fromJavaScript>[0];

/** A process of dynamic resources as the engine starts it, without an engine. */
export class Plugin {
  private constructor(
    private readonly child: ChildProcess,
    private readonly engine: Server,
    private readonly client: ResourceProviderClient & Client,
  ) {}

  /** Returns when it can be called, configured with these settings of the stack. */
  static async start(settings: Readonly<Record<string, string>>): Promise<Plugin> {
    // The address of an engine that only takes connections: the plugin makes sure that it is there.
    const engine = createServer((socket) => socket.resume()).listen(0, "127.0.0.1");
    await once(engine, "listening");
    const address = engine.address();
    const port = typeof address === "object" ? address?.port : undefined;
    const script = require.resolve("@pulumi/pulumi/cmd/dynamic-provider");
    const child = spawn(process.execPath, [script, `127.0.0.1:${port ?? ""}`], {
      stdio: ["ignore", "pipe", "inherit"],
    });
    // It prints its port.
    const own = await new Promise<string>((resolve) => createInterface(child.stdout).once("line", resolve));
    const client = new ResourceProviderClient(`127.0.0.1:${own}`, credentials.createInsecure());
    const plugin = new Plugin(child, engine, client);
    const request = new ConfigureRequest();
    request.setArgs(Struct.fromJavaScript(settings));
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

  /** What it has of the machine's memory now, in MB. */
  async memory(): Promise<number> {
    const { stdout } = await promisify(execFile)("ps", ["-o", "rss=", "-p", String(this.child.pid)]);
    return (Number(stdout) * 1024) / 1e6;
  }

  async stop(): Promise<void> {
    this.client.close();
    this.child.kill("SIGKILL");
    await once(this.child, "exit");
    this.engine.close();
  }
}

const settle =
  (resolve: () => void, reject: (error: Error) => void) =>
  (error: ServiceError | null): void => {
    if (error === null) resolve();
    else reject(error);
  };
