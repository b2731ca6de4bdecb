import { execFileSync } from "node:child_process";
import { chmodSync, mkdirSync, statSync } from "node:fs";
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

/** Where a program keeps compiled code. Node 20 has no compile cache: a function in its place says what it was given. */
function caches(environment: NodeJS.ProcessEnv = {}): unknown {
  const start = join(parent, "start.js");
  const options = { bundle: true, platform: "node", tsconfigRaw: {} } as const;
  buildSync({ entryPoints: [join(__dirname, "start.ts")], outfile: start, ...options });
  // Else its process lives as long as the one that runs the suites.
  void stop();
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
