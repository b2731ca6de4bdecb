import { execFileSync } from "node:child_process";
import { cpSync, existsSync, mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { parse, stringify } from "yaml";
import { z } from "zod";
import { runCommand } from "../../tools/engine/command";
import { convert, convertedOf, programsOf, type Read } from "../../tools/generate/programs";
import { writeSdk } from "../../tools/release/generator";
import { onEmulator } from "../engine/on-emulator";
import { exampleEnvironment } from "../examples/python-environment";
import { ok, PLUGIN } from "../support/cli-stack";
import { newFolder } from "../support/new-folder";
import { describeWithYaml } from "../support/with-engine";
import { testWithGo } from "../support/with-go";
import { describeWithPython, python } from "../support/with-python";
import { ROOT } from "./pages";

const MINUTES = 60_000;
const place = { checkout: ROOT, env: process.env, log: () => undefined };
const read: Read = (file) => (existsSync(join(ROOT, file)) ? readFileSync(join(ROOT, file), "utf8") : undefined);
const programs = programsOf(read);
const converted = convertedOf(programs, read);

testWithGo(
  "the other languages are what Pulumi's converters make of YAML now; they refuse what the schema does not have",
  async () => {
    // To write them again after a change of the schema, remove docs/examples/converted.json and run `npm run generate`.
    expect(await convert(place, programs)).toEqual(converted);
    const wrong = programs.flatMap((program) =>
      program.includes("computeId") ? [program.replace("computeId", "computerId")] : [],
    );
    await expect(convert(place, wrong)).rejects.toThrow(/Missing required property 'computeId'/);
  },
  10 * MINUTES,
);

testWithGo(
  "the programs in Go compile with the generated package",
  async () => {
    const folder = newFolder();
    await writeSdk(place, "go", folder);
    // The package and the programs are one module, with the versions of the engine's.
    const engine = join(ROOT, "tools", "engine");
    cpSync(join(engine, "go.sum"), join(folder, "go.sum"));
    const pinned = readFileSync(join(engine, "go.mod"), "utf8");
    writeFileSync(
      join(folder, "go.mod"),
      pinned.replace(/^module .*/, "module example.com/pulumi-agent-platform/sdk/go"),
    );
    programs.forEach((program, at) => {
      mkdirSync(join(folder, `program${at}`));
      writeFileSync(join(folder, `program${at}`, "main.go"), converted[program]?.go ?? "");
    });
    // -trimpath: what was compiled in another folder, by an earlier run or for a generator, is taken from Go's cache.
    const env = { ...process.env, CGO_ENABLED: "0", GOFLAGS: "-mod=mod -trimpath", GOWORK: "off" };
    await runCommand({ file: "go", args: ["vet", "./..."], cwd: folder, env, timeout: 9 * MINUTES });
  },
  10 * MINUTES,
);

describeWithPython("the programs in Python", () => {
  test(
    "run with the generated package, on mocks",
    async () => {
      if (python === undefined) throw new Error("there is no Python");
      const program = join(await exampleEnvironment(python), "bin", "python");
      const input = JSON.stringify(programs.map((each) => converted[each]?.python));
      const script = join(__dirname, "run-on-mocks.py");
      const made = z.array(z.string()).parse(JSON.parse(execFileSync(program, [script], { input, encoding: "utf8" })));
      const declared = programs.join("").match(/(?<=type: |function: )agent-platform:\w+/g) ?? [];
      expect(made.map((token) => token.replace("index:", "").replace("index/", "")).sort()).toEqual(
        [...declared].sort(),
      );
    },
    10 * MINUTES,
  );
});

const platform = onEmulator({ buildSeconds: 0.2 });
const part = z.record(z.string(), z.unknown()).default({});
const Program = z.object({ config: part, variables: part, resources: part });

describeWithYaml("the programs in YAML that declare resources", () => {
  test("have a preview, all in one stack", async () => {
    const parsed = programs.map((program) => Program.parse(parse(program)));
    const examples = parsed.filter(({ resources }) => Object.keys(resources).length > 0);
    const merged = (name: keyof z.output<typeof Program>) =>
      Object.fromEntries(examples.flatMap((each) => Object.entries(each[name])));
    const [config, variables, resources] = [merged("config"), merged("variables"), merged("resources")];
    const secrets = Object.keys(config).map((name) => [`test:${name}`, "canary"] as const);
    const stack = await platform.stackOf("", Object.fromEntries(secrets), "native");
    stack.host = undefined;
    const project = {
      name: "test",
      runtime: "yaml",
      packages: { "agent-platform": PLUGIN },
      config,
      variables,
      resources,
    };
    writeFileSync(join(stack.folder, "Pulumi.yaml"), stringify(project));
    const seen = ok(await stack.preview());
    for (const name of Object.keys(resources))
      expect(seen).toMatch(new RegExp(`: \\(create\\)\\s+\\[urn=\\S+::${name}\\]`));
    expect(seen).not.toMatch(/warning: (?!using)/);
  });
});
