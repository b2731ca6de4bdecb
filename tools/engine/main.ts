import { reasonOf } from "./failure";
import { ensureEngine } from "./index";

/** Prints the engine's folder on standard output, and nothing else there: progress goes to standard error. */
async function main(): Promise<void> {
  const engine = await ensureEngine();
  process.stderr.write(`Pulumi ${engine.version} (${engine.source}); its programs are in ${engine.bin}\n`);
  process.stdout.write(`${engine.root}\n`);
}

main().catch((error: unknown) => {
  process.stderr.write(`${reasonOf(error)}\n`);
  process.exitCode = 1;
});
