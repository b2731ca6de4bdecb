import { z } from "zod";
import { isProps, listOf, read } from "./props";
import { defineRule } from "./rule";
import { ruleSettings } from "./settings";

/**
 * A matching host receives the rule's headers, and with them its token. Every wildcard is refused, even "*.example.com": a
 * review cannot see who owns the names under a domain (of a hosting service, say).
 */
export const proxyHosts = defineRule({
  name: "no-wildcard-proxy-hosts",
  description: "A proxy rule names each host that receives its headers.",
  kinds: ["SandboxTemplate"],
  settings: ruleSettings(
    z.strictObject({
      allow: z
        .array(z.string())
        .default([])
        .describe('Entries with a wildcard that are allowed, each as it is written, like "*.internal.example".'),
    }),
  ),
  problems: ({ props }, { allow }) =>
    listOf(read(props, "proxyConfig.rules")).flatMap((rule, index) =>
      listOf(isProps(rule) ? rule["matchHosts"] : undefined).flatMap((host, position) =>
        typeof host === "string" && host.includes("*") && !allow.includes(host)
          ? [
              `proxyConfig.rules[${index}].matchHosts[${position}]: is a wildcard, so unreviewed hosts receive the rule's headers and the token in them. Write out each host, like "api.example.com"`,
            ]
          : [],
      ),
    ),
});
