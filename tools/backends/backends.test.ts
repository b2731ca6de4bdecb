import { readFileSync, rmSync, statSync } from "node:fs";
import { join } from "node:path";
import { newFolder } from "../../tests/support/new-folder";
import { serverProcess } from "./server";

let folder: string;
beforeEach(() => {
  folder = newFolder();
});

describe("a server", () => {
  const command = (script: string) => ({
    file: process.execPath,
    args: ["-e", script],
    env: process.env,
    log: join(folder, "log"),
  });

  test("that ends before it answers is an error with the end of its log", async () => {
    const server = serverProcess(command("console.log('no space left'); process.exit(3)"), () =>
      Promise.resolve(false),
    );
    await expect(server.start()).rejects.toThrow(
      / did not start: it ended with 3\. The end of its log:\nno space left/,
    );
  });

  test("whose program is missing is an error that names it", async () => {
    const server = serverProcess({ ...command(""), file: join(folder, "nothing") }, () => Promise.resolve(false));
    await expect(server.start()).rejects.toThrow(/nothing did not start: spawn .*nothing ENOENT/);
  });

  test("that is stopped has ended, and starts again", async () => {
    const running = join(folder, "pid");
    const script = `fs.writeFileSync(${JSON.stringify(running)}, String(process.pid)); setInterval(() => {}, 1000)`;
    const isReady = () => Promise.resolve((statSync(running, { throwIfNoEntry: false })?.size ?? 0) > 0);
    const server = serverProcess(command(script), isReady);
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
