import { ensurePostgres, findPostgres, postgresIn } from "./postgres";
import { ensureS3Server, findS3Server, s3In } from "./s3";
import type { Server } from "../base/server";

/** A server that keeps the states of stacks: on loopback, with its data in one folder. */
export interface BackendServer extends Server {
  /** What `pulumi` needs to keep states there. Each room is a backend of its own. @param room lower-case letters, digits and "_" */
  environment(room: string): NodeJS.ProcessEnv;
  /** All that it holds of a room, in plain text. */
  dump(room: string): Promise<string>;
}

/**
 * The real servers that the backends are tested on. `find` gives what runs one, where it is there; `ensure` installs that otherwise, and rejects with what to do;
 * `open` gives a server whose data is in a new folder, not yet started.
 */
export const BACKENDS = [
  { name: "Postgres", find: findPostgres, ensure: ensurePostgres, open: postgresIn },
  { name: "S3", find: findS3Server, ensure: ensureS3Server, open: s3In },
] as const;
