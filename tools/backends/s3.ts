import { join } from "node:path";
import { ensureBuilt, entryOf, type GoProgram } from "../engine/build";
import { isExecutable } from "../engine/entry";
import { findCheckout } from "../engine/layout";
import { placeOf } from "../engine/ways";

/** The S3 server: versitygw, which keeps objects as files of a folder. */
const VERSION = "1.8.0";

const PROGRAM: GoProgram = {
  module: join(findCheckout(), "tools", "backends", "s3"),
  package: ["github.com/versity/versitygw/cmd/versitygw"],
  ldflags: `-X main.Version=v${VERSION}`,
  oldestGo: "1.25.0",
  name: `S3 server ${VERSION}`,
  file: "versitygw",
  check: ["--version"],
};

/** The program of the S3 server; undefined where it has not been built yet. */
export function findS3Server(env: NodeJS.ProcessEnv = process.env): string | undefined {
  const program = join(entryOf(PROGRAM, env), "bin", PROGRAM.file);
  return isExecutable(program) ? program : undefined;
}

/** Finds the S3 server, or builds it with Go from the modules that s3/go.sum names. Safe in several processes at once. */
export const ensureS3Server = (): Promise<string> => ensureBuilt(PROGRAM, placeOf({}));
