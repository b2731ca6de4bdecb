import { statSync } from "node:fs";
import { rm } from "node:fs/promises";
import { join } from "node:path";
import { runCommand } from "./command";
import { ENGINE_VERSION } from "./layout";
import { elapsed, withProgress, type ProgressLog } from "./progress";

const CONNECT_SECONDS = "10";
const PLATFORMS: Readonly<Partial<Record<NodeJS.Platform, string>>> = {
  linux: "linux",
  darwin: "darwin",
  win32: "windows",
};

/** The documented address of the official engine for this machine. */
export function downloadUrl(platform: NodeJS.Platform = process.platform, arch: string = process.arch): string {
  const system = PLATFORMS[platform];
  if (system === undefined || (arch !== "x64" && arch !== "arm64")) {
    throw new Error(`there is no official engine for ${platform} on ${arch}`);
  }
  const ending = platform === "win32" ? "zip" : "tar.gz";
  return `https://get.pulumi.com/releases/sdk/pulumi-v${ENGINE_VERSION}-${system}-${arch}.${ending}`;
}

/** Puts the official engine's executables into `bin`. Rejects within seconds when the site does not answer. */
export async function downloadInto(bin: string, env: NodeJS.ProcessEnv, log: ProgressLog): Promise<void> {
  const url = downloadUrl();
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
  // The archive holds pulumi/<executables>, for Windows pulumi/bin/<executables>.
  const strip = process.platform === "win32" ? "2" : "1";
  await runCommand({ file: "tar", args: ["-xf", archive, "-C", bin, "--strip-components", strip], env });
  await rm(archive);
}
