import { join } from "node:path";
import { version } from "../../provider/base/version";
import { makeRelease } from "../../tools/release/release";

export const CHECKOUT = join(__dirname, "..", "..");
/** The time of the commit, as if there were one. */
export const TIME = new Date("2026-03-01T12:00:00Z");

/** This machine, as the names of archives have it. */
export const SYSTEM = `${process.platform}-${process.arch === "x64" ? "amd64" : process.arch}`;

/** A release, and in it what a user of this machine installs, as paths. */
export interface Artefacts {
  readonly folder: string;
  /** A sentence for each SDK that could not be compiled here. */
  readonly missing: readonly string[];
  readonly npm: string;
  readonly plugin: string;
  readonly wheel: string;
  /** The folder of the Go module. */
  readonly go: string;
}

/** Makes in `folder` what `npm run release -- --dry-run` makes of a commit. */
export async function makeArtefacts(folder: string): Promise<Artefacts> {
  const log = (line: string): void => void process.stderr.write(`${line}\n`);
  return {
    folder,
    missing: await makeRelease({ checkout: CHECKOUT, env: process.env, log, time: TIME }, folder),
    npm: join(folder, `pulumi-agent-platform-${version()}.tgz`),
    plugin: join(folder, `pulumi-resource-agent-platform-v${version()}-${SYSTEM}.tar.gz`),
    wheel: join(folder, "python", `pulumi_agent_platform-${version()}-py3-none-any.whl`),
    go: join(folder, "go", `pulumi-agent-platform-go-${version()}`),
  };
}
