// Generated from the table of PlatformAgent by `npm run generate`: do not edit.
import * as pulumi from "@pulumi/pulumi";
import { afterRegistration, registration, urnOf } from "../resource";

/** Arguments of a {@link PlatformAgent} (docs/internals/platform.md, Agents). */
export interface PlatformAgentArgs {
  /**
   * 1 to 63 of a-z, 0-9 and hyphens; begins with a letter, ends with a letter or digit. Unique in the workspace. Changing this replaces the
   * resource. @default the Pulumi name
   */
  agentId?: pulumi.Input<string>;
  /** A name for people to read. @default the `agentId` */
  name?: pulumi.Input<string>;
  /** What it is. Once removed, it keeps its value on the platform. @default "CUSTOM" */
  agentType?: pulumi.Input<"CUSTOM" | "CODING">;
  /** Where it runs. It can change only from "EXTERNAL". Once removed, it keeps its value on the platform. @default "EXTERNAL" */
  sourceType?: pulumi.Input<"LSD" | "MDA" | "EXTERNAL" | "FLEET">;
  /**
   * The user who owns it; null for nobody (not in YAML). Once removed, it keeps its value on the platform. @default whose key creates it
   */
  ownerId?: pulumi.Input<string | null | undefined>;
  /**
   * Whether it has only the environment "PRODUCTION". For sourceType "FLEET" alone. Changing this replaces the resource. The platform never
   * returns it, so drift is not detected. @default false
   */
  productionOnly?: pulumi.Input<boolean>;
  /** Fields of the platform that this version does not know, sent as they are. Not for secrets. */
  extra?: pulumi.Input<Record<string, unknown>>;
  /** Take over the existing object with this agentId (`true`) or id, and make it as declared (docs/adopting.md). @default false */
  adopt?: pulumi.Input<boolean | string>;
}

const TYPE = {
  kind: "PlatformAgent",
  deletesFirst: true,
  inputs: ["agentId", "name", "agentType", "sourceType", "ownerId", "productionOnly"],
  computed: ["agentUuid", "environments", "createdAt"],
  secretInputs: [],
  secretOutputs: [],
} as const;

/**
 * An agent as the platform lists it, with its environments and their tracing projects. It runs nothing: deployments run it, one in each
 * environment. (`Agent` is another thing: one resource for a deployment and what belongs to it.) Needs contract "extended".
 *
 * @example
 * // an agent of the platform, and what runs in its environment for production
 * import { Deployment, PlatformAgent } from "pulumi-agent-platform";
 *
 * const desk = new PlatformAgent("desk", { agentId: "support-desk", name: "Support desk" });
 *
 * const production = new Deployment("production", {
 *   agent: { agentId: desk.agentId, environment: "production" },
 *   source: "external_docker",
 *   sourceRevisionConfig: { imageUri: "registry.example.com/desk:1.4.0" },
 * });
 */
export class PlatformAgent extends pulumi.CustomResource {
  /** 1 to 63 of a-z, 0-9 and hyphens; begins with a letter, ends with a letter or digit. Unique in the workspace. */
  declare readonly agentId: pulumi.Output<string>;
  /** A name for people to read. */
  declare readonly name: pulumi.Output<string | undefined>;
  /** What it is. */
  declare readonly agentType: pulumi.Output<string | undefined>;
  /** Where it runs. It can change only from "EXTERNAL". */
  declare readonly sourceType: pulumi.Output<string | undefined>;
  /** The user who owns it; null for nobody (not in YAML). */
  declare readonly ownerId: pulumi.Output<string | null | undefined>;
  /** Whether it has only the environment "PRODUCTION". For sourceType "FLEET" alone. */
  declare readonly productionOnly: pulumi.Output<boolean | undefined>;
  /** The platform's own id, which no other agent gets later. */
  declare readonly agentUuid: pulumi.Output<string | null>;
  /** Its environments, as far as the key may read them. */
  declare readonly environments: pulumi.Output<
    pulumi.Unwrap<{
      id: pulumi.Input<string>;
      environment: pulumi.Input<string>;
      tracingProjectId: pulumi.Input<string>;
      tracingProjectName: pulumi.Input<string>;
    }>[]
  >;
  /** When the platform created it. */
  declare readonly createdAt: pulumi.Output<string | null>;

  /** An existing agent, by its agentId, read but not managed. Needs contract "extended". */
  static get(name: string, id: pulumi.Input<pulumi.ID>, options?: pulumi.CustomResourceOptions): PlatformAgent {
    return new PlatformAgent(name, undefined, { ...options, id });
  }

  constructor(name: string, args: PlatformAgentArgs, options?: pulumi.CustomResourceOptions);
  /** @internal */
  constructor(name: string, args: PlatformAgentArgs | undefined, options: pulumi.CustomResourceOptions);
  constructor(name: string, args: PlatformAgentArgs | undefined, options: pulumi.CustomResourceOptions = {}) {
    const inputs = args && {
      ...args,
      agentId: args.agentId ?? name,
      __progressUrn: urnOf("PlatformAgent", name, options),
    };
    super(...registration(TYPE, name, inputs, options));
    afterRegistration(this, TYPE, name, inputs, options);
  }
}
