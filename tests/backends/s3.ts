import { mkdirSync } from "node:fs";
import { join } from "node:path";
import { freePort, randomSecret } from "../../tools/base/loopback";
import { answers, serverProcess } from "../../tools/base/server";
import { filesOf } from "../../tools/release/tree";

const [HOST, BUCKET, REGION] = ["127.0.0.1", "state", "us-east-1"];

/** A server whose data is in a new folder, not yet started. */
export async function s3In(folder: string, program: string) {
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
    environment: (room: string) => ({
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
    dump: (room: string) => Promise.resolve([...filesOf(join(data, BUCKET, room)).values()].join("\n")),
  };
}
