import { join } from "node:path";
import { runCommand } from "./command";
import { Compilation, PACKAGES } from "./compilation";
import { ENGINE_VERSION, OLDEST_GO, type Layout } from "./layout";
import { elapsed, outlook, withProgress, type ProgressLog } from "./progress";
import { isAtLeast, parseVersion } from "../../provider/base/version";

/** A program to build from the modules that the go.sum of a folder names, by checksum. */
export interface GoProgram {
  /** The folder of go.mod and go.sum. */
  readonly module: string;
  readonly package: string;
  /** The variable of the program that holds its version, and the version. */
  readonly version: readonly [variable: string, version: string];
  readonly oldestGo: string;
  /** Its name and version, for the progress. */
  readonly name: string;
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
  const problem = goProblem(
    await runCommand({ file: "go", args: ["version"], cwd: module, env, timeout: 120_000 }),
    oldestGo,
  );
  if (problem !== undefined) throw new Error(problem);
}

/** Why a Go that says this about itself is not new enough; undefined if it is. */
export function goProblem(said: string, oldestGo: string): string | undefined {
  const version = parseVersion(said);
  if (version !== undefined && isAtLeast(version, oldestGo)) return undefined;
  return `go is ${version ?? "of an unknown version"}, older than ${oldestGo}`;
}

/** Builds a program into the file `output`. Takes minutes the first time; one that is cut off goes on, since Go caches each package. */
export async function buildProgram(
  output: string,
  program: GoProgram,
  given: NodeJS.ProcessEnv,
  log: ProgressLog,
): Promise<void> {
  const env = goEnvironment(given);
  await checkGo(program, env);
  const [variable, version] = program.version;
  // Without -trimpath the folder of the checkout would be part of the program, and other clones could not use what is cached.
  const flags = ["-trimpath", "-ldflags", `-s -w -X ${variable}=v${version}`];
  const go = (args: readonly string[], onLine: (line: string) => void): Promise<string> =>
    runCommand({ file: "go", args, cwd: program.module, env, onLine });
  let fetched = 0;
  const listed = await withProgress(
    log,
    `getting the modules of ${program.name}`,
    (milliseconds) => `${elapsed(milliseconds)}${fetched === 0 ? "" : `, ${fetched} fetched`}`,
    () =>
      go(["list", "-deps", ...flags, "-f", PACKAGES, program.package], (line) => {
        if (line.startsWith("go: downloading")) fetched += 1;
      }),
  );
  const compilation = new Compilation(listed);
  await withProgress(
    log,
    `building ${program.name} with Go`,
    (milliseconds) => outlook(compilation.share, milliseconds),
    () => go(["build", "-v", ...flags, "-o", output, program.package], compilation.onLine),
  );
}

/** Builds `bin/pulumi`. */
export async function buildInto(bin: string, layout: Layout, env: NodeJS.ProcessEnv, log: ProgressLog): Promise<void> {
  const output = join(bin, "pulumi");
  const program: GoProgram = {
    module: layout.sources,
    package: "github.com/pulumi/pulumi/pkg/v3/cmd/pulumi",
    version: ["github.com/pulumi/pulumi/sdk/v3/go/common/version.Version", ENGINE_VERSION],
    oldestGo: OLDEST_GO,
    name: `the Pulumi engine ${ENGINE_VERSION}`,
  };
  await buildProgram(output, program, env, log);
  const quiet = { ...env, PULUMI_SKIP_UPDATE_CHECK: "true" };
  const version = parseVersion(await runCommand({ file: output, args: ["version"], env: quiet, timeout: 60_000 }));
  if (version !== ENGINE_VERSION) throw new Error(`the engine that was built says version ${version ?? "nothing"}`);
}
