// Generated from the table of SandboxSnapshot by `npm run generate`: do not edit.
import * as pulumi from "@pulumi/pulumi";
import { afterRegistration, registration, urnOf } from "../resource";

/** How the sandboxes of a snapshot run. */
export interface SandboxRunConfigArgs {
  /** The user, instead of the image's. */
  user?: pulumi.Input<string>;
  /** The working directory, instead of the image's. */
  workDir?: pulumi.Input<string>;
  /** Variables, over those of the image. */
  envVars?: pulumi.Input<Record<string, pulumi.Input<string>>>;
}

/** Arguments of a {@link SandboxSnapshot} (docs/internals/platform.md, Sandbox snapshots). */
export interface SandboxSnapshotArgs {
  /** Its name, which several snapshots may have. Changing this replaces the resource. @default the Pulumi name */
  name?: pulumi.Input<string>;
  /** The image that it is built from. Changing this replaces the resource. */
  dockerImage: pulumi.Input<string>;
  /** Size of the file system, in bytes. Changing this replaces the resource. */
  fsCapacityBytes: pulumi.Input<number>;
  /**
   * A tag: the newest snapshot of a name with this tag has it, and an older one loses it. Changing this replaces the resource. @default
   * "latest"
   */
  tag?: pulumi.Input<string>;
  /** Labels of your own, over those of the image. Changing this replaces the resource. */
  labels?: pulumi.Input<Record<string, pulumi.Input<string>>>;
  /** What it can do, for agents. Changing this replaces the resource. @default "" */
  description?: pulumi.Input<string>;
  /**
   * How its sandboxes run, where that is not as the image says. Changing this replaces the resource. The platform never returns it, so
   * drift is not detected. Encrypted in state as a whole, never shown.
   */
  runConfig?: pulumi.Input<SandboxRunConfigArgs>;
  /** The id of the SandboxRegistry with the credentials for the image. Changing this replaces the resource. @default none */
  registryId?: pulumi.Input<string | null | undefined>;
  /**
   * Any text: a change builds the same image again, for example after its tag has moved. `pulumi up --target-replace` finds the snapshot
   * that is there, and fails, unless the option `deleteBeforeReplace: true` is set. Changing this replaces the resource.
   */
  rebuildTrigger?: pulumi.Input<string>;
  /** How long to wait for the build, like "45m". @default "30m" */
  buildTimeout?: pulumi.Input<string>;
  /** Fields of the platform that this version does not know, sent as they are. Not for secrets. Changing this replaces the resource. */
  extra?: pulumi.Input<Record<string, unknown>>;
  /** Take over the existing object with this name and tag (`true`) or id, and make it as declared (docs/adopting.md). @default false */
  adopt?: pulumi.Input<boolean | string>;
}

const TYPE = {
  kind: "SandboxSnapshot",
  deletesFirst: false,
  inputs: ["name", "dockerImage", "fsCapacityBytes", "tag", "labels", "description", "runConfig", "registryId"],
  computed: ["imageDigest", "fsUsedBytes", "createdAt"],
  secretInputs: ["runConfig"],
  secretOutputs: ["runConfig"],
} as const;

/**
 * A file system for sandboxes, built from a container image. `pulumi up` waits until it is built. Every change builds a new one, and the
 * old one stays until that is ready. Needs contract "extended".
 *
 * @example
 * // the file system of an image, ready when the sandboxes need it
 * import { SandboxSnapshot } from "pulumi-agent-platform";
 *
 * const notebook = new SandboxSnapshot("notebook", {
 *   dockerImage: "registry.example.com/notebook:3.12",
 *   fsCapacityBytes: 4 * 1024 ** 3,
 *   labels: { team: "data" },
 * });
 */
export class SandboxSnapshot extends pulumi.CustomResource {
  /** Its name, which several snapshots may have. */
  declare readonly name: pulumi.Output<string>;
  /** The image that it is built from. */
  declare readonly dockerImage: pulumi.Output<string>;
  /** Size of the file system, in bytes. */
  declare readonly fsCapacityBytes: pulumi.Output<number>;
  /** A tag: the newest snapshot of a name with this tag has it, and an older one loses it. */
  declare readonly tag: pulumi.Output<string | undefined>;
  /** Labels of your own, over those of the image. */
  declare readonly labels: pulumi.Output<Record<string, string> | undefined>;
  /** What it can do, for agents. */
  declare readonly description: pulumi.Output<string | undefined>;
  /** How its sandboxes run, where that is not as the image says. */
  declare readonly runConfig: pulumi.Output<pulumi.Unwrap<SandboxRunConfigArgs> | undefined>;
  /** The id of the SandboxRegistry with the credentials for the image. */
  declare readonly registryId: pulumi.Output<string | null | undefined>;
  /** The digest of the image that it was built from. */
  declare readonly imageDigest: pulumi.Output<string | null>;
  /** How many bytes of the file system are in use. */
  declare readonly fsUsedBytes: pulumi.Output<number | null>;
  /** When the platform created it. */
  declare readonly createdAt: pulumi.Output<string | null>;

  /** An existing sandbox snapshot, by its id or its `name:tag`, read but not managed. Needs contract "extended". */
  static get(name: string, id: pulumi.Input<pulumi.ID>, options?: pulumi.CustomResourceOptions): SandboxSnapshot {
    return new SandboxSnapshot(name, undefined, { ...options, id });
  }

  constructor(name: string, args: SandboxSnapshotArgs, options?: pulumi.CustomResourceOptions);
  /** @internal */
  constructor(name: string, args: SandboxSnapshotArgs | undefined, options: pulumi.CustomResourceOptions);
  constructor(name: string, args: SandboxSnapshotArgs | undefined, options: pulumi.CustomResourceOptions = {}) {
    const inputs = args && { ...args, name: args.name ?? name, __progressUrn: urnOf("SandboxSnapshot", name, options) };
    super(...registration(TYPE, name, inputs, options));
    afterRegistration(this, TYPE, name, inputs, options);
  }
}
