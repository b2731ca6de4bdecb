import { readFileSync, writeFileSync } from "node:fs";
import { mkdir, rm } from "node:fs/promises";
import { dirname, join } from "node:path";
import { promisify } from "node:util";
import { brotliDecompress } from "node:zlib";
import { unpackPinned, type PinnedPackage } from "../base/npm-package";
import { runCommand } from "../engine/command";
import { isExecutable, makeWhole } from "../engine/entry";
import { findCheckout } from "../engine/layout";

/** Carries Chromium's headless shell, the libraries that a bare Linux lacks, and a font. */
const CHROMIUM: PinnedPackage = {
  name: "@sparticuz/chromium",
  version: "153.0.0",
  integrity: "jiGWqSvPMdu4+P9TilYqAR7yEGPEHINx+lCvE/NqNO/EHYzF/x1hUiI5T6ioVIt7dEy7n88byyT0vk+dnsgQwA==",
};
const SYSTEM = "linux-x64";

/** Where the packaged Chromium is, or will be: its folder appears whole or not at all. */
export type ChromiumPackage = Readonly<ReturnType<typeof packageOf>>;

/** The package's place in a checkout: removing `.state` removes it. */
export function packageOf(checkout: string = findCheckout()) {
  const entry = join(checkout, ".state", "browser", `chromium-${CHROMIUM.version}`);
  const environment = { LD_LIBRARY_PATH: join(entry, "lib"), FONTCONFIG_FILE: join(entry, "fonts.conf") };
  return { entry, program: join(entry, "bin", "chromium"), environment };
}

/** What is fetched. */
export const PACKAGE_NAME = `the npm package ${CHROMIUM.name} ${CHROMIUM.version}`;

/** Fetches the package with npm and unpacks it: 70 MB, 220 MB on disk. Rejects where it cannot be had, or does not run here. */
export async function fetchPackage(
  { entry, program, environment }: ChromiumPackage,
  env: NodeJS.ProcessEnv,
  machine: string = `${process.platform}-${process.arch}`,
): Promise<void> {
  if (machine !== SYSTEM) throw new Error(`the package is for ${SYSTEM}, and this is ${machine}`);
  await makeWhole(
    entry,
    () => isExecutable(program),
    async (folder, bin) => {
      await unpack(await unpackPinned(CHROMIUM, folder, env), folder, bin, env);
      writeFileSync(join(folder, "fonts.conf"), fontsOf(entry));
      // The libraries are where they are made, not yet in their place.
      const here = { ...env, ...environment, LD_LIBRARY_PATH: join(folder, "lib") };
      await runCommand({ file: join(bin, "chromium"), args: ["--version"], env: here, timeout: 60_000 });
    },
  );
}

async function unpack(content: string, folder: string, bin: string, env: NodeJS.ProcessEnv): Promise<void> {
  const packed = join(content, "bin");
  await decompress(join(packed, "chromium.br"), join(bin, "chromium"));
  // They hold the folders lib and fonts.
  for (const name of ["al2023", "fonts"]) {
    const tar = join(packed, `${name}.tar`);
    await decompress(`${tar}.br`, tar);
    await runCommand({ file: "tar", args: ["-xf", tar, "-C", folder], env });
  }
  await rm(content, { recursive: true });
}

async function decompress(from: string, to: string): Promise<void> {
  await mkdir(dirname(to), { recursive: true });
  writeFileSync(to, await promisify(brotliDecompress)(readFileSync(from)), { mode: 0o755 });
}

/** The system's fonts, and the one that the package brings along: without any, all text would be blank. */
const fontsOf = (entry: string): string => `<?xml version="1.0"?>
<!DOCTYPE fontconfig SYSTEM "fonts.dtd">
<fontconfig>
  <include ignore_missing="yes">/etc/fonts/fonts.conf</include>
  <dir>${join(entry, "fonts")}</dir>
  <cachedir>${join(entry, "fonts-cache")}</cachedir>
</fontconfig>
`;
