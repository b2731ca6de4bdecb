import { chmodSync, mkdirSync, readFileSync, rmSync, statSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { freePort } from "../base/loopback";
import { newFolder } from "../../tests/support/new-folder";
import { ensurePostgres, findPostgres } from "./postgres";
import { serverProcess } from "../base/server";

let folder: string;
beforeEach(() => {
  folder = newFolder();
});

/** A folder with these programs. */
function programs(place: string, ...names: string[]): string {
  const bin = join(folder, place);
  mkdirSync(bin, { recursive: true });
  for (const name of names) {
    writeFileSync(join(bin, name), "#!/bin/sh\nexit 0\n");
    chmodSync(join(bin, name), 0o755);
  }
  return bin;
}
const WHOLE = ["initdb", "postgres", "psql", "pg_isready"];

describe("PostgreSQL", () => {
  const debian = () => join(folder, "debian");

  test("on PATH comes first; then Debian's newest version, by number", () => {
    const onPath = programs("usr", ...WHOLE);
    for (const version of ["9", "15", "17"]) programs(`debian/${version}/bin`, ...WHOLE);
    expect(findPostgres({ PATH: onPath }, debian())).toBe(onPath);
    expect(findPostgres({ PATH: "" }, debian())).toBe(join(debian(), "17", "bin"));
  });

  test("a client alone is no PostgreSQL", () => {
    const client = programs("usr", "psql", "pg_isready");
    expect(findPostgres({ PATH: client }, debian())).toBeUndefined();
  });

  test("that cannot be installed is an error with the way out", async () => {
    // No apt-get, and none of the usual places: on a machine that has PostgreSQL, it is found all the same.
    const found = findPostgres({ PATH: "" });
    const ensured = ensurePostgres({ PATH: "" }, () => undefined);
    if (found !== undefined) await expect(ensured).resolves.toBe(found);
    else await expect(ensured).rejects.toThrow(/There is no PostgreSQL here.*apt-get install postgresql/s);
  });
});

describe("a server", () => {
  const command = (script: string) => ({
    file: process.execPath,
    args: ["-e", script],
    env: process.env,
    log: join(folder, "log"),
    end: "SIGTERM" as const,
  });

  test("that ends before it answers is an error with the end of its log", async () => {
    const server = serverProcess("S", command("console.log('no space left'); process.exit(3)"), () =>
      Promise.resolve(false),
    );
    await expect(server.start()).rejects.toThrow(
      /^S did not start: it ended with 3\. The end of its log:\nno space left/,
    );
  });

  test("whose program is missing is an error that names it", async () => {
    const server = serverProcess("S", { ...command(""), file: join(folder, "nothing") }, () => Promise.resolve(false));
    await expect(server.start()).rejects.toThrow(/^S did not start: spawn .*nothing ENOENT/);
  });

  test("that has ended has not started, though another one answers on its port", async () => {
    const another = () => new Promise<boolean>((resolve) => setImmediate(() => resolve(true)));
    const server = serverProcess("S", { ...command(""), file: join(folder, "nothing") }, another);
    await expect(server.start()).rejects.toThrow(/^S did not start: spawn .*nothing ENOENT/);
  });

  test("gets a port that no connection takes while it is stopped", async () => {
    // Linux gives connections the ports from 32768, macOS from 49152.
    expect(await freePort()).toBeLessThan(32_768);
  });

  test("that is stopped has ended, and starts again", async () => {
    const running = join(folder, "pid");
    const script = `fs.writeFileSync(${JSON.stringify(running)}, String(process.pid)); setInterval(() => {}, 1000)`;
    const isReady = () => Promise.resolve((statSync(running, { throwIfNoEntry: false })?.size ?? 0) > 0);
    const server = serverProcess("S", command(script), isReady);
    for (let time = 0; time < 2; time++) {
      rmSync(running, { force: true });
      await server.start();
      const pid = Number(readFileSync(running, "utf8"));
      await server.stop();
      expect(() => process.kill(pid, 0)).toThrow("ESRCH");
    }
    // Stopping twice does no harm.
    await server.stop();
  });
});
