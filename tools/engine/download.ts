import { createHash } from "node:crypto";
import { readFileSync } from "node:fs";
import { rm } from "node:fs/promises";
import { join } from "node:path";
import { runCommand } from "./command";
import { ENGINE_VERSION } from "./layout";
import { withProgress, type EnginePlace } from "./ways";

/** The SHA-256 of an archive. The file is a part of the one that each release of Pulumi has (`pulumi-<version>-checksums.txt`). */
function sumOf(archive: string, sources: string): string {
  const file = join(sources, "checksums.txt");
  const lines = readFileSync(file, "utf8").split("\n");
  const [sum] = lines.find((line) => line.endsWith(`  ${archive}`))?.split(" ") ?? [];
  if (!sum) throw new Error(`${file} has no sum of ${archive}`);
  return sum;
}

/** Puts the official engine's executables into `bin`. Rejects within seconds when the site does not answer, and where the archive is not the known one. */
export async function downloadInto(bin: string, { layout, env, log }: EnginePlace): Promise<void> {
  const name = `pulumi-v${ENGINE_VERSION}-${process.platform}-${process.arch}.tar.gz`;
  const sum = sumOf(name, layout.sources);
  const url = `https://github.com/pulumi/pulumi/releases/download/v${ENGINE_VERSION}/${name}`;
  const archive = join(bin, "archive");
  // curl, because it honours the user's proxy settings and certificates, which Node's own client does not.
  // An answer below 1 KB/s for 15 s counts as a failure.
  const limits = ["--connect-timeout", "10", "--speed-limit", "1024", "--speed-time", "15"];
  await withProgress(log, `downloading the Pulumi engine ${ENGINE_VERSION}`, () =>
    runCommand({ file: "curl", args: ["-fsSL", ...limits, "-o", archive, url], env }),
  );
  const found = createHash("sha256").update(readFileSync(archive)).digest("hex");
  if (found !== sum) throw new Error(`${url} has the SHA-256 ${found}, not ${sum}: it was not unpacked`);
  // The archive holds pulumi/<executables>.
  await runCommand({ file: "tar", args: ["-xf", archive, "-C", bin, "--strip-components", "1"], env });
  await rm(archive);
}
