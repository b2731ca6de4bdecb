import { execFileSync } from "node:child_process";
import { readdirSync } from "node:fs";
import { join } from "node:path";

const CHECKOUT = join(__dirname, "..", "..");

/** Packs this package into a folder, as it would be published: the path of the tarball. */
export function packInto(folder: string): string {
  execFileSync("npm", ["pack", "--silent", "--ignore-scripts", "--pack-destination", folder], { cwd: CHECKOUT });
  const file = readdirSync(folder).find((each) => each.endsWith(".tgz"));
  if (file === undefined) throw new Error(`npm pack wrote nothing into ${folder}`);
  return join(folder, file);
}
