import { z } from "zod";
import { fitsOne } from "../../provider/base/wildcard";
import { resourceTypeOf } from "../../provider/resources/resource-types";
import { names, ruleOf } from "./settings";

/** The part of a resource that shows what it depends on. */
export interface DependentNode {
  readonly type: string;
  readonly name: string;
  readonly urn: string;
  readonly parent?: DependentNode | undefined;
  readonly dependencies: readonly DependentNode[];
  readonly propertyDependencies: Readonly<Record<string, readonly DependentNode[]>>;
}

/** The deployments that no RunCheck asks, directly or through a Rollout, an Assistant or a component. */
export function unchecked(resources: readonly DependentNode[], exempt: readonly string[]): DependentNode[] {
  const deployments = resources.filter(({ type }) => resourceTypeOf(type) === "Deployment");
  const checks = resources.filter(({ type }) => resourceTypeOf(type) === "RunCheck");
  const checked = new Set(checks.flatMap((check) => askedBy(check, deployments)));
  return deployments.filter(({ name, urn }) => !checked.has(urn) && !fitsOne(exempt, name));
}

/** The deployments whose agent a resource asks, and not those that its input mentions. All that it depends on, if its address names none. */
function askedBy(node: DependentNode, all: readonly DependentNode[]): string[] {
  const { url = [], deploymentId = [], assistantId = [] } = node.propertyDependencies;
  const standsFor = (nodes: readonly DependentNode[]) => nodes.flatMap((each) => deploymentsOf(each, all));
  const asked = standsFor([...url, ...deploymentId, ...assistantId]);
  return asked.length > 0
    ? asked
    : standsFor([...node.dependencies, ...Object.values(node.propertyDependencies).flat()]);
}

/** The URNs of the deployments that a dependency stands for. */
function deploymentsOf(node: DependentNode, all: readonly DependentNode[]): string[] {
  const kind = resourceTypeOf(node.type);
  if (kind === "Deployment") return [node.urn];
  if (kind === "Rollout" || kind === "Assistant") return askedBy(node, all);
  // A component's outputs depend on the component alone, not on what is in it.
  const isIn = ({ parent }: DependentNode): boolean =>
    parent !== undefined && (parent.urn === node.urn || isIn(parent));
  return kind === undefined ? all.filter(isIn).map(({ urn }) => urn) : [];
}

/** DEPLOYED means that an agent runs, not that it answers. */
export const runChecks = ruleOf(
  {
    name: "run-check-for-every-deployment",
    description: "Every deployment has a RunCheck: `up` fails if its agent does not answer as it should.",
    kinds: ["Deployment"],
    settings: z.strictObject({
      exempt: names(
        'The Pulumi names of deployments that need no check, such as one that is only read; "*" stands for any text.',
      ),
    }),
  },
  (settingsWith) => ({
    validateStack(args, reportViolation) {
      for (const { urn } of unchecked(args.resources, settingsWith(args.getConfig()).exempt)) {
        reportViolation(
          "this deployment has no RunCheck: its agent may not answer, even if it is DEPLOYED. Add one " +
            '(`new RunCheck("...", { deployment })`), or list it in `exempt` of the settings of run-check-for-every-deployment',
          urn,
        );
      }
    },
  }),
);
