import { execFileSync } from "node:child_process";
import { createHash } from "node:crypto";
import { existsSync, readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { FakeMachine, pulumiScript } from "../../tests/support/fake-machine";
import { ENGINE_VERSION, findCheckout, layoutFor } from "./layout";

let machine: FakeMachine;
beforeEach(() => {
  machine = new FakeMachine();
});
afterEach(() => machine.remove());

function addOwnEngine(folder: string, version = "3.250.0"): void {
  machine.addProgram("pulumi", pulumiScript(version), folder);
  machine.addProgram("pulumi-language-nodejs", "", folder);
}

function putOnPath(folder: string): void {
  machine.env.PATH = `${folder}:${machine.bin}`;
}

test("an engine on PATH is taken as it is, and nothing is put into the cache", async () => {
  const bin = join(machine.folder, "own");
  addOwnEngine(bin);
  putOnPath(bin);
  await expect(machine.ensure()).resolves.toEqual({ bin, version: "3.250.0", source: "PATH" });
  expect(existsSync(machine.layout().cache)).toBe(false);
});

test.each([
  ["too old", () => addOwnEngine(join(machine.folder, "own"), "3.215.9"), "is 3.215.9, older than 3.216.0"],
  [
    "without a Node language host",
    () => machine.addProgram("pulumi", pulumiScript("3.250.0"), join(machine.folder, "own")),
    "has no Node language host",
  ],
  ["that does not start", () => machine.addProgram("pulumi", "exit 3", join(machine.folder, "own")), "exit code 3"],
])("an engine on PATH %s is passed over", async (_name, prepare, failure) => {
  prepare();
  putOnPath(join(machine.folder, "own"));
  machine.addFailingDownload();
  await expect(machine.ensure()).rejects.toThrow(failure);
});

describe("the official download", () => {
  /** An archive with an engine, and its sum. */
  const archive = (): { readonly file: string; readonly sum: string } => {
    const file = join(machine.folder, "engine.tar.gz");
    addOwnEngine(join(machine.folder, "archive", "pulumi"), "3.246.0");
    execFileSync("tar", ["-czf", file, "-C", join(machine.folder, "archive"), "pulumi"]);
    return { file, sum: createHash("sha256").update(readFileSync(file)).digest("hex") };
  };

  test("is unpacked into the cache, and found there the next time", async () => {
    const { file, sum } = archive();
    machine.addDownload(file, sum);
    const first = await machine.ensure();
    expect(first.source).toBe("download");
    expect(readdirSync(first.bin).sort()).toEqual(["pulumi", "pulumi-language-nodejs"]);
    await expect(machine.ensure()).resolves.toEqual({ ...first, source: "cache" });
    expect(machine.programsRun()).toEqual(["curl -fsSL"]);
  });

  test("is not unpacked where its sum is another one", async () => {
    machine.addDownload(archive().file, "0".repeat(64));
    await expect(machine.ensure()).rejects.toThrow(
      /official download of 3\.246\.0: .* has the SHA-256 [0-9a-f]{64}, not 0{64}: it was not unpacked/,
    );
    expect(readdirSync(machine.layout().cache)).toEqual([]);
  });

  test("is known by its sum on Linux", () => {
    const sums = readFileSync(join(findCheckout(), "tools", "engine", "checksums.txt"), "utf8");
    for (const arch of ["x64", "arm64"])
      expect(sums).toMatch(new RegExp(`^[0-9a-f]{64}  pulumi-v${ENGINE_VERSION}-linux-${arch}\\.tar\\.gz$`, "m"));
  });

  test("is not asked for where its sum is not known", async () => {
    machine.addDownload(archive().file, "");
    await expect(machine.ensure()).rejects.toThrow(/checksums\.txt has no sum of pulumi-v3\.246\.0-\S+\n/);
    expect(machine.programsRun()).toEqual([]);
  });
});

test("where the download fails, the engine is built, with our language hosts beside it", async () => {
  machine.addFailingDownload();
  machine.addGo(`echo "$CGO_ENABLED $GOFLAGS $GOWORK \${GOOS-none}" > ${machine.folder}/go-env\n${machine.goodBuild}`);
  machine.env.GOOS = "plan9";
  const engine = await machine.ensure();
  expect(engine).toMatchObject({ version: "3.246.0", source: "build", bin: join(machine.layout().entry, "bin") });
  expect(readdirSync(engine.bin).sort()).toEqual([
    "pulumi",
    "pulumi-language-go",
    "pulumi-language-nodejs",
    "pulumi-language-python",
    "pulumi-language-python-exec",
    "pulumi-resource-pulumi-nodejs",
  ]);
  expect(readFileSync(join(machine.folder, "go-env"), "utf8").trim()).toBe("0 -mod=readonly off none");
  expect(machine.programsRun()).toEqual(["curl -fsSL", "go version", "go build", "go list"]);
  expect(machine.log).toContainEqual(expect.stringMatching(/could not be downloaded .*Could not resolve host/));
});

test("when a script beside the engine has changed, the engine is made anew", async () => {
  machine.addFailingDownload();
  machine.addGo(machine.goodBuild);
  const first = await machine.ensure();
  writeFileSync(join(machine.layout().sources, "language-host.js"), "// changed\n");
  const second = await machine.ensure();
  expect(second.bin).not.toBe(first.bin);
  expect(readFileSync(join(second.bin, "pulumi-language-nodejs"), "utf8")).toBe("// changed\n");
});

test("a cached engine whose checkout is gone is pointed at this one", async () => {
  machine.addFailingDownload();
  machine.addGo(machine.goodBuild);
  const { bin } = await machine.ensure();
  const manifest = join(bin, "..", "package.json");
  writeFileSync(manifest, readFileSync(manifest, "utf8").replace(machine.checkout, join(machine.folder, "gone")));
  await machine.ensure();
  expect(JSON.parse(readFileSync(manifest, "utf8"))).toMatchObject({ checkout: machine.checkout, type: "commonjs" });
});

test("a cached engine with a missing part is made again", async () => {
  machine.addFailingDownload();
  machine.addGo(machine.goodBuild);
  const { bin } = await machine.ensure();
  rmSync(join(bin, "pulumi"));
  await expect(machine.ensure()).resolves.toMatchObject({ bin, source: "build" });
});

test("when nothing works, the error lists every way in order, why it failed, and what to install", async () => {
  machine.addFailingDownload();
  const failure = await machine.ensure().catch((error: unknown) => String(error));
  const { entry } = machine.layout();
  expect(failure).toBe(`Error: No working Pulumi engine was found, and none could be made. Tried, in this order:
  1. pulumi on PATH: there is no pulumi on PATH
  2. cache (${entry}): not there
  3. official download of 3.246.0: curl ended with exit code 6: curl: (6) Could not resolve host
  4. build of 3.246.0 from the Go module proxy: go is not installed
Any one of these helps:
  - install the Pulumi CLI 3.216.0 or newer: https://www.pulumi.com/docs/install/
  - install Go 1.25.8 or newer (https://go.dev/dl/) and run this again: the engine is then built, once
  - let this machine reach https://github.com and run this again`);
});

test.each([
  ["an old Go", "1.25.7", "go is 1.25.7, older than 1.25.8"],
  ["a build of something else", "1.26.0", "the engine that was built says version 9.9.9"],
])("%s is a reason in that list", async (_name, version, failure) => {
  machine.addFailingDownload();
  machine.addGo('printf "#!/bin/sh\\necho v9.9.9\\n" > "$out"; chmod 755 "$out"\n', version);
  await expect(machine.ensure()).rejects.toThrow(failure);
});

test("the cache is below XDG_CACHE_HOME, and below ~/.cache when that is unset or relative", () => {
  const at = (env: NodeJS.ProcessEnv): string => layoutFor(env, machine.checkout).cache;
  expect(at({ XDG_CACHE_HOME: "/x", HOME: "/h" })).toBe("/x/pulumi-agent-platform/engine");
  expect(at({ HOME: "/h" })).toBe("/h/.cache/pulumi-agent-platform/engine");
  expect(at({ XDG_CACHE_HOME: "x", HOME: "/h" })).toBe("/h/.cache/pulumi-agent-platform/engine");
});
