import { existsSync, readdirSync, readFileSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { FakeMachine, pulumiScript } from "../../tests/support/fake-machine";
import { entryOf } from "./build";
import type { Engine } from "./own-engine";
import { yamlHost } from "./yaml-host";

const HOST = "pulumi-language-yaml";
/** Lines for addGo that make an engine, or a host that says where and how it was built. */
const GOOD_BUILD = (folder: string): string =>
  `printf "#!/bin/sh\\necho v3.246.0\\n" > "$out"; chmod 755 "$out"; echo "$PWD $CGO_ENABLED $GOFLAGS $GOWORK" > ${folder}/go-env\n`;

let machine: FakeMachine;
beforeEach(() => {
  machine = new FakeMachine();
  machine.addFailingDownload();
});
afterEach(() => machine.remove());

const built = (): Promise<Engine> => {
  machine.addGo(GOOD_BUILD(machine.folder));
  return machine.ensure();
};
const builds = (): number => machine.programsRun().filter((call) => call === "go build").length;

/** An engine of the user's own, without a YAML host. */
function ownEngine(): Promise<Engine> {
  const bin = join(machine.folder, "mine");
  machine.addProgram("pulumi", pulumiScript("3.250.0"), bin);
  machine.addProgram("pulumi-language-nodejs", "", bin);
  machine.env.PATH = `${bin}:${machine.bin}`;
  return machine.ensure();
}

test("a host beside the engine is taken: an ordinary machine builds nothing", async () => {
  const engine = await ownEngine();
  machine.addProgram(HOST, "", engine.bin);
  await expect(machine.ensureYaml(engine)).resolves.toBe(engine.bin);
  expect(existsSync(machine.layout().cache)).toBe(false);
});

test("a host on PATH is taken", async () => {
  const engine = await ownEngine();
  machine.addProgram(HOST, "");
  await expect(machine.ensureYaml(engine)).resolves.toBe(machine.bin);
});

const entry = (): string => entryOf(yamlHost(join(machine.layout().sources, "yaml")), machine.env);
const inCache = (): string => join(entry(), "bin");

test("a host is built once, into a folder of its own", async () => {
  const engine = await built();
  await expect(machine.ensureYaml(engine)).resolves.toBe(inCache());
  expect(readdirSync(inCache())).toEqual([HOST]);
  const [place, ...settings] = readFileSync(join(machine.folder, "go-env"), "utf8").trim().split(" ");
  expect(place).toBe(join(machine.layout().sources, "yaml"));
  expect(settings).toEqual(["0", "-mod=readonly", "off"]);
  expect(await machine.ensure()).toEqual({ ...engine, source: "cache" });
  await expect(machine.ensureYaml(engine)).resolves.toBe(inCache());
  expect(builds()).toBe(2);
});

test("an engine made anew gets the same host", async () => {
  await machine.ensureYaml(await built());
  writeFileSync(join(machine.layout().sources, "language-host.js"), "// changed\n");
  const engine = await machine.ensure();
  await expect(machine.ensureYaml(engine)).resolves.toBe(inCache());
  expect(builds()).toBe(3);
});

test("a host that does not start leaves nothing behind", async () => {
  const engine = await built();
  machine.addGo('printf "#!/bin/sh\\nexit 3\\n" > "$out"; chmod 755 "$out"');
  await expect(machine.ensureYaml(engine)).rejects.toThrow("exit code 3");
  expect(readdirSync(machine.layout().cache).map((name) => join(machine.layout().cache, name))).toEqual([
    dirname(engine.bin),
  ]);
});

test("when nothing works, the error lists every way in order, why it failed, and what to install", async () => {
  const engine = await ownEngine();
  machine.addGo("exit 1\n", "1.25.10");
  await expect(machine.ensureYaml(engine)).rejects.toThrow(
    /1\. beside the engine [^]*2\. pulumi-language-yaml on PATH[^]*3\. cache [^]*4\. build of .*: go is 1\.25\.10, older than 1\.25\.11\n[^]* Pulumi CLI .*, which brings it along.*\n.* install Go 1\.25\.11 or newer/,
  );
});
