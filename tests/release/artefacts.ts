import { existsSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { z } from "zod";
import { version } from "../../provider/base/version";
import { makeRelease } from "../../tools/release/release";
import { commitTime } from "../../tools/release/tree";

const CHECKOUT = join(__dirname, "..", "..");
const place = {
  checkout: CHECKOUT,
  env: process.env,
  log: (line: string): void => void process.stderr.write(`${line}\n`),
};

/** This machine, as the names of archives have it. */
export const SYSTEM = `${process.platform}-${process.arch === "x64" ? "amd64" : process.arch}`;

/** The artefacts of a release that a user of this machine installs, as paths. */
export interface Artefacts {
  readonly npm: string;
  readonly plugin: string;
  readonly wheel: string;
  /** The folder of the Go module. */
  readonly go: string;
}

/** What `npm run release -- --dry-run` has made of this commit. Where it has not, or the tree has changes, this makes the same in `folder`. */
export async function releaseArtefacts(folder: string): Promise<Artefacts> {
  const kept = join(CHECKOUT, ".state", "release");
  const commit = await commitTime(place).catch(() => undefined);
  if (commit !== undefined && madeOf(kept) === commit.getTime()) return artefactsIn(kept);
  // As a commit has it: whole seconds.
  const time = commit ?? new Date(Math.trunc(Date.now() / 1000) * 1000);
  await makeRelease({ ...place, time }, folder);
  return artefactsIn(folder);
}

const Bill = z.object({ metadata: z.object({ timestamp: z.string() }) });

/** The time of the commit that a release was made of. */
function madeOf(folder: string): number | undefined {
  const file = join(folder, "sbom.cdx.json");
  if (!existsSync(file)) return undefined;
  return Date.parse(Bill.parse(JSON.parse(readFileSync(file, "utf8"))).metadata.timestamp);
}

function artefactsIn(folder: string): Artefacts {
  return {
    npm: join(folder, `pulumi-agent-platform-${version()}.tgz`),
    plugin: join(folder, `pulumi-resource-agent-platform-v${version()}-${SYSTEM}.tar.gz`),
    wheel: join(folder, "python", `pulumi_agent_platform-${version()}-py3-none-any.whl`),
    go: join(folder, "go", `pulumi-agent-platform-go-${version()}`),
  };
}
