// Runs programs for the engine: a language host that has loaded the SDK once, so that not each command need do so. A program is what the
// package.json of its project names, in JavaScript or TypeScript, whose types are not checked. Prints the port at which the CLI (`--client`)
// finds this process, and ends with its standard input.
const { sep } = require("node:path");
const grpc = require("@grpc/grpc-js");
const { LanguageServer } = require("@pulumi/pulumi/automation/server");
const { LanguageRuntimeService } = require("@pulumi/pulumi/proto/language_grpc_pb");
const { grpcClientOptions } = require("@pulumi/pulumi/runtime/settings");

require("./read-typescript");
// Where the projects lie, too, so that they and this process load the same package.
require("pulumi-agent-platform");

// Connections are shared by address. An engine at the port of one that has ended would get the other's, which waits before it tries again: its calls
// fail, and the SDK takes a program that an engine's call ends for one that declares no more.
grpcClientOptions["grpc.use_local_subchannel_pool"] = 1;

/** Runs the project in `folder`, whose files are read at each run. */
function run(call, callback) {
  const folder = call.request.getPwd();
  let hasRun = false;
  const program = async () => {
    for (const file of Object.keys(require.cache)) if (file.startsWith(folder + sep)) delete require.cache[file];
    const outputs = await require(folder);
    hasRun = true;
    return outputs;
  };
  const ended = (error, response) =>
    callback(
      error ?? (hasRun ? undefined : new Error("the engine did not answer, and the program has not run")),
      response,
    );
  new LanguageServer(program).run(call, ended);
}
const servers = new LanguageServer(() => Promise.resolve());
const server = new grpc.Server({ "grpc.max_receive_message_length": 400 * 1024 * 1024 });
server.addService(LanguageRuntimeService, {
  getRequiredPlugins: (call, callback) => servers.getRequiredPlugins(call, callback),
  getPluginInfo: (call, callback) => servers.getPluginInfo(call, callback),
  run,
});
server.bindAsync("127.0.0.1:0", grpc.ServerCredentials.createInsecure(), (error, port) => {
  if (error) throw error;
  process.stdout.write(`${port}\n`);
});
// A program that failed has left calls to an engine that has ended. They fail in the time of a later one, which would be blamed for it.
const { emit } = process;
process.emit = (event, error, ...more) =>
  event === "unhandledRejection" && error?.code === grpc.status.UNAVAILABLE
    ? true
    : emit.call(process, event, error, ...more);
process.stdin.on("close", () => process.exit(0)).resume();
