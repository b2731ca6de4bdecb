import { createRequire } from "node:module";
import type * as Api from "@opentelemetry/api";
import type * as Exporter from "@opentelemetry/exporter-trace-otlp-http";
import type * as Sdk from "@opentelemetry/sdk-trace-node";

type Resource = NonNullable<Sdk.NodeTracerConfig["resource"]>;

/** The part of @opentelemetry/resources that is used here. Its own types may be those of another version, which Pulumi's SDK brings along. */
interface Resources {
  resourceFromAttributes(attributes: Api.Attributes): Resource;
  detectResources(config: { readonly detectors: readonly unknown[] }): Resource;
  readonly envDetector: unknown;
}

/** The standard SDK of OpenTelemetry, which a project installs if it wants spans. */
export interface Packages {
  readonly api: typeof Api;
  readonly sdk: typeof Sdk;
  readonly exporter: typeof Exporter;
  readonly resources: Resources;
}

/** How to get them: later lines of OpenTelemetry need a newer Node and do not go with Pulumi's own SDK. */
export const INSTALL =
  "npm install @opentelemetry/api@1.9 @opentelemetry/sdk-trace-node@2 @opentelemetry/exporter-trace-otlp-http@0.223";

/** Loads them, in some 200 ms. Throws if one of them is not installed. */
export function loadPackages(): Packages {
  const resolve = createRequire(__filename);
  const sdkFile = resolve.resolve("@opentelemetry/sdk-trace-node");
  // Of the same installation as the SDK: a resource of another version is of no use to it.
  const baseFile = createRequire(sdkFile).resolve("@opentelemetry/sdk-trace-base");
  return {
    api: loaded<typeof Api>(resolve, "@opentelemetry/api"),
    sdk: loaded<typeof Sdk>(resolve, sdkFile),
    exporter: loaded<typeof Exporter>(resolve, "@opentelemetry/exporter-trace-otlp-http"),
    resources: loaded<Resources>(createRequire(baseFile), "@opentelemetry/resources"),
  };
}

// Not import(): whoever bundles the plugin would look for the packages.
// eslint-disable-next-line @typescript-eslint/no-unnecessary-type-parameters -- a require has no type; the package promises the named one
function loaded<Module>(from: NodeJS.Require, name: string): Module {
  // eslint-disable-next-line @typescript-eslint/consistent-type-assertions -- as above
  return from(name) as Module;
}
