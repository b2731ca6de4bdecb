import type { StackValidationPolicy } from "@pulumi/policy";
import { z } from "zod";
import { fitsOne } from "../../provider/base/wildcard";
import { resourceTypeOf } from "../../provider/resources/resource-types";
import { policyOf } from "./rule";
import { names, ruleSettings } from "./settings";

/** DEPLOYED means that an agent runs, not that it answers. */
export const runChecks = {
  name: "run-check-for-every-deployment",
  description: "Every deployment has a RunCheck: `up` fails if its agent does not answer as it should.",
  settings: ruleSettings(
    z.strictObject({
      exempt: names(
        'The Pulumi names of deployments that need no check, such as one that is only read; "*" stands for any text.',
      ),
    }),
  ),
};

/** The part of a resource that shows what it depends on. */
export interface DependentNode {
  readonly type: string;
  readonly name: string;
  readonly urn: string;
  readonly parent?: DependentNode | undefined;
  readonly dependencies: readonly DependentNode[];
  readonly propertyDependencies: Readonly<Record<string, readonly DependentNode[]>>;
}

/** The deployments on which no RunCheck depends, directly or through a Rollout. */
export function unchecked(resources: readonly DependentNode[], exempt: readonly string[]): DependentNode[] {
  const checks = resources.filter(({ type }) => resourceTypeOf(type) === "RunCheck");
  const checked = new Set(checks.flatMap(askedBy));
  return resources.filter(
    ({ type, name, urn }) => resourceTypeOf(type) === "Deployment" && !checked.has(urn) && !fitsOne(exempt, name),
  );
}

const dependenciesOf = ({ dependencies, propertyDependencies }: DependentNode): DependentNode[] => [
  ...dependencies,
  ...Object.values(propertyDependencies).flat(),
];

/** The deployments whose agent a check asks, and not those that its input mentions. All that it depends on, if its address names none. */
function askedBy(check: DependentNode): string[] {
  const { url = [], deploymentId = [], assistantId = [] } = check.propertyDependencies;
  const asked = [...url, ...deploymentId, ...assistantId].flatMap(deploymentsOf);
  return asked.length > 0 ? asked : dependenciesOf(check).flatMap(deploymentsOf);
}

/** The URNs of the deployments that a dependency stands for. */
function deploymentsOf(node: DependentNode): string[] {
  const kind = resourceTypeOf(node.type);
  if (kind === "Deployment") return [node.urn];
  if (kind !== "Rollout") return [];
  const around = [...dependenciesOf(node), ...(node.parent === undefined ? [] : [node.parent])];
  return around.filter(({ type }) => resourceTypeOf(type) === "Deployment").map(({ urn }) => urn);
}

/** The policy of the rule; none if the pack leaves it out. */
export function runCheckPolicies(given: false | object = {}): StackValidationPolicy[] {
  if (given === false) return [];
  const { policy, settingsWith } = policyOf(runChecks, given);
  return [
    {
      ...policy,
      validateStack: (args, reportViolation) => {
        for (const { urn } of unchecked(args.resources, settingsWith(args.getConfig()).exempt)) {
          reportViolation(
            "this deployment has no RunCheck: its agent may not answer, even if it is DEPLOYED. Add one " +
              '(`new RunCheck("...", { deployment })`), or list it in `exempt` of the settings of run-check-for-every-deployment',
            urn,
          );
        }
      },
    },
  ];
}
