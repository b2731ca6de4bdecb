// Generated from provider/resources/sandbox-template/fields.ts by `npm run generate`: do not edit.
import type * as pulumi from "@pulumi/pulumi";

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
  /**
   * Header names and values. Write credentials as references, `${NAME}`, which the platform resolves: the provider does not treat these
   * values as secret.
   */
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
   * A DNS-1035 name of at most 63 characters, unique in the tenant. Changing it renames the template in place. Under contract "documented"
   * it cannot change in place. @default the Pulumi name
   */
  name?: pulumi.Input<string>;
  /** The container image of the sandbox. Changing this replaces the resource. */
  image: pulumi.Input<string>;
  /** Resource limits. Changing this replaces the resource. */
  resources: pulumi.Input<ResourceSpecArgs>;
  /** Volumes. Changing this replaces the resource. */
  volumeMounts?: pulumi.Input<pulumi.Input<VolumeMountArgs>[]>;
  /** The proxy sidecar. Changing this replaces the resource. */
  proxyConfig?: pulumi.Input<ProxyConfigArgs>;
  /**
   * Fields of the platform that this version does not know, with the platform's own names. They are merged into requests as they are. Not
   * for secrets. They count only when the template is created. Changing this replaces the resource.
   */
  extra?: pulumi.Input<Record<string, unknown>>;
  /**
   * Take over an existing object instead of failing: `true` for the one with this name (if there is none, it is created), or its id. The
   * object is changed to match the declaration; a difference that cannot be changed in place is an error. You can remove this argument
   * later. @default false
   */
  adopt?: pulumi.Input<boolean | string>;
}
