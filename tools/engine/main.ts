import { delimiter } from "node:path";
import { runMain } from "../base/main";
import { ensureEngine } from "./index";
import { ensureYamlHost } from "./yaml-host";

/** Prints what belongs at the front of PATH: the folder of the engine, and with --yaml that of the language host of YAML programs. Progress goes to standard error. */
runMain(async (args) => {
  const unknown = args.find((each) => each !== "--yaml");
  if (unknown !== undefined) throw new Error(`unknown argument "${unknown}": the only one is --yaml`);
  const engine = await ensureEngine();
  process.stderr.write(`Pulumi ${engine.version} (${engine.source}); its programs are in ${engine.bin}\n`);
  const folders = args.includes("--yaml") ? [engine.bin, (await ensureYamlHost(engine)).bin] : [engine.bin];
  process.stdout.write(`${folders.join(delimiter)}\n`);
});
