// Generated from the table of SandboxRegistry by `npm run generate`: do not edit.
import * as pulumi from "@pulumi/pulumi";
import { afterRegistration, registration, rowOfSecrets } from "../resource";

/** Arguments of a {@link SandboxRegistry} (docs/internals/platform.md, Sandbox registries). */
interface Whole {
  /** Unique in the tenant. Changing it renames the registry in place. @default the Pulumi name */
  name?: pulumi.Input<string>;
  /** The address of the registry, like "registry.example". */
  url: pulumi.Input<string>;
  /** Whether `username` and `password` open it, or `awsRoleArn`. @default "DOCKER_CONFIG" */
  authType?: pulumi.Input<"DOCKER_CONFIG" | "AWS_ROLE">;
  /** The user who pulls. The platform never returns it, so drift is not detected. */
  username?: pulumi.Input<string>;
  /**
   * The password or token of the user. Changing it rotates it; changing anything else keeps it. The platform never returns it, so drift is
   * not detected. Encrypted in state as a whole, never shown.
   */
  password?: pulumi.Input<string>;
  /** The AWS role that pulls, with `authType: "AWS_ROLE"` alone. */
  awsRoleArn?: pulumi.Input<string>;
  /** Fields of the platform that this version does not know, sent as they are. Not for secrets. */
  extra?: pulumi.Input<Record<string, unknown>>;
  /** Take over the existing object with this name (`true`) or id, and make it as declared (docs/adopting.md). @default false */
  adopt?: pulumi.Input<boolean | string>;
}

/** Arguments of a {@link SandboxRegistry} (docs/internals/platform.md, Sandbox registries). */
export type SandboxRegistryArgs = Omit<Whole, "authType" | "awsRoleArn" | "username" | "password"> &
  (
    | (Required<Pick<Whole, "username" | "password">> & {
        /** Whether `username` and `password` open it, or `awsRoleArn`. @default "DOCKER_CONFIG" */
        authType?: pulumi.Input<"DOCKER_CONFIG">;
        awsRoleArn?: undefined;
      })
    | (Required<Pick<Whole, "awsRoleArn">> & {
        /** Whether `username` and `password` open it, or `awsRoleArn`. @default "DOCKER_CONFIG" */
        authType: pulumi.Input<"AWS_ROLE">;
        username?: undefined;
        password?: undefined;
      })
  );

const TYPE = {
  kind: "SandboxRegistry",
  deletesFirst: true,
  inputs: ["name", "url", "authType", "username", "password", "awsRoleArn"],
  computed: ["createdAt", "updatedAt"],
  secretInputs: ["password"],
  secretOutputs: ["password"],
} as const;

/**
 * A private container registry, with a password or an AWS role for its images: a snapshot of sandboxes names it by its id, the platform's
 * UUID. Needs contract "extended".
 *
 * @example
 * // a private registry, and its credentials
 * import * as pulumi from "@pulumi/pulumi";
 * import { SandboxRegistry } from "pulumi-agent-platform";
 *
 * const config = new pulumi.Config();
 *
 * const images = new SandboxRegistry("images", {
 *   url: "registry.example.com",
 *   username: "puller",
 *   password: config.requireSecret("registryPassword"),
 * });
 */
export class SandboxRegistry extends pulumi.CustomResource {
  /** Unique in the tenant. Changing it renames the registry in place. */
  declare readonly name: pulumi.Output<string>;
  /** The address of the registry, like "registry.example". */
  declare readonly url: pulumi.Output<string>;
  /** Whether `username` and `password` open it, or `awsRoleArn`. */
  declare readonly authType: pulumi.Output<string | undefined>;
  /** The user who pulls. */
  declare readonly username: pulumi.Output<string>;
  /** The password or token of the user. Changing it rotates it; changing anything else keeps it. */
  declare readonly password: pulumi.Output<string>;
  /** The AWS role that pulls, with `authType: "AWS_ROLE"` alone. */
  declare readonly awsRoleArn: pulumi.Output<string | undefined>;
  /** When the platform created it. */
  declare readonly createdAt: pulumi.Output<string | null>;
  /** When it was last changed. */
  declare readonly updatedAt: pulumi.Output<string | null>;

  /** An existing sandbox registry, by its id or its name, read but not managed. Needs contract "extended". */
  static get(name: string, id: pulumi.Input<pulumi.ID>, options?: pulumi.CustomResourceOptions): SandboxRegistry {
    return new SandboxRegistry(name, undefined, { ...options, id });
  }

  constructor(name: string, args: SandboxRegistryArgs, options?: pulumi.CustomResourceOptions);
  /** @internal */
  constructor(name: string, args: SandboxRegistryArgs | undefined, options: pulumi.CustomResourceOptions);
  constructor(name: string, args: SandboxRegistryArgs | undefined, options: pulumi.CustomResourceOptions = {}) {
    const inputs = args && {
      ...args,
      name: args.name ?? name,
      ...rowOfSecrets("SandboxRegistry", name, args.password, options),
    };
    super(...registration(TYPE, name, inputs, options));
    afterRegistration(this, TYPE, name, inputs, options);
  }
}
