// Runs the programs of one stack for the engine: a language host that has loaded the SDK once, so that not each command need do so. Its one
// argument is the program's file, which it reads at each run; it tells its parent the port at which the CLI (`--client`) finds it.
const { readFileSync } = require("node:fs");
const { createRequire } = require("node:module");
const { dirname } = require("node:path");
const grpc = require("@grpc/grpc-js");
const { LanguageServer } = require("@pulumi/pulumi/automation/server");
const { LanguageRuntimeService } = require("@pulumi/pulumi/proto/language_grpc_pb");

const [file] = process.argv.slice(2);
const load = createRequire(file);
const program = () => {
  const module = { exports: {} };
  const body = new Function("require", "module", "exports", "__dirname", readFileSync(file, "utf8"));
  body(load, module, module.exports, dirname(file));
  return Promise.resolve(module.exports);
};
load("pulumi-agent-platform");

const server = new grpc.Server({ "grpc.max_receive_message_length": 400 * 1024 * 1024 });
server.addService(LanguageRuntimeService, new LanguageServer(program));
server.bindAsync("127.0.0.1:0", grpc.ServerCredentials.createInsecure(), (error, port) => {
  if (error) throw error;
  process.send({ port });
});
process.on("disconnect", () => process.exit(0));
