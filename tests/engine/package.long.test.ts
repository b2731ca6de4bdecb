import { execFileSync } from "node:child_process";
import { readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { startEmulator, sandboxTemplates, deployments, type Emulator } from "../../emulator";
import { CliStack } from "../support/cli-stack";
import { describeWithEngine } from "../support/with-engine";
import { deployed } from "../support/agent-under-test";
import { ask, providerOf } from "../support/ask";
import { newFolder } from "../support/new-folder";

const checkout = join(__dirname, "..", "..");
let folder: string;
let emulator: Emulator;
let stack: CliStack;

/** The README's first TypeScript program. */
function programOfReadme(): string {
  const program = /```ts\n([^]*?)```/.exec(readFileSync(join(checkout, "README.md"), "utf8"))?.[1];
  if (program === undefined) throw new Error("the README has no program");
  return program;
}

describeWithEngine("the package, as a new user gets it", () => {
  beforeAll(async () => {
    emulator = await startEmulator({ buildSeconds: 1 });
    folder = newFolder();
    execFileSync("npm", ["pack", "--silent", "--ignore-scripts", "--pack-destination", folder], { cwd: checkout });
    const tarball = readdirSync(folder).find((file) => file.endsWith(".tgz")) ?? "";
    stack = await CliStack.make("", { parent: folder });
    rmSync(join(stack.folder, "index.js"));
    writeFileSync(join(stack.folder, "index.ts"), programOfReadme());
    writeFileSync(join(stack.folder, "package.json"), JSON.stringify({ name: "stranger", main: "index.ts" }));
    const packages = [join(folder, tarball), "@pulumi/pulumi@3.246.0", "typescript@5.9.3", "@types/node@20"];
    execFileSync("npm", ["install", "--silent", "--no-audit", "--no-fund", ...packages], { cwd: stack.folder });
    await stack.configure(
      { "agent-platform:baseUrl": emulator.url },
      { "agent-platform:apiKey": emulator.apiKey, "test:modelApiKey": "canary-model-key" },
    );
  });
  afterAll(() => emulator.close());

  test("the README's program: up, preview, refresh and destroy by plain CLI", async () => {
    const steps = [
      await stack.up(),
      await stack.preview("--expect-no-changes"),
      await stack.run(["refresh", "--preview-only", "--expect-no-changes"]),
    ];
    expect(steps.map(({ code, output }) => (code === 0 ? 0 : output))).toEqual([0, 0, 0]);
    expect(emulator.outOfBand(deployments).list()).toHaveLength(1);
    expect((await stack.outputs())["url"]).toMatch(/^http:\/\/127\.0\.0\.1:\d+\/agents\//);
    expect(stack.stateText()).not.toContain("canary-model-key");
    expect((await stack.destroy()).code).toBe(0);
    expect(emulator.outOfBand(deployments).list()).toEqual([]);
    expect(emulator.outOfBand(sandboxTemplates).list()).toEqual([]);
  });

  test("its native plugin, named as the documentation says: import by id and by name, and the next preview has nothing to do", async () => {
    const plugin = "./node_modules/pulumi-agent-platform/plugin";
    const native = `packages:\n  agent-platform: ${plugin}\nconfig:\n  agent-platform:plugin:\n    value: native\n`;
    writeFileSync(join(stack.folder, "Pulumi.yaml"), `name: test\nruntime: nodejs\n${native}`);
    const notebook = { name: "notebook", image: "python:3.12", resources: { cpu: "500m" } };
    await ask(emulator, "POST", "/v2/sandboxes/templates", notebook);
    await ask(emulator, "POST", "/v2/auth/providers", providerOf("github", "canary-client-secret"));
    await deployed(emulator, "registry.example.com/desk:1.0.0", "desk", { TOKEN: "canary-token" });
    for (const [kind, id] of [
      ["SandboxTemplate", "notebook"],
      ["OAuthProvider", "github"],
      ["Deployment", emulator.outOfBand(deployments).get("desk").id],
    ] as const) {
      const all = [`agent-platform:index:${kind}`, kind, id, "--yes", "--generate-code=false", "--protect=false"];
      await stack.succeed("import", ...all);
    }
    emulator.clearLog();
    const imported = stack.resources().filter(({ type }) => type.startsWith("agent-platform:"));
    const declared = imported.map(({ type, inputs }) => {
      const kind = type.split(":").at(-1) ?? "";
      return `new platform.${kind}("${kind}", ${JSON.stringify(inputs)} as any);`;
    });
    const head = 'import * as platform from "pulumi-agent-platform";\n';
    // The wait for a revision is no object to import: it is made, and finds the revision DEPLOYED.
    writeFileSync(join(stack.folder, "index.ts"), head + declared.join("\n"));
    await stack.succeed("up", "--yes", "--skip-preview");
    expect((await stack.preview("--expect-no-changes")).code).toBe(0);
    expect(emulator.requests.filter(({ method, path }) => method !== "GET" && !path.endsWith("_logs"))).toEqual([]);
    expect(stack.stateText()).not.toMatch(/canary/);
    expect((await stack.destroy()).code).toBe(0);
    expect(emulator.outOfBand(deployments).list()).toEqual([]);
    writeFileSync(join(stack.folder, "index.ts"), programOfReadme());
  });

  test("its command serves the emulator, and its types compile", () => {
    const bin = join(stack.folder, "node_modules", ".bin");
    expect(execFileSync(join(bin, "pulumi-agent-platform"), ["emulator", "--help"], { encoding: "utf8" })).toMatch(
      /--build-seconds/,
    );
    execFileSync(
      join(bin, "tsc"),
      [
        "--noEmit",
        "--strict",
        "--skipLibCheck",
        "--module",
        "commonjs",
        "--moduleResolution",
        "node10",
        "--ignoreDeprecations",
        "5.0",
        "--types",
        "node",
        "--target",
        "es2022",
        "index.ts",
      ],
      { cwd: stack.folder },
    );
  });
});
