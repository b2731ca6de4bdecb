import { writeFileSync } from "node:fs";
import { join } from "node:path";
import type { Emulator } from "../emulator";
import { PLUGIN } from "../tests/support/cli-stack";
import { ensureEngine } from "../tools/engine";
import { ensureYamlHost } from "../tools/engine/yaml-host";
import { atMost, inTurns, seconds, Side, type Measured } from "./row";
import { PROGRAMS, succeedsIn, withEmulator, withStack } from "./stacks";

export const TEMPLATES = 200;
const PREVIEW = ["preview"];

/** The same templates declared in YAML. */
export function yamlProject(): string {
  const template = (index: number): string => `  n${index}:
    type: agent-platform:SandboxTemplate
    properties:
      image: python:3.12
      resources: { cpu: "1", memory: 1Gi }
`;
  const resources = Array.from({ length: TEMPLATES }, (_, index) => template(index)).join("");
  return `name: test\nruntime: yaml\npackages:\n  agent-platform: ${PLUGIN}\nresources:\n${resources}`;
}

/** A program in YAML against the same one in TypeScript, both on the native plugin: a preview of a stack that is as declared. */
export const yaml = (): Promise<Measured> =>
  withEmulator({}, async (emulator) => {
    const { bin } = await ensureYamlHost(await ensureEngine());
    const [ours, typescript] = [previewOf(emulator, bin, yamlProject()), previewOf(emulator, bin)];
    await inTurns(ours, typescript);
    const [ms, typescriptMs] = [ours, typescript].map((side) => side.median((time) => time));
    return {
      rows: [
        {
          name: `YAML program: preview without changes, ${TEMPLATES} templates, against the TypeScript program`,
          ours: seconds(ms ?? NaN),
          baseline: seconds(typescriptMs ?? NaN),
          ...atMost(0.6, (ms ?? NaN) / (typescriptMs ?? NaN)),
        },
      ],
    };
  });

/** @param project The text of Pulumi.yaml. @default that of a TypeScript project */
const previewOf = (emulator: Emulator, hostBin: string, project?: string) =>
  new Side(() =>
    withStack(
      emulator,
      PROGRAMS.ours(TEMPLATES),
      async (stack) => {
        stack.environment["PATH"] = `${hostBin}:${stack.environment["PATH"] ?? ""}`;
        if (project !== undefined) writeFileSync(join(stack.folder, "Pulumi.yaml"), project);
        await succeedsIn(() => stack.run(["up", "--yes", "--skip-preview"]));
        return succeedsIn(() => stack.run(PREVIEW));
      },
      "native",
    ),
  );
