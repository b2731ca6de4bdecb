import { existsSync, readdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { runCommand, succeeds } from "../engine/command";
import { isExecutable } from "../engine/entry";
import { foldersOnPath } from "../engine/own-engine";
import { logToStderr } from "../engine/ways";
import { freePort, randomSecret } from "../base/loopback";
import { serverProcess, type BackendServer } from "../base/server";

const PROGRAMS = ["initdb", "postgres", "psql", "pg_isready"];
/** Where Debian puts the programs of each version: not on PATH. */
const DEBIAN = "/usr/lib/postgresql";
const [USER, HOST, DATABASE] = ["state", "127.0.0.1", "postgres"];

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

/**
 * PostgreSQL refuses to run as root. There it runs as the user of its package, which keeps root's right to pass folders that are
 * closed to others: the checkout may lie in one.
 */
export function notAsRoot(file: string, args: readonly string[], uid = process.getuid?.()): [string, string[]] {
  if (uid !== 0) return [file, [...args]];
  const rights = ["--inh-caps=+dac_override", "--ambient-caps=+dac_override"];
  return ["setpriv", ["--reuid=postgres", "--regid=postgres", "--clear-groups", ...rights, file, ...args]];
}

export async function postgresIn(folder: string, bin: string): Promise<BackendServer> {
  const [password, port] = [randomSecret(), await freePort()];
  const env = { PATH: process.env["PATH"], LANG: "C.UTF-8" };
  const data = join(folder, "data");
  const address = ["--host", HOST, "--port", String(port)];
  const passwordFile = join(folder, "password");
  writeFileSync(passwordFile, password, { mode: 0o600 });
  const access = ["--username", USER, "--pwfile", passwordFile, "--auth", "scram-sha-256"];
  const [initialize, how] = notAsRoot(join(bin, "initdb"), ["--pgdata", data, "--encoding", "UTF8", ...access]);
  await runCommand({ file: initialize, args: how, env, timeout: 120_000 });
  const settings = [`listen_addresses=${HOST}`, `port=${port}`, "unix_socket_directories="];
  const [file, args] = notAsRoot(join(bin, "postgres"), ["-D", data, ...settings.flatMap((each) => ["-c", each])]);
  const isReady = () => succeeds({ file: join(bin, "pg_isready"), args: ["--quiet", ...address], env });
  // SIGINT: a fast shutdown, which closes the connections of clients.
  const command = { file, args, env, log: join(folder, "log"), end: "SIGINT" } as const;
  return {
    ...serverProcess("Postgres", command, isReady),
    environment: (room) => ({
      PULUMI_BACKEND_URL: `postgres://${USER}@${HOST}:${port}/${DATABASE}?sslmode=disable&table=${room}`,
      PGPASSWORD: password,
    }),
    // The engine stores each file in base64.
    dump: (room) =>
      runCommand({
        file: join(bin, "psql"),
        args: [...address, "--username", USER, "-At", "-c", `SELECT key, ${DECODED} FROM ${room}`, DATABASE],
        env: { ...env, PGPASSWORD: password },
      }),
  };
}

const DECODED = "convert_from(decode(data->>'data', 'base64'), 'UTF8')";
