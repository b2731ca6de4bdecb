import { ensurePostgres, findPostgres, postgresIn } from "./postgres";
import { ensureS3Server, findS3Server, s3In } from "./s3";

/**
 * The real servers that the backends are tested on. `find` gives what runs one, where it is there; `ensure` installs that otherwise, and rejects with what to do;
 * `open` gives a server whose data is in a new folder, not yet started.
 */
export const BACKENDS = [
  { name: "Postgres", find: findPostgres, ensure: ensurePostgres, open: postgresIn },
  { name: "S3", find: findS3Server, ensure: ensureS3Server, open: s3In },
] as const;
