import { serving } from "../../tests/support/serving";
import { realClock } from "../base/clock";
import { grpcOfSdk } from "../engine/sdk";
import { createSession } from "../lifecycle/session";
import { NativePlugin } from "./native-plugin";
import { PluginRun } from "./run";
import { createService, protocol } from "./service";

test("an error reaches the engine although what it quotes was cut in the middle of an emoji", async () => {
  const detail = `${"x".repeat(399)}🎉 and more`;
  const baseUrl = await serving((_request, response) => {
    response.writeHead(400, { "content-type": "application/json" }).end(JSON.stringify({ detail }));
  });
  const run = new PluginRun(realClock);
  const plugin = new NativePlugin(createSession({ signal: run.signal }), run);
  plugin.configure({ baseUrl, apiKey: "k" });
  const { Server, ServerCredentials, credentials } = grpcOfSdk();
  const { ResourceProviderService, ResourceProviderClient, InvokeRequest } = protocol();
  const server = new Server();
  const service = createService(
    () => plugin,
    () => undefined,
    () => Promise.resolve(),
  );
  server.addService(ResourceProviderService, service);
  const port = await new Promise<number>((resolve, reject) => {
    server.bindAsync("127.0.0.1:0", ServerCredentials.createInsecure(), (error, bound) =>
      error === null ? resolve(bound) : reject(error),
    );
  });
  const client = new ResourceProviderClient(`127.0.0.1:${port}`, credentials.createInsecure());
  const invoke = new InvokeRequest().setTok("agent-platform:index:listDeployments");
  const said = await new Promise((resolve) => client.invoke(invoke, (error) => resolve(error?.details)));
  client.close();
  server.forceShutdown();
  expect(said).toMatch(/answered 400: x{399}\.\.\./);
});
