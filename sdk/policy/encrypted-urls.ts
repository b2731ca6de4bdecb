import { z } from "zod";
import { fitsOne } from "../../provider/base/wildcard";
import { isProps, type Props } from "./props";
import { defineRule } from "./rule";
import { ruleSettings } from "./settings";

const ENCRYPTED = new Set(["https:", "ssh:"]);
// The agent defines the meaning of its own settings: a name like "serviceUrl" in them is not a property of the resource.
const NOT_OURS = new Set(["environmentVariables", "secrets"]);

/** Every property called `...Url`, at any depth. */
export const encryptedUrls = defineRule({
  name: "encrypted-urls",
  description: "Sign-in, token exchange and source code travel encrypted.",
  kinds: ["OAuthProvider", "Deployment"],
  settings: ruleSettings(
    z.strictObject({
      allowHosts: z
        .array(z.string())
        .default([])
        .describe('Hosts that may be reached without encryption, like "localhost"; "*" stands for any text.'),
    }),
  ),
  problems: ({ props }, { allowHosts }) =>
    urls(props)
      .filter(({ url: { protocol, hostname } }) => !ENCRYPTED.has(protocol) && !fitsOne(allowHosts, hostname))
      .map(
        ({ path, url: { protocol } }) =>
          `${path}: is a "${protocol}" address, so anyone on the network path can read and change what passes (codes, tokens, source). Use "https:"`,
      ),
});

function urls(props: Props, parent = ""): { path: string; url: URL }[] {
  return Object.entries(props).flatMap(([key, value]) => {
    const path = parent + key;
    if (isProps(value)) return NOT_OURS.has(path) ? [] : urls(value, `${path}.`);
    if (typeof value !== "string" || !/url$/i.test(key) || !URL.canParse(value)) return [];
    return [{ path, url: new URL(value) }];
  });
}
