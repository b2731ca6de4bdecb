import { createHash } from "node:crypto";
import { readFileSync } from "node:fs";
import { chmod, copyFile, rm } from "node:fs/promises";
import { join } from "node:path";
import { messageOf } from "../../provider/base/errors";
import { buildInto, goEnvironment, type GoProgram } from "./build";
import { runCommand } from "./command";
import { isCached, makeEntry, removeOldDrafts } from "./entry";
import { ENGINE_VERSION, OLDEST_ENGINE, OLDEST_GO, pulumiPackage } from "./layout";
import { engineOnPath, type Engine } from "./own-engine";
import { firstThatWorks, placeOf, withProgress, type EngineOptions, type EnginePlace, type Way } from "./ways";
import { parseVersion } from "../../provider/base/version";

const REMEDIES = [
  `install the Pulumi CLI ${OLDEST_ENGINE} or newer: https://www.pulumi.com/docs/install/`,
  `install Go ${OLDEST_GO} or newer (https://go.dev/dl/) and run this again: the engine is then built, once`,
  "let this machine reach https://github.com and run this again",
];

/** The SHA-256 of an archive. The file is a part of the one that each release of Pulumi has (`pulumi-<version>-checksums.txt`). */
function sumOf(archive: string, sources: string): string {
  const file = join(sources, "checksums.txt");
  const lines = readFileSync(file, "utf8").split("\n");
  const [sum] = lines.find((line) => line.endsWith(`  ${archive}`))?.split(" ") ?? [];
  if (!sum) throw new Error(`${file} has no sum of ${archive}`);
  return sum;
}

/** Puts the official engine's executables into `bin`. Rejects within seconds when the site does not answer, and where the archive is not the known one. */
async function downloadInto(bin: string, { layout, env, log }: EnginePlace): Promise<void> {
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

async function download(place: EnginePlace): Promise<void> {
  try {
    await makeEntry(place.layout, (bin) => downloadInto(bin, place));
  } catch (error) {
    place.log(`the official engine could not be downloaded (${messageOf(error)})`);
    throw error;
  }
}

async function build(place: EnginePlace): Promise<void> {
  if (process.platform === "win32") throw new Error("its language host is a script that Windows cannot start");
  const program: GoProgram = {
    module: place.layout.sources,
    package: ["github.com/pulumi/pulumi/pkg/v3/cmd/pulumi"],
    ldflags: `-X github.com/pulumi/pulumi/sdk/v3/go/common/version.Version=v${ENGINE_VERSION}`,
    oldestGo: OLDEST_GO,
    name: `Pulumi engine ${ENGINE_VERSION}`,
    file: "pulumi",
    check: ["version"],
  };
  await makeEntry(place.layout, async (bin) => {
    const version = parseVersion(await buildInto(bin, program, place));
    if (version !== ENGINE_VERSION) throw new Error(`the engine that was built says version ${version ?? "nothing"}`);
    await addScripts(place, bin);
  });
}

const SDK = "github.com/pulumi/pulumi/sdk/v3";

/** Puts scripts beside an engine that was built: ours, and Pulumi's, from its packages for Node and for Go. */
async function addScripts({ layout: { checkout, sources }, env }: EnginePlace, bin: string): Promise<void> {
  const host = join(sources, "language-host.js");
  const asking = { file: "go", args: ["list", "-m", "-f", "{{.Dir}}", SDK], cwd: sources, env: goEnvironment(env) };
  const sdk = (await runCommand(asking)).trim();
  const scripts = {
    "pulumi-resource-pulumi-nodejs": join(pulumiPackage(checkout), "pulumi-resource-pulumi-nodejs"),
    "pulumi-language-nodejs": host,
    "pulumi-language-python": host,
    "pulumi-language-python-exec": join(sdk, "python", "cmd", "pulumi-language-python-exec"),
    "pulumi-language-go": host,
  };
  for (const [name, from] of Object.entries(scripts)) {
    await copyFile(from, join(bin, name));
    await chmod(join(bin, name), 0o755);
  }
}

/**
 * Finds or makes a working Pulumi engine: PATH, our cache, the official download, a build with Go.
 * Safe to call in several processes at once. Rejects when no way works, with an error that lists them all.
 */
export async function ensureEngine(options: EngineOptions = {}): Promise<Engine> {
  const place = placeOf(options);
  const { layout, env } = place;
  // Also where nothing is made: once an engine is there, nothing may ever be.
  await removeOldDrafts(layout.cache).catch(() => undefined);
  const cached = { bin: join(layout.entry, "bin"), version: ENGINE_VERSION };
  const ways: readonly Way<Engine>[] = [
    ["pulumi on PATH", () => engineOnPath(env)],
    [`cache (${layout.entry})`, () => (isCached(layout) ? { ...cached, source: "cache" } : undefined)],
    [`official download of ${ENGINE_VERSION}`, () => download(place).then(() => ({ ...cached, source: "download" }))],
    [
      `build of ${ENGINE_VERSION} from the Go module proxy`,
      () => build(place).then(() => ({ ...cached, source: "build" })),
    ],
  ];
  return firstThatWorks("Pulumi engine", ways, REMEDIES);
}
