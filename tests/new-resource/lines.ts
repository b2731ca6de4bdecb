import { readFileSync } from "node:fs";
import { join } from "node:path";

/** Text of a resource type in a file that it shares with the others. */
export interface SharedLines {
  readonly file: string;
  readonly text: string;
}

/** The places of SandboxRegistry that are its own. */
export const OWN = ["provider/resources/sandbox-registry", "emulator/routes/sandbox-registries.ts"];

/** What is generated from them. */
export const GENERATED = [
  "docs/reference/sandbox-registry.md",
  "sdk/functions/sandbox-registry.generated.ts",
  "sdk/resources/sandbox-registry.generated.ts",
];

const CASES = join(__dirname, "..", "conformance", "cases.ts");
const [conformanceCase = "no case"] =
  /^ {2}SandboxRegistry: \{\n[^]*?^ {2}\},\n/m.exec(readFileSync(CASES, "utf8")) ?? [];

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
];
