import { existsSync, readdirSync } from "node:fs";
import { join } from "node:path";
import { runCommand } from "../engine/command";
import { isExecutable } from "../engine/entry";
import { foldersOnPath } from "../engine/own-engine";
import { logToStderr } from "../engine/ways";

const PROGRAMS = ["initdb", "postgres", "psql", "pg_isready"];
/** Where Debian puts the programs of each version: not on PATH. */
const DEBIAN = "/usr/lib/postgresql";

/** The folder with PostgreSQL's programs: on PATH, or Debian's newest; undefined where it is not installed. */
export function findPostgres(env: NodeJS.ProcessEnv = process.env, debian = DEBIAN): string | undefined {
  const versions = existsSync(debian) ? readdirSync(debian).sort((one, other) => Number(other) - Number(one)) : [];
  const folders = [...foldersOnPath(env), ...versions.map((version) => join(debian, version, "bin"))];
  return folders.find((folder) => PROGRAMS.every((name) => isExecutable(join(folder, name))));
}

const MANUAL =
  "Install PostgreSQL (Debian: `apt-get install postgresql`, macOS: `brew install postgresql`) and run this again.";

/** Finds PostgreSQL, or installs Debian's package where this user may. Rejects with what to do elsewhere. */
export async function ensurePostgres(env: NodeJS.ProcessEnv = process.env, log = logToStderr): Promise<string> {
  const found = findPostgres(env);
  if (found !== undefined) return found;
  const hasApt = foldersOnPath(env).some((folder) => isExecutable(join(folder, "apt-get")));
  if (!hasApt || process.getuid?.() !== 0) {
    throw new Error(`There is no PostgreSQL here, and only root of a Debian could install it by itself. ${MANUAL}`);
  }
  log("Installing Debian's PostgreSQL (60 MB, once) ...");
  // Run level 1: the package starts no server of its own.
  const quiet = { ...env, DEBIAN_FRONTEND: "noninteractive", RUNLEVEL: "1" };
  const apt = (...args: string[]) =>
    runCommand({ file: "apt-get", args: ["-qq", ...args], env: quiet, timeout: 600_000 });
  await apt("update");
  await apt("install", "--yes", "--no-install-recommends", "postgresql");
  const installed = findPostgres(env);
  if (installed === undefined) throw new Error(`apt-get installed no complete PostgreSQL. ${MANUAL}`);
  return installed;
}
