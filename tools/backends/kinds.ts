import { ensurePostgres, findPostgres, postgresIn } from "./postgres";
import { ensureS3Server, findS3Server, s3In } from "./s3";
import type { BackendServer } from "./server";

/** A kind of server that stacks can keep their state in. */
export interface BackendKind {
  readonly name: string;
  /** What runs it; undefined where it is not there yet. */
  find(): string | undefined;
  /** Finds it, or installs it. Rejects with what to do. */
  ensure(): Promise<string>;
  /** The server whose data is in this new folder, not yet started. */
  open(folder: string, program: string): Promise<BackendServer>;
}

/** The real servers that the backends are tested on. */
export const BACKENDS: readonly BackendKind[] = [
  { name: "Postgres", find: () => findPostgres(), ensure: () => ensurePostgres(), open: postgresIn },
  { name: "S3", find: () => findS3Server(), ensure: () => ensureS3Server(), open: s3In },
];
