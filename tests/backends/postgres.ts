import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { freePort, randomSecret } from "../../tools/base/loopback";
import { serverProcess } from "../../tools/base/server";
import { runCommand, succeeds } from "../../tools/engine/command";

const [USER, HOST, DATABASE] = ["state", "127.0.0.1", "postgres"];

/**
 * PostgreSQL refuses to run as root. There it runs as the user of its package, which keeps root's right to pass folders that are
 * closed to others: the checkout may lie in one.
 */
function notAsRoot(file: string, args: readonly string[], uid = process.getuid?.()): [string, string[]] {
  if (uid !== 0) return [file, [...args]];
  const rights = ["--inh-caps=+dac_override", "--ambient-caps=+dac_override"];
  return ["setpriv", ["--reuid=postgres", "--regid=postgres", "--clear-groups", ...rights, file, ...args]];
}

/** A server whose data is in a new folder, not yet started. @param bin The folder with PostgreSQL's programs. */
export async function postgresIn(folder: string, bin: string) {
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
    environment: (room: string) => ({
      PULUMI_BACKEND_URL: `postgres://${USER}@${HOST}:${port}/${DATABASE}?sslmode=disable&table=${room}`,
      PGPASSWORD: password,
    }),
    // The engine stores each file in base64.
    dump: (room: string) =>
      runCommand({
        file: join(bin, "psql"),
        args: [...address, "--username", USER, "-At", "-c", `SELECT key, ${DECODED} FROM ${room}`, DATABASE],
        env: { ...env, PGPASSWORD: password },
      }),
  };
}

const DECODED = "convert_from(decode(data->>'data', 'base64'), 'UTF8')";
