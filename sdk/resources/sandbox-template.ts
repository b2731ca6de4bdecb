import * as pulumi from "@pulumi/pulumi";
import { typeToken } from "../../provider/kinds";
import { deletingBeforeReplace, knowAbsent, refuseImport, registered, warnOfIgnored } from "../resource";

/** Resource limits of a sandbox, as quantities with a unit suffix. Spellings that mean the same ("1" and "1000m") are equal. */
export interface ResourceSpecArgs {
  /** CPU, like "500m" or "2". @default "500m" */
  cpu?: pulumi.Input<string>;
  /** Memory, like "512Mi". @default "512Mi" */
  memory?: pulumi.Input<string>;
  /** Storage, like "10Gi". */
  storage?: pulumi.Input<string>;
}

/** A volume in a sandbox. */
export interface VolumeMountArgs {
  /** Name of the volume. */
  volumeName: pulumi.Input<string>;
  /** Absolute path inside the sandbox; each one once. */
  mountPath: pulumi.Input<string>;
}

/** One rule of the proxy that injects headers into outbound HTTPS requests. */
export interface ProxyRuleArgs {
  /** Name of the rule; each one once. */
  name: pulumi.Input<string>;
  /** Hosts that the rule applies to; globs like "*.example.com". */
  matchHosts: pulumi.Input<pulumi.Input<string>[]>;
  /** Header names and values. Put credentials in as references, `${NAME}`, which the platform resolves: values are not secret to us. */
  injectHeaders?: pulumi.Input<Record<string, pulumi.Input<string>>>;
  /** Paths that the rule applies to, like "/v1/*". @default all paths */
  matchPaths?: pulumi.Input<pulumi.Input<string>[]>;
  /** Whether the rule is active. @default true */
  enabled?: pulumi.Input<boolean>;
}

/** The proxy sidecar of a sandbox. */
export interface ProxyConfigArgs {
  /** Header-injection rules, in order. */
  rules?: pulumi.Input<pulumi.Input<ProxyRuleArgs>[]>;
  /** Hosts that bypass the proxy. */
  noProxy?: pulumi.Input<pulumi.Input<string>[]>;
}

/** Arguments of a {@link SandboxTemplate} (docs/platform.md, SandboxTemplate). */
export interface SandboxTemplateArgs {
  /**
   * DNS-1035 name of at most 63 characters, one of its kind in the tenant. A change renames the template in place; under
   * contract "documented", Changing this replaces the resource. @default the Pulumi name
   */
  name?: pulumi.Input<string>;
  /** Container image of the sandbox. Changing this replaces the resource. */
  image: pulumi.Input<string>;
  /** Resource limits. Changing this replaces the resource. */
  resources: pulumi.Input<ResourceSpecArgs>;
  /** Volumes. Changing this replaces the resource. */
  volumeMounts?: pulumi.Input<pulumi.Input<VolumeMountArgs>[]>;
  /** Proxy sidecar. Changing this replaces the resource. */
  proxyConfig?: pulumi.Input<ProxyConfigArgs>;
  /**
   * Take over an object that exists already instead of failing: `true` for the one of this name (made where there is none), or its
   * id. It is made equal to the declaration; what cannot be changed in place is an error. Can be removed again later. @default false
   */
  adopt?: pulumi.Input<boolean | string>;
}

const TYPE = typeToken("SandboxTemplate");
const PROPERTIES = {
  inputs: ["name", "image", "resources", "volumeMounts", "proxyConfig"],
  computed: ["createdAt", "updatedAt"],
};

/** A template of sandboxes: image, limits, volumes and proxy. Its id is the platform's UUID. */
export class SandboxTemplate extends pulumi.CustomResource {
  declare readonly name: pulumi.Output<string>;
  declare readonly image: pulumi.Output<string>;
  declare readonly resources: pulumi.Output<pulumi.Unwrap<ResourceSpecArgs>>;
  declare readonly volumeMounts: pulumi.Output<pulumi.Unwrap<VolumeMountArgs>[] | undefined>;
  declare readonly proxyConfig: pulumi.Output<pulumi.Unwrap<ProxyConfigArgs> | undefined>;
  /** When the platform made it, as the platform writes it; null on old rows. */
  declare readonly createdAt: pulumi.Output<string | null>;
  /** When it was last changed; null on old rows. */
  declare readonly updatedAt: pulumi.Output<string | null>;

  /** An existing template, by its id or its name, read and not managed. */
  static get(name: string, id: pulumi.Input<pulumi.ID>, options?: pulumi.CustomResourceOptions): SandboxTemplate {
    return new SandboxTemplate(name, undefined, { ...options, id });
  }

  constructor(name: string, args: SandboxTemplateArgs, options?: pulumi.CustomResourceOptions);
  /** @internal */
  constructor(name: string, args: SandboxTemplateArgs | undefined, options: pulumi.CustomResourceOptions);
  constructor(name: string, args: SandboxTemplateArgs | undefined, options: pulumi.CustomResourceOptions = {}) {
    refuseImport("SandboxTemplate", name, options);
    const inputs = args && { ...args, name: args.name ?? name };
    super(TYPE, name, registered("SandboxTemplate", inputs, PROPERTIES), deletingBeforeReplace(options));
    knowAbsent(this, inputs, PROPERTIES);
    warnOfIgnored(this, `SandboxTemplate "${name}"`, options);
  }
}
