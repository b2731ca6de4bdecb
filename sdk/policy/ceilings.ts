import { z } from "zod";
import { ownValue } from "../../provider/base/json";
import { didYouMean } from "../../provider/base/nearest";
import type { Fields } from "../../provider/lifecycle/fields/table";
import { deploymentTable } from "../../provider/resources/deployment/fields";
import { sandboxTemplateTable } from "../../provider/resources/sandbox-template/fields";
import { quantityValue } from "../../provider/resources/sandbox-template/quantity";
import { read } from "./props";
import { defineRule } from "./settings";

const Ceilings = z
  .record(
    z.string(),
    z.string().refine((text) => quantityValue(text) !== undefined, 'must be a quantity like "4" or "8Gi"'),
  )
  .describe('The most that one resource may ask for, by the path of its property, like { "resources.cpu": "4" }.');

const TABLES = { SandboxTemplate: sandboxTemplateTable, Deployment: deploymentTable } as const;

/** Whether there is a property at this path: a ceiling of none would bound nothing. */
function isPath(fields: Fields, [name = "", ...below]: readonly string[]): boolean {
  const field = ownValue(fields, name);
  if (field === undefined || below.length === 0) return field !== undefined;
  const shape = field.type.kind === "nullable" ? field.type.of : field.type;
  return shape.kind === "object" ? isPath(shape.fields, below) : ["map", "json"].includes(shape.kind);
}

const ceilingsOf = (kind: "SandboxTemplate" | "Deployment", name: string, usual: Readonly<Record<string, string>>) =>
  defineRule({
    name,
    description: "Processors, memory and scale stay under the ceilings.",
    kinds: [kind],
    settings: z.strictObject({
      ceilings: Ceilings.superRefine((ceilings, context) => {
        const strange = Object.keys(ceilings).find((path) => !isPath(TABLES[kind].fields, path.split(".")));
        if (strange === undefined) return;
        const message = `"${strange}" is no property of a ${kind}${didYouMean(strange, Object.keys(usual))}`;
        context.addIssue({ code: "custom", message });
      }).default(usual),
    }),
    *problems({ props }, { ceilings }) {
      for (const [path, ceiling] of Object.entries(ceilings)) {
        const asked = read(props, path);
        const [amount, most] = [amountOf(asked), quantityValue(ceiling)];
        if (amount !== undefined && most !== undefined && amount > most)
          yield `${path}: ${String(asked)} is more than the ceiling of ${ceiling}, which keeps one mistake from using up what all agents share. Ask for less, or raise the ceiling in the settings of ${name}`;
      }
    },
  });

/** Compared by value, however it is spelled: "1000m" is 1. A number with more digits than a quantity has is one all the same. */
const amountOf = (value: unknown): bigint | undefined =>
  typeof value === "number" ? quantityValue(Math.min(value, 1e15).toFixed(9)) : quantityValue(String(value));

export const templateCeilings = ceilingsOf("SandboxTemplate", "template-ceilings", {
  "resources.cpu": "4",
  "resources.memory": "8Gi",
});

export const deploymentCeilings = ceilingsOf("Deployment", "deployment-ceilings", {
  "sourceConfig.resourceSpec.maxScale": "10",
  "sourceConfig.resourceSpec.cpu": "4",
  "sourceConfig.resourceSpec.cpuLimit": "4",
  "sourceConfig.resourceSpec.memoryMb": "8192",
  "sourceConfig.resourceSpec.memoryLimitMb": "8192",
});
