// The policy pack of agent environments, for `new PolicyPack("...", { policies: policies() })`. It needs @pulumi/policy.
import type { Policies, StackValidationPolicy } from "@pulumi/policy";
import { didYouMean } from "../../provider/base/nearest";
import { deploymentCeilings, templateCeilings } from "./ceilings";
import { environmentSecrets } from "./environment-secrets";
import { type Given, type Rule, unmatched } from "./rule";
import { pinnedDeploymentImage, pinnedServerVersion, pinnedTemplateImage } from "./pinned";
import { pkce } from "./pkce";
import { protectedDeployments } from "./protected-deployments";
import { encryptedUrls, listenerNamespaces, proxyHosts } from "./places";
import { runChecks } from "./run-checks";

// Each kind has two type tokens, one per plugin of the provider. A rule that matched only one of them would silently check nothing after a
// stack has moved to the other plugin.
export { resourceTypeOf as kindOf } from "../../provider/resources/resource-types";
export type { Enforcement } from "./rule";

/** The rules of single resources, by their names. */
export const RULES = {
  "encrypted-urls": encryptedUrls,
  "pkce-for-public-clients": pkce,
  "no-wildcard-proxy-hosts": proxyHosts,
  "template-ceilings": templateCeilings,
  "deployment-ceilings": deploymentCeilings,
  "pinned-template-image": pinnedTemplateImage,
  "pinned-deployment-image": pinnedDeploymentImage,
  "pinned-server-version": pinnedServerVersion,
  "no-secrets-in-environment": environmentSecrets,
  "protected-deployments": protectedDeployments,
  "listener-namespaces": listenerNamespaces,
} as const;

/** Those, and the rule of the whole stack. */
const ALL = { ...RULES, "run-check-for-every-deployment": runChecks } as const;

/** What a pack says of the rules, by their names: settings, how strictly a rule is enforced, or false to leave it out. */
export type PolicySettings = {
  readonly [Name in keyof typeof ALL]?: (typeof ALL)[Name] extends Rule<infer Asked> ? Given<Asked> : never;
};

/**
 * The policies of the pack. Each can be set here, and again, over this, by the configuration of the pack (`--policy-pack-config`). Throws
 * where there is no such rule or setting.
 *
 * @example
 * import { PolicyPack } from "@pulumi/policy";
 * import { policies } from "pulumi-agent-platform/policy";
 *
 * new PolicyPack("agents", { policies: policies({ "pinned-deployment-image": { digest: true } }) });
 */
export function policies(given: PolicySettings = {}): Policies {
  const known = Object.keys(ALL);
  const strange = Object.keys(given).find((name) => !known.includes(name));
  if (strange !== undefined) {
    throw new Error(`there is no policy "${strange}". There are: ${known.join(", ")}${didYouMean(strange, known)}`);
  }
  const all: Readonly<Record<string, false | object | undefined>> = given;
  return [...Object.values(ALL).flatMap((rule: Rule<unknown>) => rule.policies(all[rule.name])), everyTypeIsKnown];
}

/** Reports types that no rule matches, which would otherwise silently be checked by none. */
const everyTypeIsKnown: StackValidationPolicy = {
  name: "every-resource-is-checked",
  description: "A resource of the agent platform has a type that these policies know.",
  enforcementLevel: "mandatory",
  validateStack: ({ resources }, reportViolation) => {
    for (const type of unmatched(resources.map((resource) => resource.type))) {
      reportViolation(
        `${type}: no policy of this pack matches this type, so nothing was checked; update pulumi-agent-platform`,
      );
    }
  },
};
