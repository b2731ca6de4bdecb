// Generated from the table of SandboxVolume by `npm run generate`: do not edit.
import * as pulumi from "@pulumi/pulumi";
import { afterRegistration, registration } from "../resource";

/** Arguments of a {@link SandboxVolume} (docs/internals/platform.md, Sandbox volumes). */
export interface SandboxVolumeArgs {
  /** Unique in the workspace. Changing this replaces the resource. @default the Pulumi name */
  name?: pulumi.Input<string>;
  /**
   * Its size in bytes, which the platform rounds up to a whole GiB. A clone has that of its source. It cannot change unless `name` does.
   * Changing this replaces the resource.
   */
  sizeBytes?: pulumi.Input<number>;
  /**
   * The id or the name of the volume to clone. It cannot change unless `name` does. Changing this replaces the resource. @default a new
   * volume
   */
  sourceVolume?: pulumi.Input<string>;
  /** What it is for. @default "" */
  description?: pulumi.Input<string>;
  /** Labels of your own. One that the program does not have is removed. */
  labels?: pulumi.Input<Record<string, pulumi.Input<string>>>;
  /** Fields of the platform that this version does not know, sent as they are. Not for secrets. Changing this replaces the resource. */
  extra?: pulumi.Input<Record<string, unknown>>;
  /** Take over the existing object with this name (`true`) or id, and make it as declared (docs/adopting.md). @default false */
  adopt?: pulumi.Input<boolean | string>;
}

const TYPE = {
  kind: "SandboxVolume",
  deletesFirst: false,
  inputs: ["name", "sizeBytes", "description", "labels"],
  computed: ["sourceVolumeId", "createdAt", "updatedAt"],
  secretInputs: [],
  secretOutputs: [],
  repeats: {
    sourceVolumeId: ["sourceVolume"],
  },
} as const;

/**
 * A disk that outlives the sandboxes that it is attached to: new, or a clone of another one. `pulumi up` waits until it is ready. Needs
 * contract "extended".
 *
 * @example
 * // a disk, and a copy of it for tests
 * import { SandboxVolume } from "pulumi-agent-platform";
 *
 * const data = new SandboxVolume("data", {
 *   sizeBytes: 20 * 1024 ** 3,
 *   description: "What the analysts' agents have collected",
 *   labels: { team: "data" },
 * });
 * const copy = new SandboxVolume("data-test", { sourceVolume: data.id });
 */
export class SandboxVolume extends pulumi.CustomResource {
  /** Unique in the workspace. */
  declare readonly name: pulumi.Output<string>;
  /**
   * Its size in bytes, which the platform rounds up to a whole GiB. A clone has that of its source. It cannot change unless `name` does.
   */
  declare readonly sizeBytes: pulumi.Output<number | undefined>;
  /** What it is for. */
  declare readonly description: pulumi.Output<string | undefined>;
  /** Labels of your own. One that the program does not have is removed. */
  declare readonly labels: pulumi.Output<Record<string, string> | undefined>;
  /** The id of the volume that it was cloned from; null for any other. */
  declare readonly sourceVolumeId: pulumi.Output<string | null>;
  /** When the platform created it. */
  declare readonly createdAt: pulumi.Output<string | null>;
  /** When it was last changed. */
  declare readonly updatedAt: pulumi.Output<string | null>;

  /** An existing sandbox volume, by its id or its name, read but not managed. Needs contract "extended". */
  static get(name: string, id: pulumi.Input<pulumi.ID>, options?: pulumi.CustomResourceOptions): SandboxVolume {
    return new SandboxVolume(name, undefined, { ...options, id });
  }

  constructor(name: string, args: SandboxVolumeArgs, options?: pulumi.CustomResourceOptions);
  /** @internal */
  constructor(name: string, args: SandboxVolumeArgs | undefined, options: pulumi.CustomResourceOptions);
  constructor(name: string, args: SandboxVolumeArgs | undefined, options: pulumi.CustomResourceOptions = {}) {
    const inputs = args && { ...args, name: args.name ?? name };
    super(...registration(TYPE, name, inputs, options));
    afterRegistration(this, TYPE, name, inputs, options);
  }
}
