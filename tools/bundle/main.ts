import { join, resolve } from "node:path";
import { findCheckout } from "../engine/layout";
import { bundlePlugin } from "./bundle";

/** Bundles the native plugin into dist/bundle, or into the folder that is given, and prints the archive's path. */
async function main([folder]: readonly string[]): Promise<void> {
  const checkout = findCheckout();
  const { archive, version } = await bundlePlugin(checkout, resolve(folder ?? join(checkout, "dist", "bundle")));
  process.stderr.write(`Install it: pulumi plugin install resource agent-platform ${version} --file ${archive}\n`);
  process.stdout.write(`${archive}\n`);
}

main(process.argv.slice(2)).catch((error: unknown) => {
  process.stderr.write(`${error instanceof Error ? error.message : String(error)}\n`);
  process.exitCode = 1;
});
