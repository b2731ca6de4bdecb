import { createRequire } from "node:module";
import { join } from "node:path";
import * as pulumi from "@pulumi/pulumi";
import {
  objectPlaceOf,
  PROVIDER_MODULE,
  providerString,
  type ResourceType,
} from "../provider/resources/resource-types";
import {
  lastly,
  movable,
  NATIVE_PLUGIN,
  protocolOfStack,
  refuseUnknownSettings,
  tokenOf,
  transformedOptions,
} from "./protocol";
import { type Path, showPath } from "../provider/lifecycle/fields/fields";
import type { Properties } from "../provider/lifecycle/fields/table";

/** What a class registers its resources as. */
interface RegisteredType extends Properties {
  readonly kind: ResourceType;
  /** The class reads `customTimeouts.create`. */
  readonly hasTimeout?: boolean;
}

/** The arguments; empty if a JavaScript program gives none, so that the check names the missing properties. */
export const givenArgs = <Args extends object>(args: Args | null | undefined): Partial<Args> => args ?? {};

/**
 * What a class gives to the constructor of `pulumi.CustomResource`. A dynamic resource names its code by a constant, without a closure
 * (docs/internals/engine.md, Dynamic resources). These are functions, not a base class, because the engine takes the caller of the third constructor for
 * the program's line that created the resource.
 *
 * @param args The arguments; secret ones are encrypted as a whole; undefined for `X.get`, where the platform fills in everything.
 */
export function registration(
  { kind, deletesFirst, inputs, computed, secretInputs, secretOutputs, repeats }: RegisteredType,
  name: string,
  args: pulumi.Inputs | undefined,
  options: pulumi.CustomResourceOptions,
): [token: string, name: string, inputs: pulumi.Inputs, options: pulumi.CustomResourceOptions] {
  if (args === undefined && "id" in options && !options.id)
    throw new pulumi.RunError(
      `${kind} "${name}": to read an existing one, ${kind}.get needs its id, which has no value`,
    );
  const isNative = protocolOfStack() === "native";
  if (!isNative) refuseImport(kind, name, options);
  refuseUnknownSettings();
  refuseVanishing(`${kind} "${name}"`, args);
  const filled = args === undefined ? [...inputs, ...computed] : computed;
  const empty = Object.fromEntries(filled.map((property) => [property, undefined]));
  const secrets = secretInputs.flatMap((property) => {
    const given: unknown = args?.[property];
    return given === undefined ? [] : [[property, pulumi.secret(given)] as const];
  });
  if (!isNative) checkInstalled();
  const code = isNative ? {} : { __provider: providerString(kind) };
  const own = {
    additionalSecretOutputs: [...secretOutputs],
    ...(deletesFirst && { deleteBeforeReplace: true }),
    // The native plugin does so itself.
    ...(repeats !== undefined && !isNative && { transformations: [lastly(hideRepeated(kind, repeats))] }),
  };
  return [
    tokenOf(kind),
    name,
    { ...empty, ...args, ...Object.fromEntries(secrets), ...code },
    movable(kind, pulumi.mergeOptions(own, options)),
  ];
}

/**
 * Encrypts the outputs that repeat a secret input, which only the program knows to be secret. A promise decides: the request to the engine waits for all
 * inputs, and so for the code that it delays.
 */
const hideRepeated =
  (kind: ResourceType, repeats: Readonly<Record<string, readonly string[]>>): pulumi.ResourceTransformation =>
  ({ type, props, opts }) => {
    if (type !== tokenOf(kind)) return undefined;
    const own: pulumi.CustomResourceOptions = opts;
    const hidden = [...(own.additionalSecretOutputs ?? [])];
    const decided = Object.entries(repeats).map(async ([output, inputs]) => {
      if (await pulumi.isSecret(pulumi.output(inputs.map((each): unknown => props[each])))) hidden.push(output);
    });
    const code = Promise.all(decided).then((): unknown => props["__provider"]);
    return { props: { ...props, __provider: code }, opts: { ...opts, additionalSecretOutputs: hidden } };
  };

const REMEDIES: Readonly<Record<string, string>> = {
  Date: "write it as text, with toISOString()",
  Map: "write it as an object, with Object.fromEntries(...)",
  Set: "write it as an array, with Array.from(...)",
};

/** Refuses what Pulumi's SDK would send as an empty object, or not at all. What an output or a promise turns out to be is not known here. */
function refuseVanishing(what: string, value: unknown, path: Path = []): void {
  const isObject = typeof value === "object" && value !== null;
  if (isObject && (value instanceof Promise || pulumi.Output.isInstance(value) || pulumi.Resource.isInstance(value)))
    return;
  if (Array.isArray(value)) value.forEach((each, at) => refuseVanishing(what, each, [...path, at]));
  else if (isObject && (isPlain(value) || Object.keys(value).length > 0))
    for (const [key, each] of Object.entries(value)) refuseVanishing(what, each, [...path, key]);
  else if (isObject || ["function", "symbol", "bigint"].includes(typeof value)) {
    const type = isObject ? value.constructor.name : typeof value;
    const remedy = REMEDIES[type] ?? "write it as text, a number, an array or an object";
    throw new pulumi.RunError(
      `${what}: ${showPath(path)}: must be JSON, not a ${type}, which would be lost on the way: ${remedy}`,
    );
  }
}

/** An object of no class, also of another realm's `Object`. */
function isPlain(value: object): boolean {
  const prototype: unknown = Object.getPrototypeOf(value);
  return prototype === null || Object.getPrototypeOf(prototype) === null;
}

/**
 * What a class does once it is registered. The outputs of undeclared arguments become undefined: they are not managed, and the engine would report them
 * as unknown at preview.
 */
export function afterRegistration(
  resource: pulumi.CustomResource,
  { kind, inputs, hasTimeout = false }: RegisteredType,
  name: string,
  args: pulumi.Inputs | undefined,
  options: pulumi.CustomResourceOptions,
): void {
  const absent = args ? inputs.filter((property) => args[property] === undefined) : [];
  Object.assign(resource, Object.fromEntries(absent.map((property) => [property, pulumi.output(undefined)])));
  warnOfIgnoredOptions(resource, `${kind} "${name}"`, options, hasTimeout);
}

/**
 * The URN that a resource will have, because the plugin does not learn on which row of the engine's display to show its messages. A promise without
 * dependencies: a resource that depends on its parent, a component, would wait for the component's children, and so for itself.
 */
export const urnOf = (kind: ResourceType, name: string, { parent }: pulumi.CustomResourceOptions): Promise<string> =>
  new Promise((resolve) => pulumi.createUrn(name, tokenOf(kind), parent).apply(resolve));

/** The URN of a resource with secrets, for the debug line about the changed ones. Without secrets, state does not need it. */
export const rowOfSecrets = (
  kind: ResourceType,
  name: string,
  secrets: unknown,
  options: pulumi.CustomResourceOptions,
) => (secrets === undefined ? {} : { __progressUrn: urnOf(kind, name, options) });

/**
 * Refuses the option `import` of a dynamic resource, with which the engine crashes with a TypeError (docs/internals/engine.md, trap 12).
 */
function refuseImport(kind: ResourceType, name: string, options: pulumi.CustomResourceOptions): void {
  if (options.import === undefined) return;
  const wayOut = {
    platform: `to take over an existing object, set adopt: true (found by its name) or adopt: "<its id>" instead, or use ${NATIVE_PLUGIN}`,
    agent: `to take over an existing one, set adopt: "<its id>" instead, or use ${NATIVE_PLUGIN}`,
    none: `a ${kind} has no object on the platform to import; leave the option out`,
  }[objectPlaceOf(kind)];
  throw new pulumi.RunError(`${kind} "${name}": the option import does not work with dynamic resources: ${wayOut}`);
}

/** Warns, on the resource's row, about options that have no effect on a dynamic resource because the engine does not pass them. */
function warnOfIgnoredOptions(
  resource: pulumi.CustomResource,
  what: string,
  declared: pulumi.CustomResourceOptions,
  hasTimeout: boolean,
): void {
  if (protocolOfStack() === "native") return;
  const { replaceOnChanges = [], customTimeouts = {} } = transformedOptions(resource) ?? declared;
  const warn = (reason: string): void => void pulumi.log.warn(`${what}: ${reason}`, resource);
  if (replaceOnChanges.length > 0) {
    warn(
      "the option replaceOnChanges has no effect on dynamic resources: what can change in place is updated; " +
        `to replace the resource once, run \`pulumi up --target-replace\` with its URN; to make the option work, use ${NATIVE_PLUGIN}`,
    );
  }
  const timeouts = (["create", "update", "delete"] as const).filter((each) => customTimeouts[each] !== undefined);
  // The class uses the timeout that the program declares, but not one that a transformation sets.
  const isUsed = (each: keyof pulumi.CustomTimeouts): boolean =>
    hasTimeout && each === "create" && customTimeouts.create === declared.customTimeouts?.create;
  const ignored = timeouts.filter((each) => !isUsed(each)).map((each) => `customTimeouts.${each}`);
  if (ignored.length > 0) {
    const has = ignored.length === 1 ? "has" : "have";
    warn(
      `${ignored.join(" and ")} ${has} no effect on dynamic resources, whose waits have their own limits; leave it out, or use ${NATIVE_PLUGIN}`,
    );
  }
}

/** Folders in which the module was found; a cache, because every resource of a program asks. */
const found = new Set<string>();

/**
 * Throws if the plugin of dynamic resources will not find this package. A program may get it through another package, but the plugin only looks in the
 * project's folder and above, and would fail with a stack trace. That happens with pnpm, and with npm's nested copies.
 */
function checkInstalled(): void {
  const folder = process.cwd();
  // A unit test with mocks has no engine and no plugin.
  if (found.has(folder) || !pulumi.runtime.hasEngine()) return;
  try {
    createRequire(join(folder, "Pulumi.yaml")).resolve(PROVIDER_MODULE);
  } catch {
    throw new pulumi.RunError(
      `pulumi-agent-platform is not installed in ${folder}, only in a package that the project uses. Dynamic resources need it in the project itself: ` +
        `run "npm install pulumi-agent-platform" there ("pnpm add", "yarn add"), or use ${NATIVE_PLUGIN}`,
    );
  }
  found.add(folder);
}
