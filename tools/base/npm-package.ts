import { createHash } from "node:crypto";
import { readFileSync } from "node:fs";
import { rm } from "node:fs/promises";
import { basename, join } from "node:path";
import { runCommand } from "../engine/command";

/** A version of a package from npm, with the SHA-512 of its archive: another content is refused, whatever the registry says. */
export interface PinnedPackage {
  readonly name: string;
  readonly version: string;
  readonly integrity: string;
}

/** Fetches a package with npm, and unpacks it below a folder without running any of it. Gives back where its files are. */
export async function unpackPinned(
  { name, version, integrity }: PinnedPackage,
  folder: string,
  given: NodeJS.ProcessEnv,
): Promise<string> {
  const env = { ...given, npm_config_update_notifier: "false", npm_config_fetch_retry_mintimeout: "1000" };
  const args = ["pack", `${name}@${version}`, "--silent", "--ignore-scripts", "--pack-destination", folder];
  const archive = (await runCommand({ file: "npm", args, cwd: folder, env, timeout: 600_000 })).trim();
  const file = join(folder, basename(archive));
  const found = createHash("sha512").update(readFileSync(file)).digest("base64");
  if (found !== integrity) throw new Error(`its SHA-512 is ${found}, not ${integrity}: it is not used`);
  await runCommand({ file: "tar", args: ["-xzf", file, "-C", folder], env });
  await rm(file);
  return join(folder, "package");
}
