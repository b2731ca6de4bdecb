import { z } from "zod";
import { fitsOne } from "../../provider/base/wildcard";
import { isProps, listOf, type Props, read, UNKNOWN_PROP } from "./props";
import { defineRule, names } from "./settings";

// Where secrets and code go: addresses, hosts and namespaces.

const ENCRYPTED = new Set(["https:", "ssh:"]);
// The agent defines the meaning of its own settings: a name like "serviceUrl" in them is not a property of the resource.
const NOT_OURS = new Set(["environmentVariables", "secrets"]);

/** A host with a port, which is no scheme with a path. */
const HOST = /^[\w.-]+:\d+(\/|$)/;

/** Every property called `...Url`, at any depth. */
export const encryptedUrls = defineRule({
  name: "encrypted-urls",
  description: "Sign-in, token exchange, source code and a registry's password travel encrypted.",
  kinds: ["OAuthProvider", "Deployment", "SandboxRegistry"],
  settings: z.strictObject({
    allowHosts: names('Hosts that may be reached without encryption, like "localhost"; "*" stands for any text.'),
  }),
  *problems({ props }, { allowHosts }) {
    for (const { path, url } of urls(props)) {
      const { protocol, hostname } = url;
      if (!ENCRYPTED.has(protocol) && !fitsOne(allowHosts, hostname))
        yield `${path}: is a "${protocol}" address, so anyone on the network path can read and change what passes (codes, tokens, passwords, source). Use "https:"`;
    }
  },
});

function urls(props: Props, parent = ""): { path: string; url: URL }[] {
  return Object.entries(props).flatMap(([key, value]) => {
    const path = parent + key;
    if (isProps(value)) return NOT_OURS.has(path) ? [] : urls(value, `${path}.`);
    if (typeof value !== "string" || !/url$/i.test(key) || !URL.canParse(value) || HOST.test(value)) return [];
    return [{ path, url: new URL(value) }];
  });
}

/**
 * A matching host receives the rule's headers, and with them its token. Every wildcard is refused, even "*.example.com": a
 * review cannot see who owns the names under a domain (of a hosting service, say).
 */
export const proxyHosts = defineRule({
  name: "no-wildcard-proxy-hosts",
  description: "A proxy rule names each host that receives its headers.",
  kinds: ["SandboxTemplate"],
  settings: z.strictObject({
    allow: names('Entries with a wildcard that are allowed, each as it is written, like "*.internal.example".'),
  }),
  *problems({ props }, { allow }) {
    for (const [index, rule] of listOf(read(props, "proxyConfig.rules")).entries())
      for (const [position, host] of listOf(isProps(rule) ? rule["matchHosts"] : undefined).entries())
        if (typeof host === "string" && host.includes("*") && !allow.includes(host))
          yield `proxyConfig.rules[${index}].matchHosts[${position}]: is a wildcard, so unreviewed hosts receive the rule's headers and the token in them. Write out each host, like "api.example.com"`;
  },
});

/** Checks both sides: the namespaces that a listener serves, and the one in which a deployment asks to run. */
export const listenerNamespaces = defineRule({
  name: "listener-namespaces",
  description: "Listeners run deployments only in the namespaces that are allowed.",
  kinds: ["Listener", "Deployment"],
  settings: z.strictObject({
    namespaces: z
      .array(z.string())
      .optional()
      .describe('The allowed namespaces; "*" stands for any text. Without this setting every namespace is.'),
  }),
  *problems({ props }, { namespaces }) {
    if (namespaces === undefined) return;
    const remedy = namespaces.length === 0 ? "No namespace is allowed" : `Use one of ${namespaces.join(", ")}`;
    const served = "computeConfig.k8sNamespaces";
    const all = read(props, served);
    if (!Array.isArray(all) && "computeConfig" in props && all !== UNKNOWN_PROP)
      yield `${served}: is not declared, so the platform decides in which namespaces agents run. ${remedy}`;
    const asked = "sourceConfig.listenerConfig.k8sNamespace";
    const named: [string, unknown][] = listOf(all).map((each, index) => [`${served}[${index}]`, each]);
    for (const [path, namespace] of [...named, [asked, read(props, asked)] as const])
      if (typeof namespace === "string" && !fitsOne(namespaces, namespace))
        yield `${path}: is not an allowed namespace, so agents could run next to workloads that they should not reach. ${remedy}`;
  },
});
