import { execFileSync } from "node:child_process";
import { existsSync, mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import {
  createProgram,
  flattenDiagnosticMessageText,
  getPreEmitDiagnostics,
  ModuleKind,
  ModuleResolutionKind,
  ScriptTarget,
  type CompilerOptions,
  type Diagnostic,
} from "typescript";
import { z } from "zod";
import { WORKPLACES } from "../support/cli-stack";
import { newFolder } from "../support/new-folder";
import { packInto } from "../support/packed";
import { editorIn } from "./completions";
import { MISTAKEN_PROGRAM, MISTAKES, PROGRAM } from "./programs";

const checkout = join(__dirname, "..", "..");
let folder: string;
let tarball: string;
beforeAll(() => {
  // Below the checkout, whose node_modules has what npm would install beside the package.
  folder = newFolder(WORKPLACES);
  tarball = packInto(folder);
  const installed = join(folder, "node_modules", "pulumi-agent-platform");
  mkdirSync(installed, { recursive: true });
  execFileSync("tar", ["-xzf", tarball, "--strip-components=1", "-C", installed]);
  writeFileSync(join(folder, "package.json"), JSON.stringify({ name: "consumer", private: true }));
  for (const file of [FILES.commonjs, FILES.esm]) writeFileSync(join(folder, file), PROGRAM);
  writeFileSync(join(folder, FILES.mistaken), MISTAKEN_PROGRAM);
});

const lines = MISTAKEN_PROGRAM.split("\n");
/** A program as a CommonJS and as an ES module, and one with a mistake in each line. */
const FILES = { commonjs: "index.ts", esm: "index.mts", mistaken: "mistaken.ts" };

test.each<[resolution: string, options: CompilerOptions, files: readonly string[]]>([
  ["node10", { module: ModuleKind.CommonJS, moduleResolution: ModuleResolutionKind.Node10 }, [FILES.commonjs]],
  ["node16", { module: ModuleKind.Node16, moduleResolution: ModuleResolutionKind.Node16 }, [FILES.commonjs, FILES.esm]],
  ["bundler", { module: ModuleKind.ESNext, moduleResolution: ModuleResolutionKind.Bundler }, [FILES.esm]],
  [
    "nodenext",
    { module: ModuleKind.NodeNext, moduleResolution: ModuleResolutionKind.NodeNext },
    [FILES.commonjs, FILES.esm],
  ],
])("a program compiles under %s without skipLibCheck, and one with mistakes does not", (_, options, programs) => {
  const strict = { strict: true, noEmit: true, skipLibCheck: false, target: ScriptTarget.ES2022, types: ["node"] };
  const paths = [...programs, FILES.mistaken].map((file) => join(folder, file));
  const program = createProgram(paths, { ...strict, ...options });
  const isMistaken = ({ file }: Diagnostic): boolean => file?.fileName === join(folder, FILES.mistaken);
  const diagnostics = getPreEmitDiagnostics(program);
  const problems = diagnostics
    .filter((diagnostic) => !isMistaken(diagnostic))
    .map(({ file, messageText }) => `${file?.fileName ?? ""}: ${flattenDiagnosticMessageText(messageText, " ")}`)
    // Version 1.21.0 of Pulumi's own package lacks a declaration.
    .filter((problem) => !problem.includes("/@pulumi/policy/index.d.ts"));
  expect(problems).toEqual([]);
  const mistakes = diagnostics.filter(isMistaken).map(({ file, start, messageText }) => {
    const line = file?.getLineAndCharacterOfPosition(start ?? 0).line ?? 0;
    return { statement: lines[line], message: flattenDiagnosticMessageText(messageText, " ") };
  });
  expect(mistakes).toHaveLength(MISTAKES.length);
  for (const [index, [statement, message]] of MISTAKES.entries()) {
    expect(mistakes[index]?.statement).toBe(statement);
    expect(mistakes[index]?.message).toContain(message);
  }
  const files = program.getSourceFiles().map(({ fileName }) => fileName);
  for (const entry of ["sdk", "sdk/policy", "provider", "emulator"]) {
    expect(files.some((file) => file.includes(`/pulumi-agent-platform/dist/${entry}/index.d.ts`))).toBe(true);
  }
  expect(files.filter((file) => /\/node_modules\/(zod|axios|hono|@hono|@opentelemetry)\//.test(file))).toEqual([]);
});

test("the program uses every entry of the package", () => {
  const { exports } = z
    .object({ exports: z.record(z.string(), z.unknown()) })
    .parse(JSON.parse(readFileSync(join(checkout, "package.json"), "utf8")));
  const entries = Object.keys(exports).filter((entry) => entry !== "./package.json");
  const used = entries.filter((entry) => PROGRAM.includes(`"${entry.replace(".", "pulumi-agent-platform")}"`));
  expect(used).toEqual(entries);
});

describe("an editor offers", () => {
  const some = [
    "customUrl",
    "repoUrl",
    "integrationId",
    "resourceSpec",
    "imageUri",
    "repoRef",
    "github",
    "external_docker",
  ];
  let offered: (program: string) => readonly string[];
  beforeAll(() => (offered = editorIn(folder)));

  test.each<[what: string, args: string, offered: readonly string[]]>([
    ["the known sources", `source: "|"`, ["github", "external_docker"]],
    [
      "of sourceConfig what the source takes",
      `source: "external_docker", sourceConfig: { | }`,
      ["customUrl", "resourceSpec"],
    ],
    [
      "the same where the source stands behind it",
      `sourceConfig: { | }, source: "github"`,
      ["repoUrl", "integrationId"],
    ],
    ["of sourceRevisionConfig what the source takes", `source: "github", sourceRevisionConfig: { | }`, ["repoRef"]],
    [
      "everything with a source that is not known here",
      `source: "new", sourceConfig: { | }`,
      ["customUrl", "repoUrl", "integrationId", "resourceSpec"],
    ],
  ])("%s", (_what, args, expected) => {
    const names = offered(`import { Deployment } from "pulumi-agent-platform";\nnew Deployment("a", { ${args} });`);
    expect(some.filter((name) => names.includes(name))).toEqual(some.filter((name) => expected.includes(name)));
  });
});

test("the skill file is made of pages, and leads to files of the package", () => {
  const skill = readFileSync(join(folder, "node_modules", "pulumi-agent-platform", "skill", "SKILL.md"), "utf8");
  expect(skill).toMatch(/^---\nname: pulumi-agent-platform\ndescription: .{99,}\n---\n/);
  for (const part of ["# Start", "# Tests of your program", "# Reviews", "# Waiting and failing", "# Roll back"])
    expect(skill).toContain(`\n${part}\n`);
  expect(skill).not.toContain("<!--");
  const paths = [...skill.matchAll(/\]\((?![a-z]+:|#)([^)#]+)/g)].map(([, path = ""]) => path);
  expect(paths.length).toBeGreaterThan(20);
  expect(paths.filter((path) => !existsSync(join(folder, path)))).toEqual([]);
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
