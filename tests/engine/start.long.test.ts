import { execFile, spawn } from "node:child_process";
import { cpSync, readFileSync, statSync, symlinkSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { WORKPLACES } from "../support/cli-stack";
import { newFolder } from "../support/new-folder";
import { describeWithEngine } from "../support/with-engine";

const checkout = join(__dirname, "..", "..");
let folder: string;

// A checkout of its own, so that the state of the developer's checkout is not touched. Packages are shared.
beforeAll(() => {
  folder = newFolder(WORKPLACES);
  for (const part of ["package.json", "Pulumi.yaml", "dist", "tools/engine", "examples/support-desk"]) {
    cpSync(join(checkout, part), join(folder, part), { recursive: true });
  }
  symlinkSync(join(checkout, "node_modules"), join(folder, "node_modules"));
});

function run(command: string): Promise<{ code: number; output: string }> {
  return new Promise((resolve) => {
    const script = join(folder, "dist", "tools", "main.js");
    execFile(process.execPath, [script, "try", command], { cwd: folder }, (error, stdout, stderr) => {
      resolve({ code: error ? Number(error.code ?? 1) : 0, output: stdout + stderr });
    });
  });
}

/** `npm run platform`, until it is asked to end. */
function keepPlatform() {
  const child = spawn(process.execPath, [join(folder, "dist", "tools", "main.js"), "try", "platform"], { cwd: folder });
  let output = "";
  const ended = new Promise<number | null>((resolve) => child.once("close", resolve));
  return {
    said: (wanted: RegExp): Promise<RegExpExecArray> =>
      new Promise((resolve, reject) => {
        void ended.then(() => reject(new Error(`the platform ended:\n${output}`)));
        for (const stream of [child.stdout, child.stderr])
          stream.setEncoding("utf8").on("data", (text: string) => {
            output += text;
            const found = wanted.exec(output);
            if (found !== null) resolve(found);
          });
      }),
    end: (): Promise<number | null> => {
      child.kill("SIGINT");
      return ended;
    },
  };
}

describeWithEngine("the commands of the README", () => {
  test("start makes six objects, two rollouts and two checks that the agents answer, and says that nothing is left to do; a second start changes nothing", async () => {
    const { code, output } = await run("start");
    expect([code, output.match(/ created \(/g)?.length]).toEqual([0, 11]);
    for (const kind of ["SandboxTemplate", "OAuthProvider", "Deployment", "Rollout", "RunCheck"]) {
      expect(output.match(new RegExp(`:${kind} \\S+ created`, "g"))).toHaveLength(2);
    }
    expect(output).toMatch(/\+ 11 created/);
    expect(output).toMatch(/11 unchanged[^]*Done\./);
    const again = await run("start");
    expect(again.code).toBe(0);
    expect(again.output.match(/11 unchanged/g)).toHaveLength(2);
  });

  test("preview and drift find nothing, also on the emulator that platform keeps running, whose page one address opens", async () => {
    const platform = keepPlatform();
    const [address] = await platform.said(/http:\/\/\S+\/console\?code=\S+/);
    for (const [command, said] of [
      ["preview", /11 unchanged/],
      ["drift", /^No drift: all 6 objects of stack emulator are as declared\.$/m],
    ] as const) {
      const { code, output } = await run(command);
      expect([command, code]).toEqual([command, 0]);
      expect(output).toMatch(said);
    }
    const page = await fetch(address, { redirect: "manual" });
    expect([page.status, page.headers.get("set-cookie")]).toEqual([303, expect.stringContaining("HttpOnly")]);
    const second = await run("platform");
    expect([second.code, second.output]).toEqual([0, expect.stringMatching(/is already running/)]);
    expect(await platform.end()).toBe(0);
    await expect(fetch(address)).rejects.toThrow();
  });

  test("drift finds a change made by hand, reports it as the README shows it, and ends with 7", async () => {
    const file = join(folder, ".state", "emulator.json");
    writeFileSync(file, readFileSync(file, "utf8").replace('"GitHub"', '"Hijacked"'));
    const { code, output } = await run("drift");
    expect(code).toBe(7);
    expect(output).toMatch(/^Stack emulator: 1 of \d+ objects drifted\. A change is declared -> live\.\n/m);
    expect(output).toMatch(/^ {2}name +"GitHub" +-> "Hijacked"$/m);
  });

  test("keys are in files of mode 0600, and in no other file", () => {
    for (const file of ["api-key", "passphrase", "emulator.json"]) {
      expect(statSync(join(folder, ".state", file)).mode & 0o777).toBe(0o600);
    }
    const key = readFileSync(join(folder, ".state", "api-key"), "utf8");
    const backend = join(folder, ".state", "pulumi", ".pulumi", "stacks", "support-desk", "emulator.json");
    for (const file of [backend, join(folder, "Pulumi.emulator.yaml")])
      expect(readFileSync(file, "utf8")).not.toContain(key);
  });

  test("destroy leaves the emulator empty", async () => {
    const { code, output } = await run("destroy");
    expect(code).toBe(0);
    expect(output).toMatch(/- 11 deleted/);
    expect(readFileSync(join(folder, ".state", "emulator.json"), "utf8")).not.toMatch(/"support-desk"|"Hijacked"/);
  });
});
