import { isObject, type Props, type Rule } from "./props";

const ENCRYPTED = new Set(["https:", "ssh:"]);
// The agent's own settings mean what the agent wants: a name like "serviceUrl" in them is not a property.
const NOT_OURS = new Set(["environmentVariables", "secrets"]);

/** Every property called `...Url`, at any depth. */
export const encryptedUrls: Rule = {
  name: "encrypted-urls",
  description: "Sign-in, token exchange and source code travel encrypted.",
  kinds: ["OAuthProvider", "Deployment"],
  problems: (props) =>
    urls(props)
      .filter(({ protocol }) => !ENCRYPTED.has(protocol))
      .map(
        ({ path, protocol }) =>
          `${path}: is a "${protocol}" address, so anyone on the network path can read and change what passes (codes, tokens, source). Use "https:"`,
      ),
};

function urls(props: Props, parent = ""): { path: string; protocol: string }[] {
  return Object.entries(props).flatMap(([key, value]) => {
    const path = parent + key;
    if (isObject(value)) return NOT_OURS.has(path) ? [] : urls(value, `${path}.`);
    if (typeof value !== "string" || !/url$/i.test(key) || !URL.canParse(value)) return [];
    return [{ path, protocol: new URL(value).protocol }];
  });
}
