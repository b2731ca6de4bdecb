// Generated from the table of SandboxTemplate by `npm run generate`: do not edit.
import * as pulumi from "@pulumi/pulumi";
import { afterRegistration, registration } from "../resource";

/**
 * Resource limits of a sandbox, as quantities, such as 2, 500m or 512Mi. Different spellings of the same amount ("1" and "1000m") are
 * equal.
 */
export interface ResourceSpecArgs {
  /** CPU, like "500m" or "2". Changing this replaces the resource. @default "500m" */
  cpu?: pulumi.Input<string>;
  /** Memory, like "512Mi". Changing this replaces the resource. @default "512Mi" */
  memory?: pulumi.Input<string>;
  /** Storage, like "10Gi". Changing this replaces the resource. */
  storage?: pulumi.Input<string>;
}

/** A volume in a sandbox. */
export interface VolumeMountArgs {
  /** Name of the volume. */
  volumeName: pulumi.Input<string>;
  /** An absolute path inside the sandbox. Give each path only once. */
  mountPath: pulumi.Input<string>;
}

/** One rule of the proxy that injects headers into outbound HTTPS requests. */
export interface ProxyRuleArgs {
  /** The name of the rule. Give each name only once. */
  name: pulumi.Input<string>;
  /** Hosts that the rule applies to; globs like "*.example.com". */
  matchHosts: pulumi.Input<pulumi.Input<string>[]>;
  /** Header names and values. They are not secret: write credentials as references, `${NAME}`, which the platform resolves. */
  injectHeaders?: pulumi.Input<Record<string, pulumi.Input<string>>>;
  /** Paths that the rule applies to, like "/v1/*". @default all paths */
  matchPaths?: pulumi.Input<pulumi.Input<string>[]>;
  /** Whether the rule is active. @default true */
  enabled?: pulumi.Input<boolean>;
}

/** The proxy sidecar of a sandbox. */
export interface ProxyConfigArgs {
  /** The rules for injecting headers, in order. */
  rules?: pulumi.Input<pulumi.Input<ProxyRuleArgs>[]>;
  /** Hosts that bypass the proxy. */
  noProxy?: pulumi.Input<pulumi.Input<string>[]>;
}

/** Arguments of a {@link SandboxTemplate} (docs/internals/platform.md, SandboxTemplate). */
export interface SandboxTemplateArgs {
  /**
   * A DNS-1035 name of at most 63 characters, unique in the tenant. Under contract "documented" it cannot change in place. @default the
   * Pulumi name
   */
  name?: pulumi.Input<string>;
  /** The container image of the sandbox. Changing this replaces the resource. */
  image: pulumi.Input<string>;
  /** Resource limits. Changing this replaces the resource. @default `{}` */
  resources?: pulumi.Input<ResourceSpecArgs>;
  /** Volumes. Changing this replaces the resource. */
  volumeMounts?: pulumi.Input<pulumi.Input<VolumeMountArgs>[]>;
  /** The proxy sidecar. Changing this replaces the resource. */
  proxyConfig?: pulumi.Input<ProxyConfigArgs>;
  /**
   * Fields of the platform that this version does not know, sent as they are. Not for secrets. They count only when the template is
   * created. Changing this replaces the resource.
   */
  extra?: pulumi.Input<Record<string, unknown>>;
  /** Take over the existing object with this name (`true`) or id, and make it as declared (docs/adopting.md). @default false */
  adopt?: pulumi.Input<boolean | string>;
}

const TYPE = {
  kind: "SandboxTemplate",
  deletesFirst: true,
  inputs: ["name", "image", "resources", "volumeMounts", "proxyConfig"],
  computed: ["createdAt", "updatedAt"],
  secretInputs: [],
  secretOutputs: [],
} as const;

/**
 * A template for sandboxes: image, limits, volumes and proxy. Its id is the platform's UUID.
 *
 * @example
 * // a sandbox that reaches GitHub through a proxy
 * import { SandboxTemplate } from "pulumi-agent-platform";
 *
 * const workshop = new SandboxTemplate("workshop", {
 *   image: "node:20-bookworm",
 *   resources: { cpu: "2", memory: "4Gi", storage: "20Gi" },
 *   proxyConfig: {
 *     rules: [
 *       {
 *         name: "github",
 *         matchHosts: ["api.github.com"],
 *         // The proxy fills in the platform's secret. The sandbox never sees it.
 *         injectHeaders: { Authorization: "Bearer ${GITHUB_TOKEN}" },
 *       },
 *     ],
 *   },
 * });
 */
export class SandboxTemplate extends pulumi.CustomResource {
  /** A DNS-1035 name of at most 63 characters, unique in the tenant. */
  declare readonly name: pulumi.Output<string>;
  /** The container image of the sandbox. */
  declare readonly image: pulumi.Output<string>;
  /** Resource limits. */
  declare readonly resources: pulumi.Output<pulumi.Unwrap<ResourceSpecArgs>>;
  /** Volumes. */
  declare readonly volumeMounts: pulumi.Output<pulumi.Unwrap<VolumeMountArgs>[] | undefined>;
  /** The proxy sidecar. */
  declare readonly proxyConfig: pulumi.Output<pulumi.Unwrap<ProxyConfigArgs> | undefined>;
  /** When the platform created it, as the platform writes it; null for old templates. */
  declare readonly createdAt: pulumi.Output<string | null>;
  /** When it was last changed; null for old templates. */
  declare readonly updatedAt: pulumi.Output<string | null>;

  /** An existing sandbox template, by its id or its name, read but not managed. */
  static get(name: string, id: pulumi.Input<pulumi.ID>, options?: pulumi.CustomResourceOptions): SandboxTemplate {
    return new SandboxTemplate(name, undefined, { ...options, id });
  }

  constructor(name: string, args: SandboxTemplateArgs, options?: pulumi.CustomResourceOptions);
  /** @internal */
  constructor(name: string, args: SandboxTemplateArgs | undefined, options: pulumi.CustomResourceOptions);
  constructor(name: string, args: SandboxTemplateArgs | undefined, options: pulumi.CustomResourceOptions = {}) {
    const inputs = args && { ...args, name: args.name ?? name, resources: args.resources ?? {} };
    super(...registration(TYPE, name, inputs, options));
    afterRegistration(this, TYPE, name, inputs, options);
  }
}
