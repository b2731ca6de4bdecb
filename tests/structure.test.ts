import { execFileSync } from "node:child_process";
import { readFileSync } from "node:fs";
import { dirname, join, relative } from "node:path";
import { RESOURCE_TYPES, providerString } from "../provider/resources/resource-types";
import { circlesOf, importsOf, roomOf } from "./support/import-graph";
import { sources } from "./support/sources";

const root = join(__dirname, "..");

/** The arrows between folders: each may import itself and these, and no other folder of the repository. */
const ARROWS: Readonly<Record<string, readonly string[]>> = {
  emulator: [],
  provider: [],
  sdk: ["provider"],
  cli: ["emulator", "provider"],
  tools: ["cli", "provider"],
  fleet: ["cli", "provider"],
};
/** The console removes secrets from what it shows, and names fields, as the provider does: neither side of the wire. Nothing else is shared. */
const CONSOLE = "emulator/console/";
const SHOWN_BY_IT = [
  "provider/base/masker",
  "provider/base/plain-text",
  "provider/lifecycle/fields/rename",
  "provider/lifecycle/fields/table",
  "provider/resources/registry",
  "provider/resources/resource-types",
];
const FOLDERS = [...Object.keys(ARROWS), "tests", "examples", "bench"];
const folderOf = (path: string): string => path.split("/")[0] ?? "";

const COMMANDS = "doctor drift emulator generate inventory logs redeploy review revisions run".split(" ");

/** The arrows between the rooms of a folder: each may import itself and these. "." stands for the files of the folder itself. */
const ROOMS: Readonly<Record<string, Readonly<Record<string, readonly string[]>>>> = {
  provider: {
    ".": ["dynamic", "native", "functions", "engine", "tracing", "resources", "lifecycle", "streaming", "http", "base"],
    dynamic: ["engine", "lifecycle", "base"],
    native: ["engine", "tracing", "functions", "resources", "lifecycle", "base"],
    functions: ["resources", "lifecycle", "http", "base"],
    engine: ["lifecycle", "base"],
    resources: ["lifecycle", "streaming", "http", "base"],
    lifecycle: ["http", "base"],
    streaming: ["http", "base"],
    http: ["base"],
    tracing: ["base"],
    base: [],
  },
  "provider/lifecycle": {
    rest: [".", "identity", "wait", "observe", "fields"],
    ".": ["identity", "wait", "observe", "fields"],
    identity: ["observe", "fields"],
    wait: ["observe"],
    observe: ["fields"],
    fields: [],
  },
  emulator: {
    ".": ["console", "server", "limits", "faults", "routes", "agents", "platform", "store", "base"],
    console: ["server", "limits", "faults", "routes", "agents", "platform", "store", "base"],
    server: ["routes", "base"],
    limits: ["base"],
    faults: ["store", "base"],
    routes: ["agents", "platform", "store", "base"],
    agents: ["platform", "base"],
    platform: ["store", "base"],
    store: ["base"],
    base: [],
  },
  cli: {
    ".": [...COMMANDS, "base"],
    ...Object.fromEntries(COMMANDS.map((command) => [command, ["base"]])),
    base: [],
  },
};

describe("arrows between folders", () => {
  test.each(Object.entries(ARROWS))("%s imports no other folder than %j", (folder, allowed) => {
    const files = sources(folder);
    expect(files.length).toBeGreaterThan(0);
    const wrong = files.flatMap((file) =>
      importsOf(file)
        .filter((path) => !(file.startsWith(CONSOLE) && SHOWN_BY_IT.some((shown) => path.startsWith(shown))))
        .map(folderOf)
        .filter((name) => FOLDERS.includes(name) && name !== folder && !allowed.includes(name))
        .map((name) => `${file} imports ${name}`),
    );
    expect(wrong).toEqual([]);
  });

  test("examples import the package by its name alone", () => {
    const names = new Set(sources("examples").flatMap(importsOf).map(folderOf));
    expect([...names].filter((name) => FOLDERS.includes(name) && name !== "examples")).toEqual([]);
    expect(names).toContain("pulumi-agent-platform");
  });
});

describe("one word, one meaning", () => {
  /** The same thing on the two sides of the wire: the emulator shares no code with the provider, because no test could find a mistake that both make. */
  const onBothSides = [
    "Clock",
    "Contract",
    "DEPLOYMENT_TYPES",
    "GithubIntegration",
    "RunIdentity",
    "SOURCES",
    "SlidingWindow",
    "SourceRow",
    "StreamMode",
    "isUuid",
    "realClock",
  ];
  const folders = new Map<string, Set<string>>();
  // The fleet is a package of its own, with its own runs, plans and reports.
  for (const file of Object.keys(ARROWS).flatMap((folder) => (folder === "fleet" ? [] : sources(folder)))) {
    for (const name of exportedFrom(readFileSync(join(root, file), "utf8"))) {
      folders.set(name, (folders.get(name) ?? new Set()).add(dirname(file)));
    }
  }
  const declaredTwice = [...folders].filter(([, where]) => where.size > 1);

  test("no two folders export a name of their own that is the same", () => {
    // By this name the program loads each command.
    const wrong = declaredTwice.filter(([name]) => !onBothSides.includes(name) && name !== "defineCommand");
    expect(wrong.map(([name, where]) => `${name}: ${[...where].join(", ")}`)).toEqual([]);
    expect(folders.size).toBeGreaterThan(1000);
  });

  test.each(onBothSides)("%s is declared once on each side of the wire", (name) => {
    const sides = [...(folders.get(name) ?? [])].map((folder) => folder.startsWith("emulator/"));
    expect(sides.sort()).toEqual([false, true]);
  });

  test.each([
    ["export const a = 1;", ["a"]],
    ["export async function* b() {}", ["b"]],
    ["export abstract class C {}", ["C"]],
    ["export type D = 1;\nexport interface E {}", ["D", "E"]],
    ['export { f } from "./f";', []],
  ])("%s declares %j", (text, names) => expect(exportedFrom(text)).toEqual(names));
});

/** The names that a file declares and exports; what it passes on is another's. */
function exportedFrom(text: string): string[] {
  const declaration =
    /^export (?:declare )?(?:abstract )?(?:async )?(?:const|let|function\*?|class|interface|type|enum) (\w+)/gm;
  return [...text.matchAll(declaration)].map(([, name = ""]) => name);
}

test("the policy pack and the rest of the SDK do not import each other: it may load zod, and no program needs it", () => {
  const isPack = (file: string): boolean => file.startsWith("sdk/policy/");
  const files = sources("sdk");
  expect(files.filter(isPack).length).toBeGreaterThan(0);
  const across = files.flatMap((file) =>
    importsOf(file)
      .filter((imported) => imported.startsWith("sdk/") && isPack(imported) !== isPack(file))
      .map((imported) => `${file} imports ${imported}`),
  );
  expect(across).toEqual([]);
});

describe.each(Object.entries(ROOMS))("arrows inside %s", (folder, rooms) => {
  const names = Object.keys(rooms);
  const files = sources(folder);
  const inside = new Map(files.map((file) => [file, importsOf(file).filter((name) => files.includes(name))]));

  test.each(Object.entries(rooms))("%s imports no other room than %j", (room, allowed) => {
    const ofRoom = files.filter((file) => roomOf(file, folder, names) === room);
    expect(ofRoom.length).toBeGreaterThan(0);
    const wrong = ofRoom.flatMap((file) =>
      (inside.get(file) ?? [])
        .filter((imported) => ![room, ...allowed].includes(roomOf(imported, folder, names)))
        .map((imported) => `${file} imports ${imported}`),
    );
    expect(wrong).toEqual([]);
  });

  test("every file is in a room", () => expect(() => files.map((file) => roomOf(file, folder, names))).not.toThrow());

  test("rooms do not import in a circle", () => expect(circlesOf(new Map(Object.entries(rooms)))).toEqual([]));
});

test.each(Object.keys(ARROWS))("the files of %s do not import in a circle", (folder) => {
  const files = sources(folder);
  const inside = new Map(files.map((file) => [file, importsOf(file).filter((name) => files.includes(name))]));
  expect(circlesOf(inside)).toEqual([]);
});

test("a circle is found wherever it is entered", () => {
  const graph = new Map([
    ["start", ["left", "right"]],
    ["left", ["end"]],
    ["right", ["left", "start"]],
    ["end", []],
  ]);
  expect(circlesOf(graph)).toEqual([["start", "right", "start"]]);
});

describe("what is loaded", () => {
  const loadedBy = (script: string, environment: NodeJS.ProcessEnv = {}): string[] => {
    const code = `${script}; console.log(JSON.stringify(Object.keys(require.cache)))`;
    const env = { ...process.env, ...environment };
    const output = execFileSync(process.execPath, ["-e", code], { cwd: root, encoding: "utf8", env });
    const files: unknown = JSON.parse(output);
    return Array.isArray(files) ? files.map((file) => relative(root, String(file))) : [];
  };
  const packages = (files: string[]): Set<string> =>
    new Set(files.flatMap((file) => /^node_modules\/((?:@[^/]+\/)?[^/]+)/.exec(file)?.[1] ?? []));

  test("by the SDK: neither axios nor zod", () => {
    const loaded = packages(loadedBy('require("./dist/sdk")'));
    expect(loaded).toContain("@pulumi/pulumi");
    expect([...loaded].filter((name) => ["axios", "zod", "hono", "commander"].includes(name))).toEqual([]);
  });

  test("by the provider before its first request: no axios, and never the SDK or the emulator", () => {
    const files = loadedBy('require("./dist/provider").handlers.Deployment');
    expect([...packages(files)].filter((name) => ["axios", "hono", "commander"].includes(name))).toEqual([]);
    expect(files.filter((file) => /^dist\/(sdk|emulator)/.test(file))).toEqual([]);
  });

  test("by a help text and --version: of the provider only its base", () => {
    const files = loadedBy('require("./dist/cli/program").programFor(["help"])');
    expect(files).toContain("dist/cli/program.js");
    expect(files.filter((file) => /^dist\/(sdk|emulator|provider\/(?!base\/))/.test(file))).toEqual([]);
  });

  test("of OpenTelemetry nothing, until there is a first span to send", () => {
    const verb = `require("./dist/provider/tracing/tracer").openTracer(process.env, console.error).start("create", {})`;
    const receiver = { OTEL_EXPORTER_OTLP_ENDPOINT: "http://127.0.0.1:9" };
    const loaded = (...given: Parameters<typeof loadedBy>) =>
      loadedBy(...given).filter((file) => file.includes("@opentelemetry"));
    expect(loaded(verb, { OTEL_EXPORTER_OTLP_ENDPOINT: "" })).toEqual([]);
    expect(loaded(verb, { ...receiver, OTEL_SDK_DISABLED: "true" })).toEqual([]);
    expect(loaded('require("./dist/provider").handlers.Deployment', receiver)).toEqual([]);
    expect(loaded(verb, receiver)).not.toEqual([]);
  });
});

describe("the code that stands in every state", () => {
  test.each(RESOURCE_TYPES)("the code of %s is a short constant", (kind) => {
    expect(providerString(kind).length).toBeLessThanOrEqual(120);
    expect(providerString(kind)).toMatch(/^exports\.handler = \(\) => require\("pulumi-agent-platform\/provider"\)\./);
  });

  test("it has never changed: a change would leave every state of an older version without its code", () => {
    const released = [
      'exports.handler = () => require("pulumi-agent-platform/provider").handlers.Deployment;',
      'exports.handler = () => require("pulumi-agent-platform/provider").handlers.Rollout;',
      'exports.handler = () => require("pulumi-agent-platform/provider").handlers.OAuthProvider;',
      'exports.handler = () => require("pulumi-agent-platform/provider").handlers.SandboxTemplate;',
      'exports.handler = () => require("pulumi-agent-platform/provider").handlers.RunCheck;',
    ];
    expect(RESOURCE_TYPES.map(providerString)).toEqual(expect.arrayContaining(released));
  });
});

test("the README has a row for every kind", () => {
  const readme = readFileSync(join(root, "README.md"), "utf8");
  for (const kind of RESOURCE_TYPES) expect(readme).toMatch(new RegExp(`^\\| \`${kind}\``, "m"));
  expect(readme.split("\n").length).toBeLessThanOrEqual(150);
});
