import { reasonOf } from "./command";
import { ensureEngine } from "./index";
import { foldersOnPath } from "./own-engine";
import { ensureYamlHost } from "./yaml-host";

/**
 * Prints the engine's folder on standard output, and nothing else there: progress goes to standard error.
 * With --yaml it gets the language host of YAML programs too.
 */
async function main(args: readonly string[]): Promise<void> {
  const unknown = args.find((each) => each !== "--yaml");
  if (unknown !== undefined) throw new Error(`unknown argument "${unknown}": the only one is --yaml`);
  const engine = await ensureEngine();
  process.stderr.write(`Pulumi ${engine.version} (${engine.source}); its programs are in ${engine.bin}\n`);
  if (args.includes("--yaml")) {
    const { bin, source } = await ensureYamlHost(engine);
    const isFound = [engine.bin, ...foldersOnPath(process.env)].includes(bin);
    process.stderr.write(`YAML language host (${source}) in ${bin}${isFound ? "" : ": put this folder on PATH"}\n`);
  }
  process.stdout.write(`${engine.root}\n`);
}

main(process.argv.slice(2)).catch((error: unknown) => {
  process.stderr.write(`${reasonOf(error)}\n`);
  process.exitCode = 1;
});
