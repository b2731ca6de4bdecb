import * as pulumi from "@pulumi/pulumi";
import {
  Deployment,
  OAuthProvider,
  SandboxTemplate,
  type OAuthProviderArgs,
  type SandboxTemplateArgs,
} from "pulumi-agent-platform";

/** An agent. It refers to what it uses by the environment's names. */
export interface AgentArgs<Template extends string, Provider extends string> {
  image: string;
  minScale: number;
  maxScale: number;
  sandboxTemplate: Template;
  oauthProvider: Provider;
}

/** A whole environment as data. An agent that names a missing template or provider does not compile. */
export interface AgentEnvironmentArgs<Template extends string, Provider extends string> {
  sandboxTemplates: Record<Template, SandboxTemplateArgs>;
  /** Keyed by providerId. */
  oauthProviders: Record<Provider, Omit<OAuthProviderArgs, "providerId">>;
  agents: Record<string, AgentArgs<NoInfer<Template>, NoInfer<Provider>>>;
}

/** Templates, OAuth providers and agents that belong together. Each stack creates one environment. */
export class AgentEnvironment<Template extends string, Provider extends string> extends pulumi.ComponentResource {
  /** The URL of each agent, by its name. */
  readonly urls: Record<string, pulumi.Output<string | null>> = {};

  constructor(name: string, args: AgentEnvironmentArgs<Template, Provider>, options?: pulumi.ComponentResourceOptions) {
    super("promotion:index:AgentEnvironment", name, {}, options);
    const child = { parent: this };
    const templates = new Map<string, SandboxTemplate>();
    const providers = new Map<string, OAuthProvider>();
    for (const [key, template] of entries(args.sandboxTemplates)) {
      templates.set(key, new SandboxTemplate(key, template, child));
    }
    for (const [providerId, provider] of entries(args.oauthProviders)) {
      providers.set(providerId, new OAuthProvider(providerId, { ...provider, providerId }, child));
    }
    for (const [key, { image, minScale, maxScale, sandboxTemplate, oauthProvider }] of entries(args.agents)) {
      const agent = new Deployment(
        key,
        {
          source: "external_docker",
          sourceConfig: { resourceSpec: { minScale, maxScale } },
          sourceRevisionConfig: { imageUri: image },
          environmentVariables: {
            SANDBOX_TEMPLATE: of(templates, sandboxTemplate).name,
            OAUTH_PROVIDER: of(providers, oauthProvider).providerId,
          },
        },
        child,
      );
      this.urls[key] = agent.url;
    }
    this.registerOutputs({ urls: this.urls });
  }
}

function entries<Value>(record: Record<string, Value>): [string, Value][] {
  return Object.entries(record);
}

function of<Value>(made: ReadonlyMap<string, Value>, name: string): Value {
  const found = made.get(name);
  if (found === undefined) throw new pulumi.RunError(`the environment declares no "${name}"`);
  return found;
}
