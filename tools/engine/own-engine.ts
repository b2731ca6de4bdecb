import { delimiter, join } from "node:path";
import { runCommand } from "./command";
import { isExecutable } from "./entry";
import { OLDEST_ENGINE } from "./layout";
import { isAtLeast, parseVersion } from "../../provider/base/version";

/** A working Pulumi engine: CLI, Node language host and dynamic provider plugin. */
export interface Engine {
  /** Holds the executables: put it first on PATH. */
  readonly bin: string;
  readonly version: string;
  /** Where it came from. */
  readonly source: "PATH" | "cache" | "download" | "build";
}

/** The ending of a program's file. */
export const EXE = process.platform === "win32" ? ".exe" : "";
const LANGUAGE_HOST = `pulumi-language-nodejs${EXE}`;

export function foldersOnPath(env: NodeJS.ProcessEnv): string[] {
  return (env.PATH ?? "").split(delimiter).filter((folder) => folder !== "");
}

/** The first engine on PATH. Rejects when there is none that will do. */
export async function engineOnPath(env: NodeJS.ProcessEnv): Promise<Engine> {
  const folders = foldersOnPath(env);
  const bin = folders.find((folder) => isExecutable(join(folder, `pulumi${EXE}`)));
  if (bin === undefined) throw new Error("there is no pulumi on PATH");
  const file = join(bin, `pulumi${EXE}`);
  const quiet = { ...env, PULUMI_SKIP_UPDATE_CHECK: "true" };
  const version = parseVersion(await runCommand({ file, args: ["version"], env: quiet, timeout: 20_000 }));
  if (version === undefined) throw new Error(`${file} does not say its version`);
  if (!isAtLeast(version, OLDEST_ENGINE)) throw new Error(`${file} is ${version}, older than ${OLDEST_ENGINE}`);
  if (!folders.some((folder) => isExecutable(join(folder, LANGUAGE_HOST)))) {
    throw new Error(`${file} has no Node language host (${LANGUAGE_HOST}) beside it or on PATH`);
  }
  return { bin, version, source: "PATH" };
}
