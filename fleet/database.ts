import { createHash } from "node:crypto";
import { mkdirSync, rmSync } from "node:fs";
import { connect, createServer, type Server } from "node:net";
import { join } from "node:path";
import { text as textOf } from "node:stream/consumers";
import { setTimeout as pause } from "node:timers/promises";
import { Pool } from "pg";
import { CliError, wrongUsage } from "../cli/base/cli-error";
import { messageOf } from "../provider/base/errors";
import { asObject, isParsedJson, type Json } from "../provider/base/json";
import { noteSecrets } from "../provider/base/masker";
import { ownFolder } from "../provider/base/own-folder";

/** The database that holds the workflows and the tables of a fleet. */
export interface Database {
  /** Also that of DBOS: the embedded database takes one connection. */
  readonly pool: Pool;
  readonly isEmbedded: boolean;
  /** For people, without a password. */
  readonly shown: string;
  /** Does what only one process may do at a time: DBOS's migrations fail where two make the same tables. */
  alone<Result>(act: () => Promise<Result>): Promise<Result>;
  close(): Promise<void>;
}

/** Workflows are DBOS's (schema dbos); here is what people look at, and who runs which engine. */
const TABLES = `
  BEGIN;
  SELECT pg_advisory_xact_lock(6120713);
  CREATE SCHEMA IF NOT EXISTS fleet;
  CREATE TABLE IF NOT EXISTS fleet.runs (id text PRIMARY KEY, command text NOT NULL, plan text NOT NULL, details text NOT NULL DEFAULT '{}',
    sealed text, stopped boolean NOT NULL DEFAULT false, began timestamptz NOT NULL DEFAULT now(), ended timestamptz, verdict text, at text);
  CREATE UNIQUE INDEX IF NOT EXISTS one_run ON fleet.runs ((1)) WHERE ended IS NULL;
  CREATE TABLE IF NOT EXISTS fleet.stacks (run text NOT NULL, task text NOT NULL, stack text NOT NULL, state text NOT NULL, reason text,
    seconds real NOT NULL DEFAULT 0, report text, ended timestamptz NOT NULL DEFAULT now(), PRIMARY KEY (run, task));
  CREATE TABLE IF NOT EXISTS fleet.workers (id text PRIMARY KEY, host text NOT NULL, machine text NOT NULL, pid integer NOT NULL, birth text NOT NULL,
    beat timestamptz NOT NULL DEFAULT now(), heir text);
  CREATE TABLE IF NOT EXISTS fleet.engines (id bigserial PRIMARY KEY, run text NOT NULL, stack text NOT NULL, command text NOT NULL, worker text NOT NULL,
    host text NOT NULL, machine text NOT NULL, pid integer, birth text, began timestamptz NOT NULL DEFAULT now(), ended timestamptz, how text);
  CREATE UNIQUE INDEX IF NOT EXISTS one_engine ON fleet.engines (stack) WHERE ended IS NULL;
  COMMIT;`;

/** Opens a Postgres. Throws CliError if it does not answer. */
export async function openPostgres(url: string): Promise<Database> {
  let shown: string;
  try {
    const { protocol, username, password, host, pathname } = new URL(url);
    if (!/^postgres(ql)?:$/.test(protocol)) throw new Error("it must begin with postgres://");
    noteSecrets([decodeURIComponent(password), url]);
    shown = `postgres://${username}@${host}${pathname}`;
  } catch (error) {
    throw wrongUsage(`--database is no address of a Postgres: ${messageOf(error)}`);
  }
  const pool = poolOf(
    new Pool({
      connectionString: url,
      max: 10,
      connectionTimeoutMillis: 10_000,
      query_timeout: 30_000,
      keepAlive: true,
    }),
  );
  await makeTables(pool, shown);
  return { pool, isEmbedded: false, shown, alone: (act) => withLock(pool, act), close: () => pool.end() };
}

async function withLock<Result>(pool: Pool, act: () => Promise<Result>): Promise<Result> {
  const client = await pool.connect();
  try {
    // Not a statement that waits: an index that is made concurrently would wait for it in turn.
    const mine = async (): Promise<boolean> =>
      (await client.query("SELECT 1 WHERE pg_try_advisory_lock(6120714)")).rowCount === 1;
    while (!(await mine())) await pause(200);
    return await act();
  } finally {
    // The lock ends with the connection.
    client.release(true);
  }
}

function poolOf(pool: Pool): Pool {
  // An idle connection that breaks is replaced; without a listener it would end the process.
  return pool.on("error", () => undefined);
}

async function makeTables(pool: Pool, shown: string): Promise<void> {
  try {
    await pool.query(TABLES);
  } catch (error) {
    await pool.end();
    throw new CliError(`the database ${shown} cannot be used: ${messageOf(error)}`, { cause: error });
  }
}

/** What the holder of an embedded database does for other processes. */
export type Answer = (request: Json) => Promise<Json>;

/** Where the sockets of an embedded database are: the path of a socket is short, and nobody else may enter. */
const socketsOf = (folder: string): string =>
  join(ownFolder(), `fleet-${createHash("sha256").update(folder).digest("hex").slice(0, 16)}`);

/**
 * Opens the Postgres in this process (PGlite) whose data is in a folder; undefined if another process has it open. While it is open, others can ask
 * this process: every statement then goes through one connection, which is all that it has.
 */
export async function openEmbedded(folder: string, answer: Answer): Promise<Database | undefined> {
  const sockets = ownFolder(socketsOf(folder));
  const lock = await lockOf(sockets);
  if (lock === undefined) return undefined;
  const { PGlite } = await import("@electric-sql/pglite");
  const { PGLiteSocketServer } = await import("@electric-sql/pglite-socket");
  mkdirSync(folder, { recursive: true, mode: 0o700 });
  const data = await PGlite.create(folder);
  // The name that the client makes of the folder and the port.
  const path = join(sockets, ".s.PGSQL.5432");
  rmSync(path, { force: true });
  const server = new PGLiteSocketServer({ db: data, path, maxConnections: 1 });
  await server.start();
  const pool = poolOf(new Pool({ host: sockets, port: 5432, user: "postgres", database: "postgres", max: 1 }));
  await makeTables(pool, folder);
  const control = await listening(answering(answer), controlOf(sockets));
  const close = async (): Promise<void> => {
    control.close();
    await pool.end();
    await server.stop();
    await data.close();
    lock.close();
  };
  return { pool, isEmbedded: true, shown: `embedded, in ${folder}`, alone: (act) => act(), close };
}

const controlOf = (sockets: string): string => join(sockets, "control");

/** A name that the system gives to one process at a time, and takes back when it ends. Elsewhere than on Linux: a socket that answers. */
async function lockOf(sockets: string): Promise<Server | undefined> {
  const server = createServer((socket) => socket.destroy());
  const path = process.platform === "linux" ? `\0${sockets}` : join(sockets, "lock");
  if (process.platform !== "linux" && !(await answers(path))) rmSync(path, { force: true });
  try {
    return await listening(server, path);
  } catch {
    return undefined;
  }
}

const answers = (path: string): Promise<boolean> =>
  new Promise((resolve) => {
    const socket = connect(path);
    socket.once("connect", () => resolve(true)).once("error", () => resolve(false));
    socket.once("connect", () => socket.destroy());
  });

async function listening(server: Server, path: string): Promise<Server> {
  if (!path.startsWith("\0") && path.endsWith("control")) rmSync(path, { force: true });
  await new Promise<void>((resolve, reject) => server.once("error", reject).listen(path, resolve));
  // It ends with the process.
  return server.unref();
}

function answering(answer: Answer): Server {
  return createServer({ allowHalfOpen: true }, (socket) => {
    let asked = "";
    const reply = async (): Promise<Json> => ({ answer: await answer(jsonOf(asked)) });
    const end = (said: Json): unknown => socket.end(JSON.stringify(said));
    socket.setEncoding("utf8").on("data", (text: string) => (asked += text));
    socket.once("end", () => void reply().then(end, (error: unknown) => end({ error: messageOf(error) })));
    socket.on("error", () => undefined);
  });
}

/** Asks the process that has the embedded database open; undefined if it gives no answer, as while it opens or closes it. */
export async function askHolder(folder: string, request: Json): Promise<Json | undefined> {
  const socket = connect({ path: controlOf(socketsOf(folder)), allowHalfOpen: true });
  socket.end(JSON.stringify(request));
  const said = asObject(await textOf(socket).then(jsonOf, () => undefined));
  if (typeof said["error"] === "string") throw new CliError(said["error"]);
  return said["answer"];
}

function jsonOf(text: string): Json {
  const value: unknown = JSON.parse(text);
  if (!isParsedJson(value)) throw new Error("no JSON");
  return value;
}
