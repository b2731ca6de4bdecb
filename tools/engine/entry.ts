import { randomUUID } from "node:crypto";
import {
  accessSync,
  constants,
  existsSync,
  readdirSync,
  readFileSync,
  renameSync,
  statSync,
  writeFileSync,
} from "node:fs";
import { mkdir, rename, rm } from "node:fs/promises";
import { join } from "node:path";
import { z } from "zod";
import { leniently } from "../../provider/base/errors";
import { ENGINE_VERSION, pulumiPackage, type Layout } from "./layout";

const MANIFEST = "package.json";
const DRAFT = ".draft-";
const DAY = 86_400_000;

export function isExecutable(file: string): boolean {
  try {
    accessSync(file, constants.X_OK);
    return true;
  } catch {
    return false;
  }
}

/** The checkout that a whole entry names; undefined where a part is missing. */
function checkoutOf(entry: string): string | undefined {
  if (!["pulumi", "pulumi-language-nodejs"].every((name) => isExecutable(join(entry, "bin", name)))) return undefined;
  const manifest = leniently((): unknown => JSON.parse(readFileSync(join(entry, MANIFEST), "utf8")));
  return z.object({ checkout: z.string() }).safeParse(manifest).data?.checkout;
}

function writeManifest(folder: string, checkout: string): void {
  // Node must read the language host, a file without extension, as CommonJS wherever the cache is. In the checkout it finds @pulumi/pulumi for a program
  // that is not installed yet.
  const manifest = { name: "agent-platform-engine", type: "commonjs", version: ENGINE_VERSION, checkout };
  // By rename: a language host may be reading it.
  const draft = join(folder, `${MANIFEST}.${process.pid}`);
  writeFileSync(draft, `${JSON.stringify(manifest, null, 2)}\n`);
  renameSync(draft, join(folder, MANIFEST));
}

/** Whether the cache has the whole engine. Its language host is pointed at this checkout where the one that made it is gone. */
export function isCached({ entry, checkout }: Layout): boolean {
  const madeBy = checkoutOf(entry);
  if (madeBy === undefined) return false;
  if (leniently(() => pulumiPackage(madeBy)) === undefined) writeManifest(entry, checkout);
  return true;
}

/**
 * Makes an entry of a cache: `fill` puts its files into a draft beside it, which becomes the entry by one rename. A failure leaves nothing; a kill
 * leaves a draft, which {@link removeOldDrafts} removes. Two runs at once both make it, and the first one's stays.
 */
export async function makeWhole(
  entry: string,
  isWhole: () => boolean,
  fill: (folder: string, bin: string) => Promise<unknown>,
): Promise<void> {
  const draft = `${entry}${DRAFT}${randomUUID()}`;
  const bin = join(draft, "bin");
  try {
    await mkdir(bin, { recursive: true });
    await fill(draft, bin);
    if (!isWhole()) await rm(entry, { recursive: true, force: true });
    await rename(draft, entry).catch((error: unknown) => {
      if (!isWhole()) throw error;
    });
  } finally {
    await rm(draft, { recursive: true, force: true });
  }
}

/** Removes what killed runs have left, once it is a day old: another process may be at work in a younger draft. */
export async function removeOldDrafts(cache: string): Promise<void> {
  if (!existsSync(cache)) return;
  for (const name of readdirSync(cache).filter((each) => each.includes(DRAFT))) {
    const made = statSync(join(cache, name), { throwIfNoEntry: false })?.mtimeMs;
    if (made !== undefined && made < Date.now() - DAY) await rm(join(cache, name), { recursive: true, force: true });
  }
}

/** Makes the engine's entry: `fill` puts the executables into `bin`. */
export async function makeEntry(layout: Layout, fill: (bin: string) => Promise<void>): Promise<void> {
  const { entry, checkout } = layout;
  const isWhole = (): boolean => checkoutOf(entry) !== undefined;
  await makeWhole(entry, isWhole, async (draft, bin) => {
    await fill(bin);
    writeManifest(draft, checkout);
    if (checkoutOf(draft) === undefined)
      throw new Error("pulumi or pulumi-language-nodejs is missing in what was made");
  });
}
