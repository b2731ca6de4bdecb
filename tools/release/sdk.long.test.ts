import { execFileSync } from "node:child_process";
import { cpSync, mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { z } from "zod";
import { exampleEnvironment } from "../../tests/examples/python-environment";
import { WORKPLACES } from "../../tests/support/cli-stack";
import { newFolder } from "../../tests/support/new-folder";
import { testWithGo } from "../../tests/support/with-go";
import { describeWithPython, python } from "../../tests/support/with-python";
import { filesOf } from "./tree";
import type { Workplace } from "../engine/ways";
import { writeSdk } from "./generator";

const checkout = join(__dirname, "..", "..");
const MINUTES = 60_000;
const place: Workplace = { checkout, env: process.env, log: () => undefined };
let folder: string;
beforeAll(() => {
  folder = newFolder(WORKPLACES);
});

testWithGo(
  "the SDK for Python is the same each time, and takes the place of an older one",
  async () => {
    const [first, second] = [join(folder, "python"), join(folder, "again")];
    mkdirSync(second);
    writeFileSync(join(second, "old.py"), "");
    await writeSdk(place, "python", first);
    await writeSdk(place, "python", second);
    expect(filesOf(second)).toEqual(filesOf(first));
    expect(filesOf(first).size).toBeGreaterThan(20);
  },
  5 * MINUTES,
);

const Properties = z.record(z.string(), z.unknown()).default({});
const Schema = z.object({
  types: z.record(z.string(), z.object({ properties: Properties })),
  resources: z.record(z.string(), z.object({ inputProperties: Properties, properties: Properties })),
  functions: z.record(z.string(), z.object({ outputs: z.object({ properties: Properties }) })),
});
const Classes = z.record(z.string(), z.array(z.string()));

describeWithPython("the SDK for Python", () => {
  let schema: z.output<typeof Schema>;
  let found: { package: z.output<typeof Classes>; outputs: z.output<typeof Classes> };
  beforeAll(async () => {
    if (python === undefined) return;
    const program = join(await exampleEnvironment(python), "bin", "python");
    const printed = execFileSync(program, [join(checkout, "tests", "release", "names.py")], { encoding: "utf8" });
    found = z.object({ package: Classes, outputs: Classes }).parse(JSON.parse(printed));
    schema = Schema.parse(JSON.parse(readFileSync(join(checkout, "plugin", "schema.json"), "utf8")));
  }, 15 * MINUTES);

  /** The properties that a class lacks. */
  const lacks = (properties: object, names: readonly string[] | undefined): string[] =>
    Object.keys(properties).filter((name) => !(names ?? []).includes(name));
  const entries = <T>(part: Record<string, T>) =>
    Object.entries(part).map(([token, one]) => [token.split(":").at(-1) ?? "", one] as const);

  test("installs, and has each resource with its inputs and outputs", () => {
    for (const [name, { inputProperties, properties }] of entries(schema.resources)) {
      expect([name, lacks(inputProperties, found.package[`${name}Args`])]).toEqual([name, []]);
      expect([name, lacks(properties, found.package[name])]).toEqual([name, []]);
    }
  });

  test("has each function with its results", () => {
    for (const [name, { outputs }] of entries(schema.functions)) {
      const result = `${name.charAt(0).toUpperCase()}${name.slice(1)}Result`;
      expect([name, lacks(outputs.properties, found.package[result])]).toEqual([name, []]);
    }
  });

  test("has each type, as an input, a result or both", () => {
    for (const [name, { properties }] of entries(schema.types)) {
      const forms = [found.package[`${name}Args`], found.outputs[name]].filter((form) => form !== undefined);
      expect([name, forms.length > 0, forms.flatMap((form) => lacks(properties, form))]).toEqual([name, true, []]);
    }
  });
});

test("without Go, the command says what to install", async () => {
  const sources = join(folder, "checkout");
  for (const part of [join("engine", "go.mod"), join("engine", "go.sum"), join("release", "generators")]) {
    cpSync(join(checkout, "tools", part), join(sources, "tools", part), { recursive: true });
  }
  const without = {
    checkout: sources,
    env: { PATH: join(folder, "nothing"), XDG_CACHE_HOME: folder },
    log: () => undefined,
  };
  for (const language of ["python", "java"] as const) {
    const written = writeSdk(without, language, join(folder, "unwritten"));
    await expect(written).rejects.toThrow(/go is not installed\n.*\n *- install Go \d[\d.]+ or newer/);
  }
});
