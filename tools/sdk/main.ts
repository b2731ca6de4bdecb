import { join, resolve } from "node:path";
import { reasonOf } from "../engine/failure";
import { findCheckout } from "../engine/layout";
import { filesOf } from "./files";
import { LANGUAGES, writeSdk } from "./generator";

const checkout = findCheckout();
const log = (line: string): void => void process.stderr.write(`${line}\n`);

/** Writes the SDK of plugin/schema.json for Python into dist/python, or that of another language, folder and schema. */
async function main([language = "python", folder = join(checkout, "dist", "python"), schema]: string[]): Promise<void> {
  const known = LANGUAGES.find((each) => each === language);
  if (known === undefined) throw new Error(`unknown language "${language}": there are ${LANGUAGES.join(", ")}`);
  await writeSdk({ checkout, env: process.env, log }, known, resolve(folder), schema);
  log(`${folder}: ${filesOf(folder).size} files`);
}

main(process.argv.slice(2)).catch((error: unknown) => {
  log(reasonOf(error));
  process.exitCode = 1;
});
