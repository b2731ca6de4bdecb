import { accessSync, constants, readdirSync, readFileSync, renameSync, writeFileSync } from "node:fs";
import { chmod, copyFile, link, mkdir, rename, rm } from "node:fs/promises";
import { basename, join } from "node:path";
import { z } from "zod";
import { ENGINE_VERSION, pulumiPackage, type Layout } from "./layout";
import { isAlive } from "./lock";

/** How the engine in the cache was made. */
export const madeBySchema = z.enum(["download", "build"]);
const manifestSchema = z.object({
  name: z.literal("agent-platform-engine"),
  // Node must read the language host, a file without extension, as CommonJS wherever the cache is.
  type: z.literal("commonjs"),
  version: z.string(),
  madeBy: madeBySchema,
  goHash: z.string(),
  // Where the language host finds @pulumi/pulumi for a program that is not installed yet.
  checkout: z.string(),
});
export type Manifest = z.infer<typeof manifestSchema>;

const MANIFEST = "package.json";
const UNFINISHED = ".unfinished-";

/** True for a file that this user may run. */
export function isExecutable(file: string): boolean {
  try {
    accessSync(file, constants.X_OK);
    return true;
  } catch {
    return false;
  }
}

/** The manifest of a finished engine; undefined if a part of the engine is missing. */
export function readEntry(entry: string): Manifest | undefined {
  if (!["pulumi", "pulumi-language-nodejs"].every((name) => isExecutable(join(entry, "bin", name)))) return undefined;
  try {
    return manifestSchema.parse(JSON.parse(readFileSync(join(entry, MANIFEST), "utf8")));
  } catch {
    return undefined;
  }
}

function writeManifest(folder: string, manifest: Manifest): void {
  // By rename: a language host may be reading it.
  const draft = join(folder, `${MANIFEST}.${process.pid}`);
  writeFileSync(draft, `${JSON.stringify(manifest, null, 2)}\n`);
  renameSync(draft, join(folder, MANIFEST));
}

/** Points the cached language host at this checkout when the one that made the engine is gone. */
export function refreshCheckout(layout: Layout, manifest: Manifest): void {
  try {
    pulumiPackage(manifest.checkout);
  } catch {
    writeManifest(layout.entry, { ...manifest, checkout: layout.checkout });
  }
}

/** Removes the remains of builds whose process is gone. Call with the lock held. */
export async function sweepUnfinished(layout: Layout): Promise<void> {
  for (const name of readdirSync(layout.cache)) {
    const [, pid] = name.split(UNFINISHED);
    if (pid !== undefined && !isAlive(Number(pid)))
      await rm(join(layout.cache, name), { recursive: true, force: true });
  }
}

/** A bin/pulumi in the cache that was built from the same go.sum, for when only the scripts beside it have changed. */
export function findSameBinary(layout: Layout): string | undefined {
  return readdirSync(layout.cache)
    .filter(
      (name) => name.startsWith(`${ENGINE_VERSION}-${process.platform}-${process.arch}-`) && !name.includes(UNFINISHED),
    )
    .map((name) => join(layout.cache, name))
    .find((entry) => {
      const manifest = readEntry(entry);
      return manifest?.madeBy === "build" && manifest.goHash === layout.goHash;
    });
}

/** Links (or, across devices, copies) a file. */
export async function linkOrCopy(from: string, to: string): Promise<void> {
  await link(from, to).catch(() => copyFile(from, to));
}

async function addScripts(layout: Layout, bin: string): Promise<void> {
  const scripts = [
    [join(pulumiPackage(layout.checkout), "pulumi-resource-pulumi-nodejs"), "pulumi-resource-pulumi-nodejs"],
    ...["nodejs", "python", "go"].map(
      (language) => [join(layout.sources, "language-host.js"), `pulumi-language-${language}`] as const,
    ),
    [join(layout.sources, "run-python.py"), "run-python.py"],
  ] as const;
  for (const [from, name] of scripts) {
    await copyFile(from, join(bin, name));
    await chmod(join(bin, name), 0o755);
  }
}

/**
 * Makes an entry of the cache: `fill` puts its files into a folder beside it, which becomes the entry by one rename.
 * A failure leaves nothing; a kill leaves a folder that the next run removes. Call with the lock held.
 */
export async function makeWhole(
  cache: string,
  entry: string,
  fill: (folder: string, bin: string) => Promise<void>,
): Promise<void> {
  const draft = join(cache, `${basename(entry)}${UNFINISHED}${process.pid}`);
  await rm(draft, { recursive: true, force: true });
  try {
    const bin = join(draft, "bin");
    await mkdir(bin, { recursive: true });
    await fill(draft, bin);
    // Something there by now is broken, or the caller would have taken it: a folder cannot be renamed over it.
    await rm(entry, { recursive: true, force: true });
    await rename(draft, entry);
  } finally {
    await rm(draft, { recursive: true, force: true });
  }
}

/** Makes the engine's entry: `fill` puts the executables into `bin`. */
export async function makeEntry(
  layout: Layout,
  madeBy: Manifest["madeBy"],
  fill: (bin: string) => Promise<void>,
): Promise<void> {
  await makeWhole(layout.cache, layout.entry, async (draft, bin) => {
    await fill(bin);
    // The download brings the official language host along.
    if (madeBy === "build") await addScripts(layout, bin);
    const { checkout, goHash } = layout;
    writeManifest(draft, {
      name: "agent-platform-engine",
      type: "commonjs",
      version: ENGINE_VERSION,
      madeBy,
      goHash,
      checkout,
    });
    if (readEntry(draft) === undefined) throw new Error("pulumi or pulumi-language-nodejs is missing in what was made");
  });
}
