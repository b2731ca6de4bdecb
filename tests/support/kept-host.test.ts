import {
  credentials,
  Server,
  ServerCredentials,
  type ServiceDefinition,
  type UntypedServiceImplementation,
} from "@grpc/grpc-js";
import { EngineService } from "@pulumi/pulumi/proto/engine_grpc_pb";
import { SetRootResourceResponse } from "@pulumi/pulumi/proto/engine_pb";
import { LanguageRuntimeClient } from "@pulumi/pulumi/proto/language_grpc_pb";
import { RunRequest } from "@pulumi/pulumi/proto/language_pb";
import { ResourceMonitorService } from "@pulumi/pulumi/proto/resource_grpc_pb";
import { RegisterResourceResponse, SupportsFeatureResponse } from "@pulumi/pulumi/proto/resource_pb";
import { Empty } from "google-protobuf/google/protobuf/empty_pb";
import { ProgramHost } from "./kept-host";
import { newFolder, writeInto } from "./new-folder";

const servers: Server[] = [];
const host = new ProgramHost();
afterAll(() => {
  host.stop();
  servers.forEach((server) => server.forceShutdown());
});

/** Serves what it has an answer to; resolves to its port. */
function serve(service: ServiceDefinition, answers: UntypedServiceImplementation, port = 0): Promise<number> {
  const server = new Server();
  server.addService(service, answers);
  servers.push(server);
  return new Promise((resolve, reject) =>
    server.bindAsync(`127.0.0.1:${port}`, ServerCredentials.createInsecure(), (error, bound) =>
      error ? reject(error) : resolve(bound),
    ),
  );
}

type Answer<T> = (error: null, response: T) => void;

/** A monitor that counts what a program registers. */
async function startMonitor(): Promise<{ port: number; registered: string[] }> {
  const registered: string[] = [];
  const port = await serve(ResourceMonitorService, {
    supportsFeature: (_call: unknown, answer: Answer<SupportsFeatureResponse>) =>
      answer(null, new SupportsFeatureResponse()),
    registerResource: ({ request }: { request: { getName(): string } }, answer: Answer<RegisterResourceResponse>) => {
      registered.push(request.getName());
      const response = new RegisterResourceResponse();
      response.setUrn(`urn:pulumi:test::test::example:index:Any::${request.getName()}`);
      answer(null, response);
    },
    registerResourceOutputs: (_call: unknown, answer: Answer<Empty>) => answer(null, new Empty()),
    signalAndWaitForShutdown: (_call: unknown, answer: Answer<Empty>) => answer(null, new Empty()),
  });
  return { port, registered };
}

test("a program whose engine does not answer has failed, and the next engine at that port is reached at once", async () => {
  const folder = newFolder(__dirname);
  writeInto(folder, "index.js", `new (require("@pulumi/pulumi").ComponentResource)("example:index:Any", "declared");`);
  const client = new LanguageRuntimeClient(
    (await host.client(process.env)).replace("--client=", ""),
    credentials.createInsecure(),
  );
  const monitor = await startMonitor();
  const engine = await serve(EngineService, {});
  servers.pop()?.forceShutdown();
  const run = (): Promise<string> => {
    const request = new RunRequest();
    request.setProject("test");
    request.setStack("test");
    request.setPwd(folder);
    request.setMonitorAddress(`127.0.0.1:${monitor.port}`);
    request.setArgsList([`127.0.0.1:${engine}`]);
    return new Promise((resolve) => client.run(request, (error) => resolve(error ? error.message : "has run")));
  };

  expect(await run()).toContain("the program has not run");
  await serve(
    EngineService,
    {
      setRootResource: (_call: unknown, answer: Answer<SetRootResourceResponse>) =>
        answer(null, new SetRootResourceResponse()),
    },
    engine,
  );
  expect(await run()).toBe("has run");
  expect(monitor.registered).toContain("declared");
  client.close();
});
