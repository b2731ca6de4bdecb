import { z } from "zod";
import { fitsOne } from "../../provider/base/wildcard";
import { read, UNKNOWN_PROP } from "./props";
import { defineRule } from "./rule";
import { ruleSettings } from "./settings";

/** Checks both sides: the namespaces that a listener serves, and the one in which a deployment asks to run. */
export const listenerNamespaces = defineRule({
  name: "listener-namespaces",
  description: "Listeners run deployments only in the namespaces that are allowed.",
  kinds: ["Listener", "Deployment"],
  settings: ruleSettings(
    z.strictObject({
      namespaces: z
        .array(z.string())
        .optional()
        .describe('The allowed namespaces; "*" stands for any text. Without this setting every namespace is.'),
    }),
  ),
  problems: ({ props }, { namespaces }) => {
    if (namespaces === undefined) return [];
    const remedy = namespaces.length === 0 ? "No namespace is allowed" : `Use one of ${namespaces.join(", ")}`;
    const refused = (path: string, namespace: unknown): string[] =>
      typeof namespace !== "string" || fitsOne(namespaces, namespace)
        ? []
        : [
            `${path}: is not an allowed namespace, so agents could run next to workloads that they should not reach. ${remedy}`,
          ];
    const asked = "sourceConfig.listenerConfig.k8sNamespace";
    const served = "computeConfig.k8sNamespaces";
    const all = read(props, served);
    if (Array.isArray(all)) return all.flatMap((each: unknown, index) => refused(`${served}[${index}]`, each));
    const isOpen = "computeConfig" in props && all !== UNKNOWN_PROP;
    return isOpen
      ? [`${served}: is not declared, so the platform decides in which namespaces agents run. ${remedy}`]
      : refused(asked, read(props, asked));
  },
});
