import { join } from "node:path";
import { buildInto } from "./build";
import { downloadInto } from "./download";
import { findSameBinary, linkOrCopy, makeEntry, readEntry, refreshCheckout } from "./entry";
import { reasonOf } from "./failure";
import { ENGINE_VERSION, OLDEST_ENGINE, OLDEST_GO, type Layout } from "./layout";
import { engineInRoot, engineOnPath, type OwnEngine } from "./own-engine";
import { tryWay, dependenciesOf, makeAlone, nothingWorked, type Dependencies, type EngineOptions } from "./ways";

/** Where an engine came from. */
export type EngineSource = "PULUMI_CLI_ROOT" | "PATH" | "cache" | "download" | "build";

/** A working Pulumi engine: CLI, Node language host and dynamic provider plugin. */
export interface Engine {
  /** For `PulumiCommand.get({ root })` and PULUMI_CLI_ROOT: holds bin/pulumi. */
  readonly root: string;
  /** Holds the executables: put it first on PATH for the plain CLI. */
  readonly bin: string;
  readonly version: string;
  readonly source: EngineSource;
}

/** No way led to an engine. */
function noEngine({ attempts }: Dependencies): Error {
  return nothingWorked("Pulumi engine", attempts, [
    `install the Pulumi CLI ${OLDEST_ENGINE} or newer: https://www.pulumi.com/docs/install/`,
    `install Go ${OLDEST_GO} or newer (https://go.dev/dl/) and run this again: the engine is then built, once`,
    "let this machine reach https://github.com and run this again",
    "set PULUMI_CLI_ROOT to a folder that contains bin/pulumi and bin/pulumi-language-nodejs",
  ]);
}

function engineAt(root: string, version: string, source: EngineSource): Engine {
  return { root, bin: join(root, "bin"), version, source };
}

function fromCache(layout: Layout): Engine | undefined {
  const manifest = readEntry(layout.entry);
  if (manifest === undefined) return undefined;
  refreshCheckout(layout, manifest);
  return engineAt(layout.entry, manifest.version, "cache");
}

async function make(dependencies: Dependencies): Promise<Engine | undefined> {
  const { layout, env, log, attempts } = dependencies;
  const same = findSameBinary(layout);
  if (same !== undefined) {
    const done = await tryWay(attempts, `the binary in ${same}`, async () => {
      await makeEntry(layout, "build", (bin) => linkOrCopy(join(same, "bin", "pulumi"), join(bin, "pulumi")));
      return engineAt(layout.entry, ENGINE_VERSION, "cache");
    });
    if (done !== undefined) return done;
  }
  const downloaded = await tryWay(attempts, `official download of ${ENGINE_VERSION}`, async () => {
    await makeEntry(layout, "download", (bin) => downloadInto(bin, layout, env, log));
    return engineAt(layout.entry, ENGINE_VERSION, "download");
  });
  if (downloaded !== undefined) return downloaded;
  log(`the official engine could not be downloaded (${attempts.at(-1)?.failure ?? ""})`);
  return tryWay(attempts, `build of ${ENGINE_VERSION} from the Go module proxy`, async () => {
    if (process.platform === "win32") throw new Error("its language host is a script that Windows cannot start");
    await makeEntry(layout, "build", (bin) => buildInto(bin, layout, env, log));
    return engineAt(layout.entry, ENGINE_VERSION, "build");
  });
}

async function fromUser(dependencies: Dependencies): Promise<(OwnEngine & { source: EngineSource }) | undefined> {
  const { env, layout, attempts } = dependencies;
  const given = env.PULUMI_CLI_ROOT;
  if (given !== undefined && given !== "") {
    try {
      return { ...(await engineInRoot(given, env)), source: "PULUMI_CLI_ROOT" };
    } catch (error) {
      // Asked for by name: quietly taking another engine would hide the mistake.
      throw new Error(`PULUMI_CLI_ROOT is ${given}, but ${reasonOf(error)}. Correct it or unset it.`, { cause: error });
    }
  }
  attempts.push({ way: "PULUMI_CLI_ROOT", failure: "not set" });
  const found = await tryWay(attempts, "pulumi on PATH", () => engineOnPath(layout, env));
  return found === undefined ? undefined : { ...found, source: "PATH" };
}

/**
 * Finds or makes a working Pulumi engine: PULUMI_CLI_ROOT, PATH, our cache, the official download, a build with Go.
 * Safe to call in several processes at once. Rejects when no way works, with an error that lists them all.
 */
export async function ensureEngine(options: EngineOptions = {}): Promise<Engine> {
  const dependencies = dependenciesOf(options);
  const { layout, attempts } = dependencies;
  const own = await fromUser(dependencies);
  if (own !== undefined) return engineAt(own.root, own.version, own.source);
  const look = (): Engine | undefined => fromCache(layout);
  const cached = look();
  if (cached !== undefined) return cached;
  attempts.push({ way: `cache (${layout.entry})`, failure: "no finished engine there" });
  const made = await makeAlone(layout.entry, dependencies, look, () => make(dependencies));
  if (made === undefined) throw noEngine(dependencies);
  return made;
}
