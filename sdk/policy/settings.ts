import type { PolicyConfigSchema } from "@pulumi/policy";
import type { PolicyConfigJSONSchema } from "@pulumi/policy/schema";
import { z } from "zod";
import type { Rule, RuleSettings } from "./rule";

/** A setting that lists names; none by default. */
export const names = (description: string) => z.array(z.string()).default([]).describe(description);

/** A rule, from its settings as {@link ruleSettings} takes them. */
export function defineRule<Settings extends object, Asked>(
  rule: Omit<Rule<Settings, Asked>, "settings"> & { readonly settings: z.ZodType<Settings, Asked> },
): Rule<Settings, Asked> {
  return { ...rule, settings: ruleSettings(rule.settings) };
}

/** The settings of a rule, from a strict object in which each has a description and a default. Only this module and the rules use zod's types. */
export function ruleSettings<Settings extends object, Asked>(
  schema: z.ZodType<Settings, Asked>,
): RuleSettings<Settings, Asked> {
  return {
    read: (value) => {
      const result = schema.safeParse(value);
      return result.success ? { settings: result.data } : { problem: z.prettifyError(result.error) };
    },
    configSchema: configSchema(schema),
  };
}

const JsonSchemas = z.record(
  z.string(),
  z.custom<PolicyConfigJSONSchema>((schema) => typeof schema === "object" && schema !== null),
);

/** Without the defaults, because the engine would fill them in and override the settings in the pack's program. */
function configSchema(settings: z.ZodType): PolicyConfigSchema {
  const properties = JsonSchemas.parse(z.toJSONSchema(settings, { io: "input" }).properties ?? {});
  const described = Object.entries(properties).map(([name, { default: _, ...schema }]) => [name, schema] as const);
  return { properties: Object.fromEntries(described) };
}
