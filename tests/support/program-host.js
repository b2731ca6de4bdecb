// Runs programs for the engine: a language host that has loaded the SDK once, so that not each command need do so. A program is what the
// package.json of its project names, in JavaScript or TypeScript, whose types are not checked. Prints the port at which the CLI (`--client`)
// finds this process, and ends with its standard input.
const { sep } = require("node:path");
const grpc = require("@grpc/grpc-js");
const { LanguageServer } = require("@pulumi/pulumi/automation/server");
const { LanguageRuntimeService } = require("@pulumi/pulumi/proto/language_grpc_pb");

require("./read-typescript");
// Where the projects lie, too, so that they and this process load the same package.
require("pulumi-agent-platform");

/** A program that runs the project in `folder`, whose files are read at each run. */
const programIn = (folder) => () => {
  for (const file of Object.keys(require.cache)) if (file.startsWith(folder + sep)) delete require.cache[file];
  return Promise.resolve(require(folder));
};
const servers = new LanguageServer(() => Promise.resolve());
const server = new grpc.Server({ "grpc.max_receive_message_length": 400 * 1024 * 1024 });
server.addService(LanguageRuntimeService, {
  getRequiredPlugins: (call, callback) => servers.getRequiredPlugins(call, callback),
  getPluginInfo: (call, callback) => servers.getPluginInfo(call, callback),
  run: (call, callback) => new LanguageServer(programIn(call.request.getPwd())).run(call, callback),
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
