import { join } from "node:path";
import { reasonOf } from "../engine/failure";
import { findCheckout } from "../engine/layout";
import { filesOf } from "./files";
import { writeSdk } from "./generator";

const checkout = findCheckout();
const log = (line: string): void => void process.stderr.write(`${line}\n`);

async function main(): Promise<void> {
  const folder = join(checkout, "sdk", "python");
  await writeSdk({ checkout, env: process.env, log }, "python", folder);
  log(`sdk/python: ${filesOf(folder).size} files, written from plugin/schema.json`);
}

main().catch((error: unknown) => {
  log(reasonOf(error));
  process.exitCode = 1;
});
