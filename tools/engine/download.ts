import { createHash } from "node:crypto";
import { readFileSync, statSync } from "node:fs";
import { rm } from "node:fs/promises";
import { join } from "node:path";
import { runCommand } from "./command";
import { ENGINE_VERSION, type Layout } from "./layout";
import { elapsed, withProgress, type ProgressLog } from "./progress";

const CONNECT_SECONDS = "10";
const PLATFORMS: Readonly<Partial<Record<NodeJS.Platform, string>>> = {
  linux: "linux",
  darwin: "darwin",
  win32: "windows",
};

/** The name of the official engine's archive for this machine. */
export function engineArchive(platform: NodeJS.Platform = process.platform, arch: string = process.arch): string {
  const system = PLATFORMS[platform];
  if (system === undefined || (arch !== "x64" && arch !== "arm64")) {
    throw new Error(`there is no official engine for ${platform} on ${arch}`);
  }
  return `pulumi-v${ENGINE_VERSION}-${system}-${arch}.${platform === "win32" ? "zip" : "tar.gz"}`;
}

/** The SHA-256 of an archive. The file is a part of the one that each release of Pulumi has (`pulumi-<version>-checksums.txt`). */
function sumOf(archive: string, { sources }: Layout): string {
  const file = join(sources, "checksums.txt");
  const lines = readFileSync(file, "utf8").split("\n");
  const [sum] = lines.find((line) => line.endsWith(`  ${archive}`))?.split(" ") ?? [];
  if (!sum) throw new Error(`${file} has no sum of ${archive}`);
  return sum;
}

/** Puts the official engine's executables into `bin`. Rejects within seconds when the site does not answer, and where the archive is not the known one. */
export async function downloadInto(
  bin: string,
  layout: Layout,
  env: NodeJS.ProcessEnv,
  log: ProgressLog,
): Promise<void> {
  const name = engineArchive();
  const sum = sumOf(name, layout);
  const url = `https://github.com/pulumi/pulumi/releases/download/v${ENGINE_VERSION}/${name}`;
  const archive = join(bin, "archive");
  const megabytes = (): number => Math.round((statSync(archive, { throwIfNoEntry: false })?.size ?? 0) / 1e6);
  // curl, because it honours the user's proxy settings and certificates, which Node's own client does not.
  // An answer below 1 KB/s for 15 s counts as a failure.
  const limits = ["--connect-timeout", CONNECT_SECONDS, "--speed-limit", "1024", "--speed-time", "15"];
  const args = ["-fsSL", ...limits, "-o", archive, url];
  await withProgress(
    log,
    `downloading the Pulumi engine ${ENGINE_VERSION}`,
    (milliseconds) => `${elapsed(milliseconds)}, ${megabytes()} MB`,
    () => runCommand({ file: "curl", args, env }),
  );
  const found = createHash("sha256").update(readFileSync(archive)).digest("hex");
  if (found !== sum) throw new Error(`${url} has the SHA-256 ${found}, not ${sum}: it was not unpacked`);
  // The archive holds pulumi/<executables>, for Windows pulumi/bin/<executables>.
  const strip = process.platform === "win32" ? "2" : "1";
  await runCommand({ file: "tar", args: ["-xf", archive, "-C", bin, "--strip-components", strip], env });
  await rm(archive);
}
