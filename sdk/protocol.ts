import * as pulumi from "@pulumi/pulumi";
import { NAMESPACE, PLUGIN_SETTING } from "../provider/base/settings";
import { unknownSetting } from "../provider/base/nearest";
import { dynamicToken, nativeToken, type ResourceType } from "../provider/resources/resource-types";

/** The plugin of a stack's resources: Pulumi's for dynamic resources, or this package's own. */
type Protocol = "dynamic" | "native";

/** The stack's choice: `agent-platform:plugin`. @default "dynamic" */
export function protocolOfStack(): Protocol {
  const given = new pulumi.Config(NAMESPACE).get(PLUGIN_SETTING);
  if (given === undefined || given === "" || given === "dynamic") return "dynamic";
  if (given === "native") return given;
  throw new pulumi.RunError(
    `${NAMESPACE}:${PLUGIN_SETTING} must be "dynamic" or "native", not ${JSON.stringify(given)}`,
  );
}

/** Throws if the stack has a setting with an unknown name, which would be silently ignored. Parses the whole configuration, so call it once per resource. */
export function refuseUnknownSettings(): void {
  const prefix = `${NAMESPACE}:`;
  const names = Object.keys(pulumi.runtime.allConfig()).filter((key) => key.startsWith(prefix));
  const strange = names.flatMap((key) => unknownSetting(key.slice(prefix.length)) ?? []);
  if (strange.length > 0) {
    const remove = `Remove what is wrong with \`pulumi config rm\``;
    throw new pulumi.RunError(`${strange.join("; ")}. ${remove}`);
  }
}

/** The type token of a kind in this stack. */
export const tokenOf = (kind: ResourceType): string =>
  protocolOfStack() === "native" ? nativeToken(kind) : dynamicToken(kind);

/** The options with an alias of the other plugin's type, so that a stack that changes its plugin keeps its resources. */
export function movable(kind: ResourceType, options: pulumi.CustomResourceOptions): pulumi.CustomResourceOptions {
  if (protocolOfStack() === "native") return pulumi.mergeOptions(options, { aliases: [{ type: dynamicToken(kind) }] });
  return pulumi.mergeOptions(options, { aliases: [{ type: nativeToken(kind) }], transformations: [seeTransformed] });
}

const transformed = new WeakMap<pulumi.Resource, pulumi.CustomResourceOptions>();

/** A transformation after all others, which run in the constructor. Does nothing in an SDK that stores them elsewhere. */
export const lastly =
  (transformation: pulumi.ResourceTransformation): pulumi.ResourceTransformation =>
  ({ resource }) => {
    const all: unknown = Reflect.get(resource, "__transformations");
    if (Array.isArray(all)) all.push(transformation);
    return undefined;
  };

const seeTransformed = lastly(({ resource, opts }) => void transformed.set(resource, opts));

/** The options of a dynamic resource after all transformations, which its class does not get. Undefined if they cannot be seen. */
export const transformedOptions = (resource: pulumi.Resource): pulumi.CustomResourceOptions | undefined =>
  transformed.get(resource);

/** How a stack switches to the native plugin, for messages: follows "needs". */
export const NATIVE_PLUGIN = `the native plugin (\`pulumi config set ${NAMESPACE}:${PLUGIN_SETTING} native\`, docs/native-plugin.md)`;
