import { ensurePostgres, findPostgres } from "./postgres";
import { ensureS3Server, findS3Server } from "./s3";

/**
 * The real servers that the backends are tested on (tests/backends). `find` gives what runs one, where it is there; `ensure` installs that otherwise, and
 * rejects with what to do.
 */
export const BACKENDS = [
  { name: "Postgres", find: findPostgres, ensure: ensurePostgres },
  { name: "S3", find: findS3Server, ensure: ensureS3Server },
] as const;
