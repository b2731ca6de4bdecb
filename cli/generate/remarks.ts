import { isObject } from "../../provider/base/json";
import { span } from "./literal";
import type { Surveyed } from "./survey";

/** What to look at in an object before the first `pulumi up`. */
export function remarksOf(object: Surveyed): string[] {
  const { failed, name } = object;
  const failure = `The latest revision of the deployment ${span(name)} is ${span(failed ?? "")}. The program does not wait for it (\`awaitRollout: false\`).`;
  return [...literalHeaders(object), ...(failed === undefined ? [] : [failure]), ...neededValues(object)];
}

/** Nobody can compare them with what is there, so that an adoption sends them. */
function neededValues({ needs, spec, name }: Surveyed): string[] {
  if (needs.length === 0) return [];
  const listed = needs.map((each) => `\`${each}\``).join(" and ");
  return [
    `The platform never shows ${listed} of the ${spec.one} ${span(name)}: set them before the first \`pulumi up\`, which sends them to the platform.`,
  ];
}

/** A header's value that does not refer to a variable of the platform may be a credential, and is now in the program. */
function literalHeaders({ args, name }: Surveyed): string[] {
  const proxy = args["proxyConfig"];
  const rules = isObject(proxy) && Array.isArray(proxy["rules"]) ? proxy["rules"] : [];
  return rules.flatMap((rule) => {
    const headers = isObject(rule) && isObject(rule["injectHeaders"]) ? rule["injectHeaders"] : {};
    const literals = Object.entries(headers).filter(([, value]) => typeof value === "string" && !value.includes("${"));
    return literals.map(
      ([header]) =>
        `The header ${span(header)} of the sandbox template ${span(name)} has a plain value, which is now in the program. If it is a credential, keep it out of Git.`,
    );
  });
}
