import { spawnSync } from "node:child_process";
import { mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { z } from "zod";
import { sandboxTemplates } from "../../emulator";
import { version } from "../../provider/base/version";
import { runCommand } from "../../tools/engine/command";
import { CONVERTED } from "../../tools/generate/programs";
import { writeSdk } from "../../tools/release/generator";
import { onEmulator } from "../engine/on-emulator";
import { ok } from "../support/cli-stack";
import { runProcess } from "../support/run-process";
import { describeWithEngine } from "../support/with-engine";
import { testWithGo } from "../support/with-go";
import { blocksRunBy } from "./blocks";
import { ROOT } from "./pages";
import { programIn } from "./registry-pages";

const MINUTES = 60_000;
const platform = onEmulator({ buildSeconds: 0.2 });

const converted = z
  .record(z.string(), z.object({ java: z.string() }))
  .parse(JSON.parse(readFileSync(join(ROOT, CONVERTED), "utf8")));

const hasMaven = spawnSync("mvn", ["--version"]).status === 0;
if (!hasMaven) console.error("\n!!! NO MAVEN: the registry's example in Java is NOT COMPILED.\n");
(hasMaven ? testWithGo : test.skip)(
  "the registry's example in Java compiles, and so do the programs of the reference",
  async () => {
    const { folder } = await platform.stackOf("");
    const project = join(folder, "java");
    await writeSdk({ checkout: ROOT, env: process.env, log: () => undefined }, "java", project);
    const pom = readFileSync(join(ROOT, "tools", "release", "pom.xml"), "utf8");
    writeFileSync(join(project, "pom.xml"), pom.replace("@version@", version()).replace("@time@", "1"));
    const inReference = Object.values(converted).flatMap(({ java }) => (java === "" ? [] : [java]));
    expect(inReference).toHaveLength(24);
    // The programs lie beside the SDK's classes, which are then found without a server.
    [programIn("java"), ...inReference].forEach((program, at) => {
      const source = join(project, "src", "main", "java", `program${at}`);
      mkdirSync(source);
      writeFileSync(join(source, "App.java"), program.replace(/^(?:package .*;)?/, `package program${at};`));
    });
    const args = ["--batch-mode", "--quiet", "compiler:compile"];
    await runCommand({ file: "mvn", args, cwd: project, env: process.env, timeout: 8 * MINUTES });
  },
  9 * MINUTES,
);

describeWithEngine("the commands of docs/installation-configuration.md", () => {
  const commands = blocksRunBy("tests/docs/registry-pages.long.test.ts").filter(({ language }) => language === "sh");
  const template = 'new platform.SandboxTemplate("notebook", { image: "a:1", resources: { cpu: "1" } });';

  test.each([
    ["in the stack's configuration", 0],
    ["in the environment", 1],
  ])("connect a program, %s", async (_where, at) => {
    expect(commands).toHaveLength(2);
    const { emulator } = platform;
    const stack = await platform.stackOf(template, {}, "native");
    for (const key of ["baseUrl", "apiKey"]) await stack.succeed("config", "rm", `agent-platform:${key}`);
    const block = commands[at]?.code.replace("https://platform.example.com", emulator.url) ?? "";
    const script = `set -e\n${block}pulumi up --yes --skip-preview`;
    const options = { environment: stack.environment, input: `${emulator.apiKey}\n` };
    ok(await runProcess("bash", ["-c", script], stack.folder, options));
    expect(emulator.outOfBand(sandboxTemplates).list()).toHaveLength(1);
  });
});
