import { join } from "node:path";
import { runCommand } from "./command";
import { isExecutable, makeWhole } from "./entry";
import { withProgress, type EnginePlace, type Workplace, type Way } from "./ways";
import { isAtLeast, parseVersion } from "../../provider/base/version";

/** A program to build from the modules that the go.sum of a folder names, by checksum. */
export interface GoProgram {
  /** The folder of go.mod and go.sum. */
  readonly module: string;
  readonly package: string;
  /** The variable of the program that holds its version, and the version. */
  readonly version: readonly [variable: string, version: string];
  readonly oldestGo: string;
  /** What it is, for the progress. */
  readonly name: string;
  /** The name of its file. */
  readonly file: string;
  /** Arguments with which it ends at once: that it runs here is worth knowing before it is kept. */
  readonly check: readonly string[];
}

/** The environment of a Go that builds in the module of tools/engine. */
export function goEnvironment(env: NodeJS.ProcessEnv): NodeJS.ProcessEnv {
  // The user's settings for other modules must not apply to this one.
  return { ...env, GOOS: undefined, GOARCH: undefined, CGO_ENABLED: "0", GOFLAGS: "-mod=readonly", GOWORK: "off" };
}

/** Rejects where Go is missing, or too old for that module. */
export async function checkGo(
  { module, oldestGo }: Pick<GoProgram, "module" | "oldestGo">,
  env: NodeJS.ProcessEnv,
): Promise<void> {
  // In the module's folder: a Go that may fetch the toolchain which go.mod asks for does so, and then answers with that.
  const command = { file: "go", args: ["version"], cwd: module, env: goEnvironment(env), timeout: 120_000 };
  const version = parseVersion(await runCommand(command));
  if (version === undefined || !isAtLeast(version, oldestGo))
    throw new Error(`go is ${version ?? "of an unknown version"}, older than ${oldestGo}`);
}

/**
 * Builds a program into the folder `bin`; gives what it says to its check. Takes minutes the first time; one that is cut off goes on,
 * since Go caches each package.
 */
export async function buildInto(bin: string, program: GoProgram, place: Workplace): Promise<string> {
  await checkGo(program, place.env);
  const [variable, version] = program.version;
  const file = join(bin, program.file);
  // Without -trimpath the folder of the checkout would be part of the program, and other clones could not use what is cached.
  const flags = ["-trimpath", "-ldflags", `-s -w -X ${variable}=v${version}`];
  const args = ["build", ...flags, "-o", file, program.package];
  await withProgress(place.log, `building ${program.name} ${version} with Go (takes minutes, once)`, () =>
    runCommand({ file: "go", args, cwd: program.module, env: goEnvironment(place.env) }),
  );
  const quiet = { ...place.env, PULUMI_SKIP_UPDATE_CHECK: "true" };
  return runCommand({ file, args: program.check, env: quiet, timeout: 60_000 });
}

/** The ways to a program that has an entry of the cache for itself: it is there, or is built. */
export function waysToBuilt(entry: string, program: GoProgram, place: EnginePlace): readonly Way<"cache" | "build">[] {
  const isThere = (): boolean => isExecutable(join(entry, "bin", program.file));
  const build = async (): Promise<"build"> => {
    await makeWhole(entry, isThere, (_folder, bin) => buildInto(bin, program, place));
    return "build";
  };
  return [
    [`cache (${entry})`, () => (isThere() ? "cache" : undefined)],
    [`build of ${program.version[1]} from the Go module proxy`, build],
  ];
}
