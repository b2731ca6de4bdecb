import { createHash } from "node:crypto";
import { mkdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import type { Server } from "node:net";
import { join } from "node:path";
import { setTimeout as pause } from "node:timers/promises";
import { DBOSClient } from "@dbos-inc/dbos-sdk";
import type { PGlite } from "@electric-sql/pglite";
import { Pool, type PoolConfig } from "pg";
import { CliError, wrongUsage } from "../cli/base/cli-error";
import { folderId, lockOf } from "../cli/base/lock";
import { messageOf } from "../provider/base/errors";
import { noteSecrets } from "../provider/base/masker";
import { ownFolder } from "../provider/base/own-folder";
import { LEASE } from "./process";

/** The database of a fleet: the workflows of DBOS, who is a worker, and who runs which engine. */
export interface Database {
  /** Also that of DBOS: the embedded database takes one connection. */
  readonly pool: Pool;
  /** Reads and steers the workflows. */
  readonly client: DBOSClient;
  /** For people, without a password. */
  readonly shown: string;
  readonly isEmbedded: boolean;
  /** Does what only one worker may do at a time. */
  alone<Result>(act: () => Promise<Result>): Promise<Result>;
  close(): Promise<void>;
}

export const VERSION = "0.2.0";

/** The address is not used, since there is a pool; DBOS reads the name of its database there. */
export const APPLICATION = {
  applicationName: "agent-platform-fleet",
  systemDatabaseUrl: "postgresql://postgres@localhost/postgres",
};

/** Runs and their stacks are workflows of DBOS (schema dbos). A sealed value is forgotten with its run, which a workflow's input is not. */
const TABLES = `
  BEGIN;
  SELECT pg_advisory_xact_lock(6120713);
  CREATE SCHEMA IF NOT EXISTS fleet;
  CREATE TABLE IF NOT EXISTS fleet.sealed (run text PRIMARY KEY, value text NOT NULL);
  CREATE TABLE IF NOT EXISTS fleet.failures (run text, stack text, PRIMARY KEY (run, stack));
  CREATE TABLE IF NOT EXISTS fleet.workers (id text PRIMARY KEY, machine text NOT NULL, pid integer NOT NULL, birth text NOT NULL,
    beat timestamptz NOT NULL DEFAULT now());
  CREATE TABLE IF NOT EXISTS fleet.engines (id bigserial PRIMARY KEY, run text NOT NULL, stack text NOT NULL, command text NOT NULL, worker text NOT NULL,
    machine text NOT NULL, pid integer, birth text, began timestamptz NOT NULL DEFAULT now(), ended timestamptz, how text);
  CREATE UNIQUE INDEX IF NOT EXISTS one_engine ON fleet.engines (stack) WHERE ended IS NULL;
  COMMIT;`;

type Opened = Pick<Database, "pool" | "client" | "close">;

async function openPool(config: PoolConfig, shown: string): Promise<Opened> {
  // An idle connection that breaks is replaced; without a listener it would end the process.
  const pool = new Pool(config).on("error", () => undefined);
  try {
    await pool.query(TABLES);
    const client = await DBOSClient.create({ ...APPLICATION, systemDatabasePool: pool });
    return { pool, client, close: () => client.destroy().then(() => pool.end()) };
  } catch (error) {
    await pool.end();
    throw new CliError(`the database ${shown} cannot be used: ${messageOf(error)}`, { cause: error });
  }
}

/** Opens a Postgres. Throws CliError if it does not answer. */
export async function openPostgres(url: string): Promise<Database> {
  let shown: string;
  try {
    const { protocol, username, password, host, pathname, searchParams } = new URL(url);
    if (!/^postgres(ql)?:$/.test(protocol)) throw new Error("it must begin with postgres://");
    const secret = password || searchParams.get("password");
    // As the password of an address, also if it is a word. The address itself is for people to run.
    if (secret) noteSecrets(`any://${username}:${secret}@`);
    shown = `postgres://${username}@${host}${pathname}`;
  } catch (error) {
    throw wrongUsage(`--database (or FLEET_DATABASE_URL) is not the address of a Postgres server: ${messageOf(error)}`);
  }
  const limits = { max: 10, connectionTimeoutMillis: 10_000, query_timeout: 30_000, keepAlive: true };
  const opened = await openPool({ connectionString: url, ...limits }, shown);
  return { ...opened, isEmbedded: false, shown, alone: (act) => withLock(opened.pool, act) };
}

async function withLock<Result>(pool: Pool, act: () => Promise<Result>): Promise<Result> {
  const client = await pool.connect();
  // Without a listener, a connection that breaks between two statements would end the process.
  client.on("error", () => undefined);
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

/**
 * Opens the Postgres whose data is in a folder (PGlite): in this process, or if another one has it open, over that one's socket, where `isToWork`
 * refuses it. A look has it open for a moment, and a process that is just opening it does not answer yet: so it tries for a while.
 */
export async function openEmbedded(folder: string, isToWork: boolean): Promise<Database> {
  mkdirSync(folder, { recursive: true, mode: 0o700 });
  for (const late = Date.now() + 30_000; ;) {
    const lock = await lockOf(folder, "fleet");
    try {
      if (lock !== undefined) return await serve(folder, lock);
      if (isToWork) throw new CliError(HELD);
      const address = readFileSync(addressFileIn(folder), "utf8");
      return embedded(folder, await openPool({ ...socketIn(address), ...PATIENCE }, folder));
    } catch (error) {
      lock?.close();
      if (lock === undefined && /timeout( expired)?$/.test(messageOf(error)))
        throw new CliError(`the process that has ${folder} open does not answer: end it, then try again`);
      if (lock !== undefined || Date.now() > late) throw error;
      await pause(50);
    }
  }
}

const HELD =
  "another process of this fleet has the embedded database open: watch it with `status`, end it with `cancel`, or give all of them a --database";

/** For whoever answers over a socket: it may have been stopped. */
const PATIENCE = { connectionTimeoutMillis: LEASE * 1000, query_timeout: LEASE * 1000 };

const socketIn = (host: string): PoolConfig => ({ host, port: 5432, user: "postgres", database: "postgres", max: 1 });

/** Whoever has the database open says there where its socket is, since folders for temporary files differ. */
const addressFileIn = (folder: string): string => join(folder, "agent-platform-fleet.socket");

const embedded = (folder: string, opened: Opened): Database => ({
  ...opened,
  isEmbedded: true,
  shown: `embedded, in ${folder}`,
  alone: (act) => act(),
});

/** Has the database open for all connections of a socket, until it is closed. */
async function serve(folder: string, lock: Server): Promise<Database> {
  const { PGlite } = await import("@electric-sql/pglite");
  const { PGLiteSocketServer } = await import("@electric-sql/pglite-socket");
  // The path of a socket is short, and nobody else may enter.
  const address = ownFolder(
    join(ownFolder(), `fleet-${createHash("sha256").update(folderId(folder)).digest("hex").slice(0, 16)}`),
  );
  const db = await PGlite.create(folder);
  inTurns(db);
  const path = join(address, ".s.PGSQL.5432");
  rmSync(path, { force: true });
  const server = new PGLiteSocketServer({ db, path, maxConnections: 20 });
  await server.start();
  writeFileSync(addressFileIn(folder), address, { mode: 0o600 });
  const stop = async (): Promise<void> => {
    await server.stop();
    await db.close();
    lock.close();
  };
  try {
    const opened = await openPool(socketIn(address), folder);
    return embedded(folder, { ...opened, close: () => opened.close().then(stop) });
  } catch (error) {
    await stop();
    throw error;
  }
}

/** The server lets another connection in unless there is a transaction: also in the middle of a statement, whose messages end with a Sync. */
function inTurns(db: PGlite): void {
  const run = db.execProtocolRawStream.bind(db);
  const isTransaction = db.isInTransaction.bind(db);
  let isStatement = false;
  db.isInTransaction = () => isStatement || isTransaction();
  db.execProtocolRawStream = (message, options) => {
    // Parse, Bind, Describe, Execute, Close and Flush.
    isStatement = "PBDECH".includes(String.fromCharCode(message[0] ?? 0));
    return run(message, options);
  };
}
