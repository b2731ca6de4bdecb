import { createRequire } from "node:module";
import { join } from "node:path";
import * as pulumi from "@pulumi/pulumi";
import {
  objectPlaceOf,
  PROVIDER_MODULE,
  providerString,
  type ResourceType,
} from "../provider/resources/resource-types";
import { movable, NATIVE_PLUGIN, protocolOfStack, refuseUnknownSettings, tokenOf } from "./protocol";
import type { Properties } from "../provider/lifecycle/fields/table";

/**
 * The inputs that a resource registers. A dynamic resource names its code by a constant, without a closure (docs/internals/engine.md, Dynamic resources).
 * These are functions, not a base class, because the engine takes the caller of the third constructor for the program's line that created the resource.
 *
 * @param args The arguments; secret ones are encrypted as a whole; undefined for `X.get`, where the platform fills in everything.
 */
export function registered(
  kind: ResourceType,
  args: pulumi.Inputs | undefined,
  { inputs, computed, secretInputs }: Properties,
): pulumi.Inputs {
  refuseUnknownSettings();
  const filled = args === undefined ? [...inputs, ...computed] : computed;
  const empty = Object.fromEntries(filled.map((property) => [property, undefined]));
  const secrets = secretInputs.flatMap((name) => {
    const given: unknown = args?.[name];
    return given === undefined ? [] : [[name, pulumi.secret(given)] as const];
  });
  const code = protocolOfStack() === "native" ? {} : dynamicCode(kind);
  return { ...empty, ...args, ...Object.fromEntries(secrets), ...code };
}

function dynamicCode(kind: ResourceType): pulumi.Inputs {
  checkInstalled();
  return { __provider: providerString(kind) };
}

/** Sets the outputs of undeclared arguments to undefined: they are not managed, and the engine would report them as unknown at preview. */
export function setAbsentOutputs(
  resource: pulumi.CustomResource,
  args: pulumi.Inputs | undefined,
  { inputs }: Properties,
): void {
  const absent = args === undefined ? [] : inputs.filter((property) => args[property] === undefined);
  Object.assign(resource, Object.fromEntries(absent.map((property) => [property, pulumi.output(undefined)])));
}

/**
 * The URN that a resource will have, because the plugin does not learn on which row of the engine's display to show its messages. A promise without
 * dependencies: a resource that depends on its parent, a component, would wait for the component's children, and so for itself.
 */
export const urnOf = (kind: ResourceType, name: string, { parent }: pulumi.CustomResourceOptions): Promise<string> =>
  new Promise((resolve) => pulumi.createUrn(name, tokenOf(kind), parent).apply(resolve));

/** The URN of a resource with secrets, because the names of changed secrets are shown on its row. Without secrets, state does not need it. */
export const rowOfSecrets = (
  kind: ResourceType,
  name: string,
  secrets: unknown,
  options: pulumi.CustomResourceOptions,
) => (secrets === undefined ? {} : { __progressUrn: urnOf(kind, name, options) });

/** The options of a resource with a unique name: the old object must be deleted first, even if the engine does not call diff (`--target-replace`). */
export function deletingBeforeReplace(
  kind: ResourceType,
  options: pulumi.CustomResourceOptions,
  properties: Properties,
): pulumi.CustomResourceOptions {
  return replacingFirst(kind, pulumi.mergeOptions({ deleteBeforeReplace: true }, options), properties);
}

/** The options of a resource whose names repeat: the new object is created before the old one is deleted. */
export function replacingFirst(
  kind: ResourceType,
  options: pulumi.CustomResourceOptions,
  { secretOutputs }: Properties,
): pulumi.CustomResourceOptions {
  return movable(kind, pulumi.mergeOptions({ additionalSecretOutputs: [...secretOutputs] }, options));
}

/**
 * Refuses the option `import` of a dynamic resource, with which the engine crashes with a TypeError (docs/internals/engine.md, trap 12). Call it before the
 * resource is registered.
 */
export function refuseImport(kind: ResourceType, name: string, options: pulumi.CustomResourceOptions): void {
  if (options.import === undefined || protocolOfStack() === "native") return;
  const wayOut = {
    platform: `to take over an existing object, set adopt: true (found by its name) or adopt: "<its id>" instead, or use ${NATIVE_PLUGIN}`,
    agent: `to take over an existing one, set adopt: "<its id>" instead, or use ${NATIVE_PLUGIN}`,
    none: `a ${kind} has no object on the platform to import; leave the option out`,
  }[objectPlaceOf(kind)];
  throw new pulumi.RunError(`${kind} "${name}": the option import does not work with dynamic resources: ${wayOut}`);
}

/** Warns, on the resource's row, about options that have no effect on a dynamic resource because the engine does not pass them. */
export function warnOfIgnoredOptions(
  resource: pulumi.CustomResource,
  what: string,
  { replaceOnChanges = [], customTimeouts = {} }: pulumi.CustomResourceOptions,
  used: readonly (keyof pulumi.CustomTimeouts)[] = [],
): void {
  if (protocolOfStack() === "native") return;
  const warn = (reason: string): void => void pulumi.log.warn(`${what}: ${reason}`, resource);
  if (replaceOnChanges.length > 0) {
    warn(
      "the option replaceOnChanges has no effect on dynamic resources: what can change in place is updated; " +
        `to replace the resource once, run \`pulumi up --target-replace\` with its URN; to make the option work, use ${NATIVE_PLUGIN}`,
    );
  }
  const ignored = (["create", "update", "delete"] as const)
    .filter((each) => customTimeouts[each] !== undefined && !used.includes(each))
    .map((each) => `customTimeouts.${each}`);
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
function checkInstalled(folder: string = process.cwd()): void {
  // With the mocks of a unit test, there is no engine and no plugin.
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
