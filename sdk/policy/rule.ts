import type { PolicyConfigSchema, ResourceValidationPolicy } from "@pulumi/policy";
import { z } from "zod";
import { plain, type Props } from "./props";
import { componentOf } from "../../provider/resources/components";
import { type ResourceType, resourceTypeOf } from "../../provider/resources/resource-types";

/** The types of this provider that no rule here can match. Of a component, the rules check the resources in it. */
export const unmatched = (types: readonly string[]): string[] =>
  [...new Set(types)].filter(
    (type) =>
      /^(pulumi-nodejs:dynamic\/)?agent-platform:/.test(type) &&
      resourceTypeOf(type) === undefined &&
      componentOf(type) === undefined,
  );

/** A resource, as a rule sees it. */
export interface Judged {
  /** Its Pulumi name. */
  readonly name: string;
  /** Its inputs, as plain data. */
  readonly props: Props;
  /** Whether it has the option `protect`. */
  readonly isProtected: boolean;
}

/** The settings of a rule (settings.ts). The declarations of this module use no type of zod, which programs would then have to compile. */
export interface RuleSettings<Settings extends object, Asked> {
  readonly read: (value: object) => { readonly settings: Settings } | { readonly problem: string };
  readonly configSchema: PolicyConfigSchema;
  /** The settings as a pack gives them. Never set: it only carries the type. */
  readonly asked?: Asked;
}

/** The common part of rules for resources and rules for the whole stack. `Asked` is the type of `Settings` as a pack gives them. */
interface BaseRule<Settings extends object, Asked> {
  readonly name: string;
  readonly description: string;
  readonly settings: RuleSettings<Settings, Asked>;
  /** How strictly it is enforced unless the pack sets that. @default "mandatory" */
  readonly enforcementLevel?: Enforcement;
}

/** A rule of the pack: a pure function of a resource and of the rule's settings. */
export interface Rule<Settings extends object, Asked> extends BaseRule<Settings, Asked> {
  /** The kinds of resources that it checks. */
  readonly kinds: readonly ResourceType[];
  /** One text per violation: the property, why, and the remedy. Of values, only amounts: secrets arrive here in plaintext, and look like any other text. */
  problems(resource: Judged, settings: Settings): string[];
}

/** How strictly a rule is enforced. */
export type Enforcement = "advisory" | "mandatory" | "disabled";

/** What a pack says of a rule: its settings, and how strictly it is enforced. False leaves it out. */
export type Given<Asked> = false | (Asked & { readonly enforcementLevel?: Enforcement });

const WithLevel = z.looseObject({
  enforcementLevel: z.enum(["advisory", "mandatory", "disabled"]).optional(),
});

/** The parts of a policy that come from its rule, and its effective settings: first the configured ones, then those of the pack, then the defaults. */
export function policyOf<Settings extends object, Asked>(
  { name, description, settings, enforcementLevel: usual = "mandatory" }: BaseRule<Settings, Asked>,
  given: object,
): {
  readonly policy: Pick<ResourceValidationPolicy, "name" | "description" | "enforcementLevel" | "configSchema">;
  readonly settingsWith: (configured: object) => Settings;
} {
  const refused = (problem: string): Error => new Error(`policy ${name}: ${problem}`);
  const level = WithLevel.safeParse(given);
  if (!level.success) throw refused(z.prettifyError(level.error));
  const { enforcementLevel = usual, ...own } = level.data;
  const settingsWith = (configured: object): Settings => {
    const read = settings.read({ ...own, ...configured });
    if ("problem" in read) throw refused(read.problem);
    return read.settings;
  };
  // Check the pack's settings when the pack is created.
  settingsWith({});
  return { policy: { name, description, enforcementLevel, configSchema: settings.configSchema }, settingsWith };
}

/** The policy of a rule; none if the pack leaves it out. */
export function resourcePolicies(rule: Rule<object, unknown>, given: false | object = {}): ResourceValidationPolicy[] {
  if (given === false) return [];
  const { policy, settingsWith } = policyOf(rule, given);
  return [
    {
      ...policy,
      validateResource: (args, reportViolation) => {
        const { type, name, props, opts } = args;
        const kind = resourceTypeOf(type);
        if (kind === undefined || !rule.kinds.includes(kind)) return;
        const resource = { name, props: plain(props), isProtected: opts.protect };
        for (const problem of rule.problems(resource, settingsWith(args.getConfig()))) reportViolation(problem);
      },
    },
  ];
}
