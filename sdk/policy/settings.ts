import type { PolicyConfigSchema, ResourceValidationPolicy, StackValidationPolicy } from "@pulumi/policy";
import type { PolicyConfigJSONSchema } from "@pulumi/policy/schema";
import { z } from "zod";
import { type ResourceType, resourceTypeOf } from "../../provider/resources/resource-types";
import { plain, type Props } from "./props";
import type { Enforcement, Rule } from "./rule";

/** A setting that lists names; none by default. */
export const names = (description: string) => z.array(z.string()).default([]).describe(description);

/** What every rule says of itself. `Asked` is the type of `Settings` as a pack gives them. Only this module and the rules use zod's types. */
interface Described<Settings extends object, Asked> {
  readonly name: string;
  readonly description: string;
  readonly kinds: readonly ResourceType[];
  /** A strict object in which each setting has a description and a default. */
  readonly settings: z.ZodType<Settings, Asked>;
  /** How strictly it is enforced unless the pack sets that. @default "mandatory" */
  readonly enforcementLevel?: Enforcement;
}

/** A resource, as a rule sees it. */
interface Judged {
  /** Its Pulumi name. */
  readonly name: string;
  /** Its inputs, as plain data. */
  readonly props: Props;
  /** Whether it has the option `protect`. */
  readonly isProtected: boolean;
}

interface ResourceRule<Settings extends object, Asked> extends Described<Settings, Asked> {
  /** One text per violation: the property, why, and the remedy. Of values, only amounts: secrets arrive here in plaintext, and look like any other text. */
  problems(resource: Judged, settings: Settings): Iterable<string>;
}

/** A rule for single resources: a pure function of a resource and of the rule's settings. */
export const defineRule = <Settings extends object, Asked>(rule: ResourceRule<Settings, Asked>): Rule<Asked> =>
  ruleOf(rule, (settingsWith) => ({
    validateResource(args, reportViolation) {
      const { type, name, props, opts } = args;
      const kind = resourceTypeOf(type);
      if (kind === undefined || !rule.kinds.includes(kind)) return;
      const resource = { name, props: plain(props), isProtected: opts.protect };
      for (const problem of rule.problems(resource, settingsWith(args.getConfig()))) reportViolation(problem);
    },
  }));

type Validation = Pick<ResourceValidationPolicy, "validateResource"> | Pick<StackValidationPolicy, "validateStack">;

const WithLevel = z.looseObject({
  enforcementLevel: z.enum(["advisory", "mandatory", "disabled"]).optional(),
});

/** A rule that validates by itself, with its effective settings: first the configured ones, then those of the pack, then the defaults. */
export function ruleOf<Settings extends object, Asked>(
  { name, description, kinds, settings, enforcementLevel: usual = "mandatory" }: Described<Settings, Asked>,
  validation: (settingsWith: (configured: object) => Settings) => Validation,
): Rule<Asked> {
  const parsed = <T>(schema: z.ZodType<T>, value: object): T => {
    const { data, error } = schema.safeParse(value);
    if (error !== undefined) throw new Error(`policy ${name}: ${z.prettifyError(error)}`);
    return data;
  };
  return {
    name,
    kinds,
    policies(given = {}) {
      if (given === false) return [];
      const { enforcementLevel = usual, ...own } = parsed(WithLevel, given);
      const settingsWith = (configured: object): Settings => parsed(settings, { ...own, ...configured });
      // Check the pack's settings when the pack is created.
      settingsWith({});
      const described = { name, description, enforcementLevel, configSchema: configSchema(settings) };
      return [{ ...described, ...validation(settingsWith) }];
    },
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
