// Runs programs for the engine: a language host that has loaded the SDK once, so that not each command need do so. A program is the
// index.js of its project, which is read at each run. The parent is told the port at which the CLI (`--client`) finds this process.
const { readFileSync } = require("node:fs");
const Module = require("node:module");
const { join } = require("node:path");
const { runInThisContext } = require("node:vm");
const grpc = require("@grpc/grpc-js");
const { LanguageServer } = require("@pulumi/pulumi/automation/server");
const { LanguageRuntimeService } = require("@pulumi/pulumi/proto/language_grpc_pb");

// Where the projects lie, too, so that they and this process load the same package.
require("pulumi-agent-platform");

/** A program that runs the project in `folder`. */
const programIn = (folder) => () => {
  const file = join(folder, "index.js");
  const module = { exports: {} };
  const body = runInThisContext(Module.wrap(readFileSync(file, "utf8")), { filename: file });
  body(module.exports, Module.createRequire(file), module, file, folder);
  return Promise.resolve(module.exports);
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
  process.send({ port });
});
process.on("disconnect", () => process.exit(0));
