import { span } from "./print";
import type { Surveyed } from "./survey";
import { isObject } from "../../provider/base/json";
import { problemsOfInputs } from "../../provider/lifecycle/fields/schema";
import { inputRows } from "../../provider/lifecycle/fields/table";

const whatIs = ({ spec, name }: Surveyed): string => `${spec.one} ${span(name)}`;

/** What the program leaves out of an object because it may be secret or the platform does not show it: a sentence of Markdown for each part. */
export const hiddenOf = (object: Surveyed): string[] => [
  ...secrets(object),
  ...variables(object),
  ...namespace(object),
];

/** Each secret text in the spec's table that this object can have. */
function secrets(object: Surveyed): string[] {
  const { table } = object.spec;
  const rows = inputRows(table.fields).filter(([, { type, secret }]) => secret && type.kind === "text");
  const possible = rows.filter(
    ([name]) =>
      !object.needs.includes(name) &&
      problemsOfInputs(table, { ...object.args, [name]: "x" }).every(({ path }) => path[0] !== name),
  );
  return possible.map(([name]) => {
    const words = name.replace(/[A-Z]/g, (letter) => ` ${letter.toLowerCase()}`);
    return `The ${words} of the ${whatIs(object)}.`;
  });
}

function variables(object: Surveyed): string[] {
  const names = object.variables;
  if (object.spec.kind !== "Deployment" || names?.length === 0) return [];
  return [
    names === undefined
      ? `The variables of the ${whatIs(object)}: the platform does not even show their names.`
      : `The values of the variables of the ${whatIs(object)}: ${names.map(span).join(", ")}.`,
  ];
}

function namespace(object: Surveyed): string[] {
  const config = object.args["sourceConfig"];
  if (!isObject(config) || config["listenerId"] === undefined) return [];
  return [
    `Of the ${whatIs(object)}, \`sourceConfig.listenerConfig.k8sNamespace\`, which is never sent: declare it before the first \`pulumi up\`, with the value that it has, or not at all. Later, it is refused.`,
  ];
}

/** What to look at in an object before the first `pulumi up`. */
export function remarksOf(object: Surveyed): string[] {
  const { failed, name } = object;
  const failure = `The latest revision of the deployment ${span(name)} is ${span(failed ?? "")}. The program does not wait for it (\`awaitRollout: false\`).`;
  return [
    ...literalHeaders(object),
    ...(failed === undefined ? [] : [failure]),
    ...neededValues(object),
    ...deploymentsOfAgent(object),
  ];
}

/** No list shows whose a deployment is. */
function deploymentsOfAgent(object: Surveyed): string[] {
  if (object.spec.kind !== "PlatformAgent") return [];
  return [
    `If the ${whatIs(object)} has deployments, they are declared by their names here: declare \`agent\` in place of \`name\`, so that a new one is again of this agent.`,
  ];
}

/** An adoption always sends these, because they cannot be compared with the live values. */
function neededValues({ needs, spec, name }: Surveyed): string[] {
  if (needs.length === 0) return [];
  const listed = needs.map((each) => `\`${each}\``).join(" and ");
  const them = needs.length === 1 ? "it" : "them";
  return [
    `The platform never shows ${listed} of the ${spec.one} ${span(name)}: set ${them} before the first \`pulumi up\`, which sends ${them} to the platform.`,
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
