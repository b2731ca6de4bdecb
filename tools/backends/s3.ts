import { mkdirSync } from "node:fs";
import { join } from "node:path";
import { ensureBuilt, entryOf, type GoProgram } from "../engine/build";
import { isExecutable } from "../engine/entry";
import { findCheckout } from "../engine/layout";
import { placeOf } from "../engine/ways";
import { freePort, randomSecret } from "../base/loopback";
import { filesOf } from "../release/tree";
import { answers, serverProcess, type BackendServer } from "../base/server";

/** The S3 server: versitygw, which keeps objects as files of a folder. */
const VERSION = "1.8.0";
const [HOST, BUCKET, REGION] = ["127.0.0.1", "state", "us-east-1"];

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

export async function s3In(folder: string, program: string): Promise<BackendServer> {
  const [access, secret, port] = [randomSecret(), randomSecret(), await freePort()];
  const data = join(folder, "data");
  // Its buckets are the folders there.
  mkdirSync(join(data, BUCKET), { recursive: true });
  const env = { PATH: process.env["PATH"], ROOT_ACCESS_KEY: access, ROOT_SECRET_KEY: secret };
  const args = ["--port", `${HOST}:${port}`, "--region", REGION, "--quiet", "posix", data];
  const command = { file: program, args, env, log: join(folder, "log"), end: "SIGTERM" } as const;
  const url = `http://${HOST}:${port}`;
  const query = `endpoint=${url}&s3ForcePathStyle=true&region=${REGION}`;
  return {
    ...serverProcess("S3", command, () => answers(url)),
    environment: (room) => ({
      PULUMI_BACKEND_URL: `s3://${BUCKET}/${room}?${query}`,
      AWS_ACCESS_KEY_ID: access,
      AWS_SECRET_ACCESS_KEY: secret,
      // The user's own profiles and roles must not apply.
      AWS_PROFILE: undefined,
      AWS_SESSION_TOKEN: undefined,
      AWS_CONFIG_FILE: join(folder, "none"),
      AWS_SHARED_CREDENTIALS_FILE: join(folder, "none"),
      AWS_EC2_METADATA_DISABLED: "true",
    }),
    dump: (room) => Promise.resolve([...filesOf(join(data, BUCKET, room)).values()].join("\n")),
  };
}
