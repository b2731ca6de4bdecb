import { execFileSync } from "node:child_process";
import { mkdirSync, mkdtempSync, readdirSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import {
  createProgram,
  flattenDiagnosticMessageText,
  getPreEmitDiagnostics,
  ModuleKind,
  ModuleResolutionKind,
  ScriptTarget,
  type CompilerOptions,
} from "typescript";

// A type check of all declarations of the SDK and of Pulumi's, four times.
jest.setTimeout(300_000);

const checkout = join(__dirname, "..", "..");
let folder: string;
let tarball: string;
beforeAll(() => {
  // Below the checkout, whose node_modules has what npm would install beside the package.
  mkdirSync(join(checkout, ".state", "tests"), { recursive: true });
  folder = mkdtempSync(join(checkout, ".state", "tests", "consumer-"));
  execFileSync("npm", ["pack", "--silent", "--ignore-scripts", "--pack-destination", folder], { cwd: checkout });
  tarball = join(folder, readdirSync(folder).find((file) => file.endsWith(".tgz")) ?? "");
  const installed = join(folder, "node_modules", "pulumi-agent-platform");
  mkdirSync(installed, { recursive: true });
  execFileSync("tar", ["-xzf", tarball, "--strip-components=1", "-C", installed]);
  writeFileSync(join(folder, "package.json"), JSON.stringify({ name: "consumer", private: true }));
  writeFileSync(join(folder, "index.ts"), PROGRAM);
});
afterAll(() => rmSync(folder, { recursive: true, force: true }));

const PROGRAM = `
import * as pulumi from "@pulumi/pulumi";
import { Deployment, getDeployment, OAuthProvider } from "pulumi-agent-platform";
import { policies } from "pulumi-agent-platform/policy";
import { handlers } from "pulumi-agent-platform/provider";

const config = new pulumi.Config();
const agent = new Deployment("agent", {
  source: "external_docker",
  sourceRevisionConfig: { imageUri: "registry.example.com/agent:1.0.0" },
});
// A source of tomorrow, from wherever the text comes.
new Deployment("new", { source: config.require("source"), sourceConfig: { deploymentType: "huge" } });
new OAuthProvider("github", {
  providerId: "github", name: "GitHub", clientId: "c", authUrl: "https://a.example", tokenUrl: "https://b.example",
  codeChallengeMethod: "S256",
});
export const url: pulumi.Output<string | null> = agent.url;
export const name: Promise<string> = getDeployment({ name: "a" }).then((found) => found.name);
export const pack = policies({ "pkce-for-public-clients": { exempt: ["a"], enforcementLevel: "advisory" } });
export const kinds = Object.keys(handlers);
`;

test.each<[resolution: string, options: CompilerOptions]>([
  ["node10", { module: ModuleKind.CommonJS, moduleResolution: ModuleResolutionKind.Node10 }],
  ["node16", { module: ModuleKind.Node16, moduleResolution: ModuleResolutionKind.Node16 }],
  ["bundler", { module: ModuleKind.ESNext, moduleResolution: ModuleResolutionKind.Bundler }],
  ["nodenext", { module: ModuleKind.NodeNext, moduleResolution: ModuleResolutionKind.NodeNext }],
])("a program compiles under %s without skipLibCheck", (_resolution, options) => {
  const strict = { strict: true, noEmit: true, skipLibCheck: false, target: ScriptTarget.ES2022, types: ["node"] };
  const program = createProgram([join(folder, "index.ts")], { ...strict, ...options });
  const problems = getPreEmitDiagnostics(program)
    .map(({ file, messageText }) => `${file?.fileName ?? ""}: ${flattenDiagnosticMessageText(messageText, " ")}`)
    // Version 1.21.0 of Pulumi's own package lacks a declaration.
    .filter((problem) => !problem.includes("/@pulumi/policy/index.d.ts"));
  expect(problems).toEqual([]);
  const files = program.getSourceFiles().map(({ fileName }) => fileName);
  expect(files.some((file) => file.includes("/pulumi-agent-platform/dist/sdk/index.d.ts"))).toBe(true);
  expect(files.filter((file) => /\/node_modules\/(zod|axios|hono)\//.test(file))).toEqual([]);
});

// Both are ES modules, which jest does not load.
const script = (code: string): string =>
  execFileSync(process.execPath, ["--input-type=module", "-e", code], { cwd: checkout, encoding: "utf8" });

test("attw finds no entry whose types are wrong, under any resolution", () => {
  const said = script(`
    import { readFileSync } from "node:fs";
    import { checkPackage, createPackageFromTarballData } from "@arethetypeswrong/core";
    const { types, problems } = await checkPackage(createPackageFromTarballData(readFileSync(${JSON.stringify(tarball)})));
    console.log(JSON.stringify({ types, problems }));
  `);
  expect(JSON.parse(said)).toEqual({ types: { kind: "included" }, problems: [] });
});

test("publint has nothing to say", () => {
  const installed = join(folder, "node_modules", "pulumi-agent-platform");
  const said = script(`
    import { publint } from "publint";
    const { messages } = await publint({ pkgDir: ${JSON.stringify(installed)}, pack: false });
    console.log(JSON.stringify(messages));
  `);
  expect(JSON.parse(said)).toEqual([]);
});
