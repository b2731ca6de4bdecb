import { execFileSync } from "node:child_process";
import { chmodSync, mkdirSync, statSync, symlinkSync, writeFileSync } from "node:fs";
import { hostname } from "node:os";
import { join } from "node:path";
import { buildSync, stop } from "esbuild";
import { newFolder } from "../tests/support/new-folder";

let parent: string;
let shared: string;
let home: string;
beforeEach(() => {
  parent = newFolder();
  shared = join(parent, "shared");
  home = join(parent, "home");
  mkdirSync(shared);
  chmodSync(shared, 0o1777);
  mkdirSync(home, { mode: 0o755 });
});

/** What a program loads first, as one file. */
function builtStart(): string {
  const start = join(parent, "start.js");
  const options = { bundle: true, platform: "node", tsconfigRaw: {} } as const;
  buildSync({ entryPoints: [join(__dirname, "start.ts")], outfile: start, ...options });
  // Else its process lives as long as the one that runs the suites.
  void stop();
  return start;
}

/** Where a program keeps compiled code. Node 20 has no compile cache: a function in its place says what it was given. */
function caches(environment: NodeJS.ProcessEnv = {}): unknown {
  const start = builtStart();
  const program = `
    require("module").enableCompileCache = (...given) => (globalThis.node = given);
    require(${JSON.stringify(start)});
    const { TS_NODE_CACHE_DIRECTORY: typescript, TS_NODE_CACHE: keeps } = process.env;
    console.log(JSON.stringify({ node: globalThis.node, typescript, keeps }));`;
  const env = { PATH: process.env["PATH"], TMPDIR: shared, HOME: home, ...environment };
  return JSON.parse(execFileSync(process.execPath, ["-e", program], { env, encoding: "utf8" }));
}
const nameOfUser = (): string => `pulumi-agent-platform-${process.getuid?.() ?? ""}`;

test("compiled code is kept where only this user can write, although anybody can in the folder for temporary files", () => {
  const own = join(home, ".cache", `${nameOfUser()}-${hostname()}`);
  expect(caches()).toEqual({ node: [join(own, "node")], typescript: join(own, "ts-node") });
  expect(statSync(own).mode & 0o777).toBe(0o700);
});

test("a folder for temporary files that is this user's alone is taken", () => {
  chmodSync(shared, 0o755);
  expect(caches()).toMatchObject({ node: [join(shared, nameOfUser(), "node")] });
});

test("none is kept where another user could have made the folder", () => {
  mkdirSync(join(shared, nameOfUser()));
  chmodSync(join(shared, nameOfUser()), 0o777);
  expect(caches({ HOME: join(parent, "no-home") })).toEqual({ keeps: "false" });
});

test("a place that the environment names stays", () => {
  const given = { NODE_COMPILE_CACHE: join(home, "mine"), TS_NODE_CACHE_DIRECTORY: join(home, "other") };
  expect(caches(given)).toEqual({ typescript: join(home, "other") });
});

describe("what the SDK only needs to serialize functions", () => {
  const libraries = { typescript: "/typescript/lib/typescript.js", arborist: "/@npmcli/arborist/lib/index.js" };
  /** What this program prints, in a folder whose node_modules are ours. `loaded()`: which of the two are. */
  function printed(program: string, environment: NodeJS.ProcessEnv = {}): unknown {
    symlinkSync(join(__dirname, "..", "node_modules"), join(parent, "node_modules"));
    writeFileSync(join(parent, "package.json"), "{}");
    const head = `
      const pulumi = require("@pulumi/pulumi");
      const loaded = () => Object.entries(${JSON.stringify(libraries)})
        .filter(([, file]) => Object.keys(require.cache).some((each) => each.endsWith(file))).map(([name]) => name);
      const print = (value) => console.log(JSON.stringify(value));`;
    writeFileSync(join(parent, "program.js"), head + program);
    const env = { PATH: process.env["PATH"], TMPDIR: shared, HOME: home, ...environment };
    const options = { cwd: parent, env, encoding: "utf8" } as const;
    return JSON.parse(execFileSync(process.execPath, ["--require", builtStart(), "program.js"], options));
  }

  test("is not loaded at the start, unless a variable says so", () => {
    expect(printed("print(loaded())")).toEqual([]);
  });
  test("is loaded at the start if a variable says so", () => {
    expect(printed("print(loaded())", { AGENT_PLATFORM_LOAD_AT_START: "true" })).toEqual(["typescript", "arborist"]);
  });

  test("is loaded for a function that is serialized, with what it captures", () => {
    const program = `
      const captured = { answer: 41 };
      pulumi.runtime.serializeFunction(() => captured.answer + 1).then(({ text }) => print([text, loaded()]));`;
    const text: unknown = expect.stringMatching(/answer: 41[^]*return \(\) => captured\.answer \+ 1/);
    expect(printed(program)).toEqual([text, ["typescript"]]);
  });

  test("is loaded for a dynamic resource of the program's own", () => {
    const program = `
      pulumi.runtime.setMocks({ newResource: ({ inputs }) => (print([inputs.__provider, loaded()]), { id: "1", state: inputs }), call: () => ({}) });
      const provider = { create: async (inputs) => ({ id: "one-of-mine", outs: inputs }) };
      class Own extends pulumi.dynamic.Resource { constructor(name) { super(provider, name, {}); } }
      new Own("own");`;
    expect(printed(program)).toEqual([expect.stringContaining("one-of-mine"), ["typescript"]]);
  });

  test("is loaded for the packages that a serialized function needs", () => {
    const program = `pulumi.runtime.computeCodePaths().then((paths) => print([paths instanceof Map, loaded()]));`;
    expect(printed(program)).toEqual([true, expect.arrayContaining(["arborist"])]);
  });
});
