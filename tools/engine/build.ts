import { join } from "node:path";
import { runCommand } from "./command";
import { ENGINE_VERSION, OLDEST_GO, type Layout } from "./layout";
import { withProgress } from "./progress";
import { isAtLeast, parseVersion } from "./versions";

const PACKAGE = "github.com/pulumi/pulumi/pkg/v3/cmd/pulumi";
const LDFLAGS = `-s -w -X github.com/pulumi/pulumi/sdk/v3/go/common/version.Version=v${ENGINE_VERSION}`;

/** The environment of a Go that builds in the module of tools/engine. */
export function goEnvironment(env: NodeJS.ProcessEnv): NodeJS.ProcessEnv {
  // The user's settings for other modules must not apply to this one.
  return { ...env, GOOS: undefined, GOARCH: undefined, CGO_ENABLED: "0", GOFLAGS: "-mod=readonly", GOWORK: "off" };
}

/** Rejects where Go is missing, or too old for that module. */
export async function checkGo({ sources }: Pick<Layout, "sources">, env: NodeJS.ProcessEnv): Promise<void> {
  // In the module's folder: a Go that may fetch the toolchain which go.mod asks for does so, and then answers with that.
  const said = await runCommand({ file: "go", args: ["version"], cwd: sources, env, timeout: 120_000 });
  const version = parseVersion(said);
  if (version === undefined || !isAtLeast(version, OLDEST_GO)) {
    throw new Error(`go is ${version ?? "of an unknown version"}, older than ${OLDEST_GO}`);
  }
}

/** Builds `bin/pulumi` from the modules that go.sum names, by checksum. Takes minutes the first time. */
export async function buildInto(
  bin: string,
  layout: Layout,
  given: NodeJS.ProcessEnv,
  log: (line: string) => void,
): Promise<void> {
  const env = goEnvironment(given);
  await checkGo(layout, env);
  const output = join(bin, "pulumi");
  let [fetched, compiled] = [0, 0];
  const onLine = (line: string): void => {
    if (line.startsWith("go: downloading")) fetched += 1;
    else compiled += 1;
  };
  const args = ["build", "-v", "-trimpath", "-ldflags", LDFLAGS, "-o", output, PACKAGE];
  await withProgress(
    log,
    `building the Pulumi engine ${ENGINE_VERSION} with Go (once, 2 to 5 minutes)`,
    () => `${fetched === 0 ? "" : `${fetched} modules fetched, `}${compiled} packages compiled`,
    () => runCommand({ file: "go", args, cwd: layout.sources, env, onLine }),
  );
  const quiet = { ...given, PULUMI_SKIP_UPDATE_CHECK: "true" };
  const version = parseVersion(await runCommand({ file: output, args: ["version"], env: quiet, timeout: 60_000 }));
  if (version !== ENGINE_VERSION) throw new Error(`the engine that was built says version ${version ?? "nothing"}`);
}
