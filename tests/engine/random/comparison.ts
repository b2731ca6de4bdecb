import type { DeploymentRecord } from "../../../emulator";
import type { ManagedType } from "../../../provider/resources/resource-types";

type Fields = Readonly<Record<string, unknown>>;

const isFields = (value: unknown): value is Fields =>
  typeof value === "object" && value !== null && !Array.isArray(value);
const fieldsOf = (value: unknown): Fields => (isFields(value) ? value : {});
const snake = (name: string): string => name.replace(/[A-Z]/g, (letter) => `_${letter.toLowerCase()}`);
const inSnake = (fields: unknown): Fields =>
  Object.fromEntries(Object.entries(fieldsOf(fields)).map(([name, value]) => [snake(name), value]));
const present = (fields: Fields): Fields =>
  Object.fromEntries(Object.entries(fields).filter(([, value]) => value !== undefined));

/** The fields that the platform has to hold for these inputs, in its own names; only declared ones. */
export function expected(managedType: ManagedType, inputs: Fields): Fields {
  if (managedType === "SandboxTemplate") return template(inputs);
  if (managedType === "OAuthProvider") {
    return inSnake(pick(inputs, ["providerId", "name", "clientId", "tokenEndpointAuthMethod"]));
  }
  const config = fieldsOf(inputs["sourceConfig"]);
  const extra = fieldsOf(inputs["extra"]);
  return {
    ...inSnake(pick(inputs, ["name", "source", "displayName"])),
    source_config: inSnake(Object.fromEntries(Object.entries(config).filter(([name]) => name !== "resourceSpec"))),
    extra: Object.fromEntries(Object.entries(extra).filter(([name]) => name !== "source_config")),
    ...expectedOfRevision(inputs),
  };
}

/** The part of them that takes effect in a revision. */
export function expectedOfRevision(inputs: Fields): Fields {
  const config = fieldsOf(inputs["sourceConfig"]);
  const extraSpec = fieldsOf(fieldsOf(fieldsOf(inputs["extra"])["source_config"])["resource_spec"]);
  return {
    source_revision_config: inSnake(inputs["sourceRevisionConfig"]),
    environment: fieldsOf(inputs["environmentVariables"]),
    resource_spec: { ...inSnake(config["resourceSpec"]), ...extraSpec },
  };
}

/** A stored object under the names that `expected` uses. */
export function actual(managedType: ManagedType, record: Fields): Fields {
  return managedType === "Deployment" ? { ...record, environment: environmentOf(record["secrets"]) } : record;
}

export const actualOfRevision = (record: DeploymentRecord): Fields => ({
  ...record,
  environment: environmentOf(record.secrets),
});

function template(inputs: Fields): Fields {
  const rules = fieldsOf(inputs["proxyConfig"])["rules"];
  const headers = (Array.isArray(rules) ? rules : []).map((rule) => fieldsOf(rule)["injectHeaders"]);
  return {
    ...pick(inputs, ["name", "image"]),
    ...(headers.length > 0 ? { proxy_config: { rules: headers.map((given) => ({ inject_headers: given })) } } : {}),
  };
}

function environmentOf(variables: unknown): Fields {
  const list: unknown[] = Array.isArray(variables) ? variables : [];
  return Object.fromEntries(list.map((entry) => [String(fieldsOf(entry)["name"]), fieldsOf(entry)["value"]]));
}

const pick = (fields: Fields, names: readonly string[]): Fields =>
  present(Object.fromEntries(names.map((name) => [name, fields[name]])));

/** Objects that may hold nothing but the declared keys. */
const CLOSED = new Set(["environment"]);

/** The places where `live` differs from `wanted`: one sentence each. */
export function differences(wanted: unknown, live: unknown, path = ""): string[] {
  if (isFields(wanted)) {
    const there = fieldsOf(live);
    const surplus = CLOSED.has(path) ? Object.keys(there).filter((name) => wanted[name] === undefined) : [];
    return [
      ...surplus.map((name) => `${path}.${name} is there, and not declared`),
      ...Object.entries(wanted).flatMap(([name, value]) =>
        differences(value, there[name], path === "" ? name : `${path}.${name}`),
      ),
    ];
  }
  if (Array.isArray(wanted)) {
    const there: readonly unknown[] = Array.isArray(live) ? live : [];
    return wanted.flatMap((value, index) => differences(value, there[index], `${path}[${index}]`));
  }
  const shown = (value: unknown): string => (value === undefined ? "absent" : JSON.stringify(value));
  return shown(wanted) === shown(live) ? [] : [`${path} is ${shown(live)}, not ${shown(wanted)}`];
}
