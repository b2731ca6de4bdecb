import { delimiter } from "node:path";
import { reasonOf } from "./command";
import { ensureEngine } from "./index";
import { ensureYamlHost } from "./yaml-host";

/** Prints what belongs at the front of PATH: the folder of the engine, and with --yaml that of the language host of YAML programs. Progress goes to standard error. */
async function main(args: readonly string[]): Promise<void> {
  const unknown = args.find((each) => each !== "--yaml");
  if (unknown !== undefined) throw new Error(`unknown argument "${unknown}": the only one is --yaml`);
  const engine = await ensureEngine();
  process.stderr.write(`Pulumi ${engine.version} (${engine.source}); its programs are in ${engine.bin}\n`);
  const folders = args.includes("--yaml") ? [engine.bin, (await ensureYamlHost(engine)).bin] : [engine.bin];
  process.stdout.write(`${folders.join(delimiter)}\n`);
}

main(process.argv.slice(2)).catch((error: unknown) => {
  process.stderr.write(`${reasonOf(error)}\n`);
  process.exitCode = 1;
});
