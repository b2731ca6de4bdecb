import { readFileSync } from "node:fs";
import { join } from "node:path";
import { runCommand } from "./command";
import { isExecutable, makeWhole } from "./entry";
import { cacheEntry } from "./layout";
import { firstThatWorks, withProgress, type Workplace, type Way } from "./ways";
import { isAtLeast, parseVersion } from "../../provider/base/version";

/** A program to build from the modules that the go.sum of a folder names, by checksum. */
export interface GoProgram {
  /** The folder of go.mod and go.sum. */
  readonly module: string;
  /** The package, or the files of it. */
  readonly package: readonly string[];
  /** Sets the variable that holds its version. */
  readonly ldflags?: string;
  readonly oldestGo: string;
  /** What it is, for messages. */
  readonly name: string;
  /** The name of its file. */
  readonly file: string;
  /** Arguments with which it ends at once: that it runs here is worth knowing before it is kept. */
  readonly check?: readonly string[];
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
  const file = join(bin, program.file);
  // Without -trimpath the folder of the checkout would be part of the program, and other clones could not use what is cached.
  const args = ["build", "-trimpath", "-ldflags", `-s -w ${program.ldflags ?? ""}`, "-o", file, ...program.package];
  await withProgress(place.log, `building the ${program.name} with Go (takes minutes, once)`, () =>
    runCommand({ file: "go", args, cwd: program.module, env: goEnvironment(place.env) }),
  );
  if (program.check === undefined) return "";
  const quiet = { ...place.env, PULUMI_SKIP_UPDATE_CHECK: "true" };
  return runCommand({ file, args: program.check, env: quiet, timeout: 60_000 });
}

/** The entry of the cache that a program has for itself. With other modules or sources it is another one, so none is stale. */
export function entryOf({ module, package: parts, ldflags = "", file }: GoProgram, env: NodeJS.ProcessEnv): string {
  const modules = ["go.mod", "go.sum"].map((name) => join(module, name));
  const sources = parts.filter((each) => each.endsWith(".go"));
  return cacheEntry(env, file, ldflags, ...[...modules, ...sources].map((each) => readFileSync(each)));
}

/** The ways to such a program: it is there, or is built. They give the folder that holds it. */
export function waysToBuilt(program: GoProgram, place: Workplace): readonly Way<string>[] {
  const entry = entryOf(program, place.env);
  const bin = join(entry, "bin");
  const isThere = (): boolean => isExecutable(join(bin, program.file));
  const build = async (): Promise<string> => {
    await makeWhole(entry, isThere, (_folder, draft) => buildInto(draft, program, place));
    return bin;
  };
  return [
    [`cache (${entry})`, () => (isThere() ? bin : undefined)],
    [`build of the ${program.name} from the Go module proxy`, build],
  ];
}

/** The file of such a program, which is built where it is not there yet. Rejects with what to install where that fails. */
export async function ensureBuilt(program: GoProgram, place: Workplace): Promise<string> {
  const remedy = `install Go ${program.oldestGo} or newer (https://go.dev/dl/) and run this again: it is then built, once`;
  return join(await firstThatWorks(program.name, waysToBuilt(program, place), [remedy]), program.file);
}
