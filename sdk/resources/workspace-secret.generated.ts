// Generated from the table of WorkspaceSecret by `npm run generate`: do not edit.
import * as pulumi from "@pulumi/pulumi";
import { afterRegistration, registration, rowOfSecrets } from "../resource";

/** A host that may get a secret of the workspace. */
export interface AllowedHostArgs {
  /** The host; `*.` stands for all below it. */
  hostPattern: pulumi.Input<string>;
  /** The header with it. @default the sender decides */
  headerName?: pulumi.Input<string>;
  /** The value of that header, such as "Bearer {value}". @default the secret alone */
  headerValueTemplate?: pulumi.Input<string>;
}

/** Arguments of a {@link WorkspaceSecret} (docs/internals/platform.md, Workspace secrets). */
export interface WorkspaceSecretArgs {
  /** The name by which it is referred to, like OPENAI_API_KEY. Unique in the workspace. Changing this replaces the resource. */
  key: pulumi.Input<string>;
  /**
   * The value. Changing it rotates it; changing anything else keeps it. The platform never returns it, so drift is not detected. Encrypted
   * in state as a whole, never shown.
   */
  value: pulumi.Input<string>;
  /** Where it may be sent, in any order. Without any, to the hosts that the platform knows for its key. */
  allowedHosts?: pulumi.Input<pulumi.Input<AllowedHostArgs>[]>;
  /** Fields of the platform that this version does not know, sent as they are. Not for secrets. */
  extra?: pulumi.Input<Record<string, unknown>>;
  /** Take over the existing object with this key (`true`) or id, and make it as declared (docs/adopting.md). @default false */
  adopt?: pulumi.Input<boolean | string>;
}

const TYPE = {
  kind: "WorkspaceSecret",
  deletesFirst: true,
  inputs: ["key", "value", "allowedHosts"],
  computed: ["rotatedAt", "tenantId"],
  secretInputs: ["value"],
  secretOutputs: ["value"],
} as const;

/**
 * A secret of the workspace that many agents and sandboxes share, such as the key of a model's provider. Its id is its `key`. Needs
 * contract "extended".
 *
 * @example
 * // one key of a model's provider for every agent; a rotation gives the agent a new revision
 * import * as pulumi from "@pulumi/pulumi";
 * import { Deployment, WorkspaceSecret } from "pulumi-agent-platform";
 *
 * const config = new pulumi.Config();
 *
 * const key = new WorkspaceSecret("model-key", {
 *   key: "OPENAI_API_KEY",
 *   value: config.requireSecret("openaiApiKey"),
 *   allowedHosts: [{ hostPattern: "api.openai.com", headerName: "Authorization", headerValueTemplate: "Bearer {value}" }],
 * });
 *
 * const desk = new Deployment("desk", {
 *   source: "external_docker",
 *   sourceRevisionConfig: { imageUri: "registry.example.com/agents/desk:1.4.0" },
 *   secretReferences: [{ name: key.key, secretName: key.key, secretKey: key.key }],
 *   redeployTrigger: key.rotatedAt,
 * });
 */
export class WorkspaceSecret extends pulumi.CustomResource {
  /** The name by which it is referred to, like OPENAI_API_KEY. Unique in the workspace. */
  declare readonly key: pulumi.Output<string>;
  /** The value. Changing it rotates it; changing anything else keeps it. */
  declare readonly value: pulumi.Output<string>;
  /** Where it may be sent, in any order. Without any, to the hosts that the platform knows for its key. */
  declare readonly allowedHosts: pulumi.Output<pulumi.Unwrap<AllowedHostArgs>[] | undefined>;
  /**
   * When this program last sent the value (ISO 8601). As a deployment's `redeployTrigger`, it gives the agent a new revision after each
   * rotation.
   */
  declare readonly rotatedAt: pulumi.Output<string | null>;
  /** Its workspace, if the platform has named it. */
  declare readonly tenantId: pulumi.Output<string | null>;

  /** An existing workspace secret, by its key, read but not managed. Needs contract "extended". */
  static get(name: string, id: pulumi.Input<pulumi.ID>, options?: pulumi.CustomResourceOptions): WorkspaceSecret {
    return new WorkspaceSecret(name, undefined, { ...options, id });
  }

  constructor(name: string, args: WorkspaceSecretArgs, options?: pulumi.CustomResourceOptions);
  /** @internal */
  constructor(name: string, args: WorkspaceSecretArgs | undefined, options: pulumi.CustomResourceOptions);
  constructor(name: string, args: WorkspaceSecretArgs | undefined, options: pulumi.CustomResourceOptions = {}) {
    const inputs = args && { ...args, ...rowOfSecrets("WorkspaceSecret", name, args.value, options) };
    super(...registration(TYPE, name, inputs, options));
    afterRegistration(this, TYPE, name, inputs, options);
  }
}
