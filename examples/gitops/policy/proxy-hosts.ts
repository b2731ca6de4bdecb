import { isObject, read, type Rule } from "./props";

/**
 * A matching host receives the rule's headers, and with them its token. Every wildcard is refused, even "*.example.com": a
 * review cannot see who owns the names under a domain (of a hosting service, say).
 */
export const proxyHosts: Rule = {
  name: "no-wildcard-proxy-hosts",
  description: "A proxy rule names each host that receives its headers.",
  kinds: ["SandboxTemplate"],
  problems: (props) =>
    list(read(props, "proxyConfig.rules")).flatMap((rule, index) =>
      list(isObject(rule) ? rule["matchHosts"] : undefined).flatMap((host, position) =>
        typeof host === "string" && host.includes("*")
          ? [
              `proxyConfig.rules[${index}].matchHosts[${position}]: is a wildcard, so unreviewed hosts receive the rule's headers and the token in them. Write out each host, like "api.example.com"`,
            ]
          : [],
      ),
    ),
};

function list(value: unknown): readonly unknown[] {
  return Array.isArray(value) ? value : [];
}
