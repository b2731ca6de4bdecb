import { readdirSync } from "node:fs";
import { join } from "node:path";
import { FakeMachine } from "../../tests/support/fake-machine";
import { ensureChromium, findChromium } from "./find";
import { packageOf } from "./package";

describe("which Chromium is taken", () => {
  let machine: FakeMachine;
  beforeEach(() => {
    machine = new FakeMachine();
  });
  afterEach(() => machine.remove());
  const find = () => findChromium(machine.env, packageOf(machine.checkout));
  const ensure = (system?: string) =>
    ensureChromium({ env: machine.env, checkout: machine.checkout, log: (line) => machine.log.push(line) }, system);
  const mine = () => join(machine.folder, "mine");

  test("CHROME_PATH's, before the system's", () => {
    machine.addProgram("chrome", "", mine());
    machine.addProgram("chromium", "");
    machine.env.CHROME_PATH = join(mine(), "chrome");
    expect(find()).toMatchObject({ program: join(mine(), "chrome"), source: "CHROME_PATH" });
  });

  test("a CHROME_PATH that does not work is an error, not a reason to take another", async () => {
    machine.addProgram("chromium", "");
    machine.env.CHROME_PATH = join(mine(), "nothing");
    await expect(ensure()).rejects.toThrow(
      /^CHROME_PATH is .*nothing, but there is no program.*Correct it or unset it/,
    );
  });

  test("the system's, before one from npm; nothing is fetched", async () => {
    machine.addProgram("google-chrome", "");
    machine.addProgram("npm", "exit 1\n");
    await expect(ensure()).resolves.toMatchObject({
      program: join(machine.bin, "google-chrome"),
      source: "the system",
    });
    expect(machine.programsRun()).toEqual([]);
  });

  test("the one that was fetched, without asking npm again", async () => {
    const { program, environment } = packageOf(machine.checkout);
    machine.addProgram("chromium", "", join(program, ".."));
    await expect(ensure()).resolves.toEqual({ program, source: "npm", environment });
    expect(machine.log).toEqual([]);
  });

  test.each([
    ["npm has none", 'echo "npm error 404 Not Found" >&2; exit 1\n', /npm ended with exit code 1: npm error 404/],
    [
      "what comes is not what was pinned",
      'while [ $# -gt 0 ]; do [ "$1" = --pack-destination ] && to="$2"; shift; done\necho other > "$to/a.tgz"; echo a.tgz\n',
      /its SHA-512 is \S+, not \S+: it is not used/,
    ],
  ])("where %s, it says so and what helps, and leaves nothing behind", async (_what, npm, reason) => {
    machine.addProgram("npm", npm);
    await expect(ensure("linux-x64")).rejects.toThrow(reason);
    await expect(ensure("linux-x64")).rejects.toThrow(
      /Any one of these helps:\n.*apt-get install chromium.*\n.*CHROME_PATH/,
    );
    expect(readdirSync(join(machine.checkout, ".state", "browser"))).toEqual([]);
  });

  test("npm is not asked on a machine that the package is not for", async () => {
    machine.addProgram("npm", "exit 0\n");
    await expect(ensure("darwin-arm64")).rejects.toThrow(/the package is for linux-x64, and this is darwin-arm64/);
    expect(machine.programsRun()).toEqual([]);
  });
});
