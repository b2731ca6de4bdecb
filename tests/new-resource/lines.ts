import { readFileSync } from "node:fs";
import { join } from "node:path";

/** Text of a resource type in a file that it shares with the others. */
export interface SharedLines {
  readonly file: string;
  readonly text: string;
}

const ROOT = join(__dirname, "..", "..");
const read = (file: string): string => readFileSync(join(ROOT, file), "utf8");

/** The page that lists the places of a new resource type. */
export const PAGE = read("docs/internals/adding-a-resource.md");
export const PLACES = [...PAGE.matchAll(/^\| \d+ +\| `([^`]+)`/gm)].map(([, place = ""]) => place);

/** The places of SandboxRegistry that are its own. */
export const OWN = PLACES.filter((place) => /sandbox-registr/.test(place));

/** What is generated from them. */
export const GENERATED = [
  "docs/reference/sandbox-registry.md",
  "sdk/functions/sandbox-registry.generated.ts",
  "sdk/resources/sandbox-registry.generated.ts",
];

const [conformanceCase = "no case"] =
  /^ {2}SandboxRegistry: \{\n[^]*?^ {2}\},\n/m.exec(read("tests/conformance/cases.ts")) ?? [];
const PROGRAM = "tests/upgrade/stories/everything/program.js";
const [declared = "no resource"] =
  /^const images = new platform\.SandboxRegistry\([^]*?^\}\);\n(?:new platform\.SandboxRegistry\([^]*?^\}\);\n)*/m.exec(
    read(PROGRAM),
  ) ?? [];
const CONSOLE = "emulator/console/model/objects.ts";
const [onPages = "no type"] = /^ {2}type\(sandboxRegistries, \{\n[^]*?^ {2}\}\),\n/m.exec(read(CONSOLE)) ?? [];

/** The lines of SandboxRegistry in its other places. */
export const SHARED: readonly SharedLines[] = [
  { file: "provider/resources/resource-types.ts", text: '  SandboxRegistry: "platform",\n' },
  {
    file: "provider/resources/index.ts",
    text: 'export { sandboxRegistry as SandboxRegistry } from "./sandbox-registry/definition";\n',
  },
  {
    file: "emulator/routes/index.ts",
    text: 'export { sandboxRegistryRoutes } from "./sandbox-registries";\n',
  },
  {
    file: "tests/conformance/cases.ts",
    text: conformanceCase,
  },
  {
    file: "tests/conformance/cases.ts",
    text: 'import { sandboxRegistries } from "../../emulator/routes/sandbox-registries";\n',
  },
  {
    file: "tests/conformance/cases.ts",
    text: 'const images = { name: "images", url: "registry.example", username: "puller", password: "registry-password" };\n',
  },
  {
    file: "README.md",
    text: "| `SandboxRegistry` | a private registry of images for sandboxes, with its credentials     |\n",
  },
  { file: PROGRAM, text: declared },
  { file: CONSOLE, text: 'import { sandboxRegistries } from "../../routes/sandbox-registries";\n' },
  { file: CONSOLE, text: onPages },
];
