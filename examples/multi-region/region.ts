import * as pulumi from "@pulumi/pulumi";
import { Deployment, Platform, SandboxTemplate } from "pulumi-agent-platform";

/** How to reach a region, and what runs there. */
export interface RegionArgs {
  /** Picks the address: `agent-platform:baseUrlUs` or `agent-platform:baseUrlEu`. */
  region: "us" | "eu";
  /** Key of the region's tenant. No other region accepts it. */
  apiKey: pulumi.Input<string>;
  /** The tenant, where the key opens more than one. */
  tenantId?: pulumi.Input<string>;
  imageTag: pulumi.Input<string>;
}

/** One region's whole environment. Everything in it is created through the region's own connection. */
export class Region extends pulumi.ComponentResource {
  /** The URL of the region's agent. */
  readonly url: pulumi.Output<string | null>;

  constructor(
    name: string,
    { region, apiKey, tenantId, imageTag }: RegionArgs,
    options?: pulumi.ComponentResourceOptions,
  ) {
    super("multi-region:index:Region", name, {}, options);
    const platform = new Platform(name, { region, apiKey, tenantId }, { parent: this });
    const here = { parent: this, provider: platform };

    // Pulumi names begin with the region, so that every line of `pulumi up` names it. On the platform the names are the same.
    const sandbox = new SandboxTemplate(
      `${name}-notebook`,
      { name: "notebook", image: "python:3.12-slim", resources: { cpu: "500m", memory: "512Mi" } },
      here,
    );
    const agent = new Deployment(
      `${name}-assistant`,
      {
        name: "assistant",
        source: "external_docker",
        sourceRevisionConfig: { imageUri: pulumi.interpolate`registry.example.com/agents/assistant:${imageTag}` },
        environmentVariables: { SANDBOX_TEMPLATE: sandbox.name, DATA_REGION: region },
      },
      here,
    );

    this.url = agent.url;
    this.registerOutputs({ url: this.url });
  }
}
