import { createHash } from "node:crypto";
import { existsSync, readdirSync, realpathSync } from "node:fs";
import { mkdir, rm, symlink } from "node:fs/promises";
import { basename, delimiter, dirname, join } from "node:path";
import { runCommand } from "./command";
import { isExecutable } from "./entry";
import { OLDEST_ENGINE, type Layout } from "./layout";
import { isAtLeast, parseVersion } from "../../provider/base/version";

/** A working Pulumi engine: CLI, Node language host and dynamic provider plugin. */
export interface Engine {
  /** For `PulumiCommand.get({ root })` and PULUMI_CLI_ROOT: holds bin/pulumi. */
  readonly root: string;
  /** Holds the executables: put it first on PATH for the plain CLI. */
  readonly bin: string;
  readonly version: string;
  /** Where it came from. */
  readonly source: "PULUMI_CLI_ROOT" | "PATH" | "cache" | "download" | "build";
}

/** An engine that the user has. */
type OwnEngine = Omit<Engine, "source">;

/** The ending of a program's file. */
export const EXE = process.platform === "win32" ? ".exe" : "";
const LANGUAGE_HOST = `pulumi-language-nodejs${EXE}`;

/** The folders of PATH, in order. */
export function foldersOnPath(env: NodeJS.ProcessEnv): string[] {
  return (env.PATH ?? "").split(delimiter).filter((folder) => folder !== "");
}

async function checked(bin: string, env: NodeJS.ProcessEnv): Promise<string> {
  const file = join(bin, `pulumi${EXE}`);
  const quiet = { ...env, PULUMI_SKIP_UPDATE_CHECK: "true" };
  const version = parseVersion(await runCommand({ file, args: ["version"], env: quiet, timeout: 20_000 }));
  if (version === undefined) throw new Error(`${file} does not say its version`);
  if (!isAtLeast(version, OLDEST_ENGINE)) throw new Error(`${file} is ${version}, older than ${OLDEST_ENGINE}`);
  if (![bin, ...foldersOnPath(env)].some((folder) => isExecutable(join(folder, LANGUAGE_HOST)))) {
    throw new Error(`${file} has no Node language host (${LANGUAGE_HOST}) beside it or on PATH`);
  }
  return version;
}

/** The engine in PULUMI_CLI_ROOT. Rejects when the folder has none that will do. */
export async function engineInRoot(root: string, env: NodeJS.ProcessEnv): Promise<OwnEngine> {
  const bin = join(root, "bin");
  const file = join(bin, `pulumi${EXE}`);
  if (!isExecutable(file)) throw new Error(`there is no program ${file}`);
  return { root, bin, version: await checked(bin, env) };
}

/** The first engine on PATH. Rejects when there is none that will do. */
export async function engineOnPath(layout: Layout, env: NodeJS.ProcessEnv): Promise<OwnEngine> {
  const bin = foldersOnPath(env).find((folder) => isExecutable(join(folder, `pulumi${EXE}`)));
  if (bin === undefined) throw new Error("there is no pulumi on PATH");
  const version = await checked(bin, env);
  const root = basename(bin) === "bin" ? dirname(bin) : await rootOfLinks(layout, bin);
  return { root, bin: join(root, "bin"), version };
}

/** The Automation API wants <root>/bin/pulumi: an engine in a folder of another name gets a folder of links. */
async function rootOfLinks(layout: Layout, bin: string): Promise<string> {
  const key = createHash("sha256").update(realpathSync(bin)).digest("hex").slice(0, 12);
  const root = join(layout.cache, `links-${key}`);
  const links = join(root, "bin");
  await mkdir(links, { recursive: true });
  const wanted = readdirSync(bin).filter((name) => name === `pulumi${EXE}` || name.startsWith("pulumi-"));
  for (const name of wanted) {
    if (existsSync(join(links, name))) continue;
    await rm(join(links, name), { force: true });
    await symlink(join(bin, name), join(links, name)).catch((error: unknown) => {
      // Another run may be making the same link.
      if (!existsSync(join(links, name))) throw error;
    });
  }
  return root;
}
