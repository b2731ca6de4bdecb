import type { ResourceValidationPolicy, StackValidationPolicy } from "@pulumi/policy";
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

/** How strictly a rule is enforced. */
export type Enforcement = "advisory" | "mandatory" | "disabled";

/** What a pack says of a rule: its settings, and how strictly it is enforced. False leaves it out. */
export type Given<Asked> = false | (Asked & { readonly enforcementLevel?: Enforcement });

/** A rule of the pack (settings.ts). The declarations of this module use no type of zod, which programs would then have to compile. */
export interface Rule<Asked> {
  readonly name: string;
  /** The kinds of resources that it checks. */
  readonly kinds: readonly ResourceType[];
  /** Its policy; none if the pack leaves it out. Throws if what the pack says is wrong. */
  readonly policies: (given?: false | object) => (ResourceValidationPolicy | StackValidationPolicy)[];
  /** The settings as a pack gives them. Never set: it only carries the type. */
  readonly asked?: Asked;
}
