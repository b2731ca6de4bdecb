import * as pulumi from "@pulumi/pulumi";
import { Platform } from "../platform";
import type { PlatformArgs } from "../platform.generated";
import { Deployment, type DeploymentArgs } from "../resources/deployment";
import { OAuthProvider, type OAuthProviderArgs } from "../resources/oauth-provider.generated";
import { RunCheck, type RunCheckArgs } from "../resources/run-check";
import { SandboxTemplate, type SandboxTemplateArgs } from "../resources/sandbox-template.generated";

/** An agent of an {@link AgentEnvironment}: a deployment, and the question that it has to answer. */
export interface AgentArgs extends DeploymentArgs {
  /** A run that has to pass before its URL is known and `pulumi up` is done. @default none: DEPLOYED is enough */
  check?: Omit<RunCheckArgs, "deployment" | "url" | "revisionId">;
}

/** A region of an {@link AgentEnvironment}: a connection of its own. What is not set comes from the stack's configuration. */
export interface EnvironmentRegionArgs extends PlatformArgs {
  /** Part of the Pulumi names of all that is in this region, like "us". */
  name: string;
}

/** What agents can refer to: the resources of the same region, by their names. */
export interface EnvironmentParts<Template extends string, Provider extends string> {
  readonly sandboxTemplates: Readonly<Record<Template, SandboxTemplate>>;
  readonly oauthProviders: Readonly<Record<Provider, OAuthProvider>>;
  /** The name of the region; empty in an environment without regions. */
  readonly region: string;
}

/** A whole environment as data. Each key is the name on the platform, unless the arguments behind it set another one. */
export interface AgentEnvironmentArgs<Template extends string = never, Provider extends string = never> {
  /** @default none */
  sandboxTemplates?: Readonly<Record<Template, SandboxTemplateArgs>>;
  /** By provider id. @default none */
  oauthProviders?: Readonly<Record<Provider, Omit<OAuthProviderArgs, "providerId">>>;
  /** The agents, from what they use: a template or an OAuth provider that is not declared does not compile. */
  agents: (parts: EnvironmentParts<Template, Provider>) => Readonly<Record<string, AgentArgs>>;
  /** The same environment in each of these regions. @default one, at the stack's connection */
  regions?: readonly EnvironmentRegionArgs[];
}

/**
 * Sandbox templates, OAuth providers, deployments and run checks that belong together, in one region or in several. A child's Pulumi name
 * is `<environment>-<key>`, or `<environment>-<region>-<key>`, so a stack can have several environments.
 *
 * @example
 * import { AgentEnvironment } from "pulumi-agent-platform";
 *
 * const environment = new AgentEnvironment("support", {
 *   sandboxTemplates: { notebook: { image: "python:3.12-slim" } },
 *   agents: ({ sandboxTemplates }) => ({
 *     desk: {
 *       source: "external_docker",
 *       sourceRevisionConfig: { imageUri: "registry.example.com/desk:1.4.0" },
 *       environmentVariables: { SANDBOX_TEMPLATE: sandboxTemplates.notebook.name },
 *     },
 *   }),
 * });
 * export const urls = environment.urls;
 */
export class AgentEnvironment<Template extends string = never, Provider extends string = never>
  extends pulumi.ComponentResource
{
  /** The deployments: by key, and with regions by `<region>-<key>`. */
  readonly deployments: Readonly<Record<string, Deployment>>;
  /** The URL of each deployment, under the same names: known once its revision is DEPLOYED and its check has passed. */
  readonly urls: Readonly<Record<string, pulumi.Output<string | null>>>;

  constructor(name: string, args: AgentEnvironmentArgs<Template, Provider>, options?: pulumi.ComponentResourceOptions) {
    super("pulumi-agent-platform:components:AgentEnvironment", name, {}, options);
    refuseTwins(name, args.regions ?? []);
    const agents = (args.regions ?? [undefined]).flatMap((region) => {
      const prefix = region === undefined ? "" : `${region.name}-`;
      const here = { parent: this, ...(region && { provider: platformOf(`${name}-${region.name}`, region, this) }) };
      return agentsOf(`${name}-${prefix}`, args, region?.name ?? "", here).map(
        ([key, agent]) => [`${prefix}${key}`, agent] as const,
      );
    });
    this.deployments = Object.fromEntries(agents.map(([key, { deployment }]) => [key, deployment]));
    this.urls = Object.fromEntries(agents.map(([key, { url }]) => [key, url]));
    this.registerOutputs({ urls: this.urls });
  }
}

interface Agent {
  readonly deployment: Deployment;
  readonly url: pulumi.Output<string | null>;
}

/** Declares all that is in one region, at its connection. */
function agentsOf<Template extends string, Provider extends string>(
  prefix: string,
  args: AgentEnvironmentArgs<Template, Provider>,
  region: string,
  here: pulumi.CustomResourceOptions,
): (readonly [string, Agent])[] {
  const sandboxTemplates = mapValues(
    args.sandboxTemplates,
    (key, template) => new SandboxTemplate(`${prefix}${key}`, { name: key, ...template }, here),
  );
  const oauthProviders = mapValues(
    args.oauthProviders,
    (providerId, provider) => new OAuthProvider(`${prefix}${providerId}`, { ...provider, providerId }, here),
  );
  const agents = args.agents({ sandboxTemplates, oauthProviders, region });
  return Object.entries(agents).map(([key, { check, ...declared }]) => {
    const deployment = new Deployment(`${prefix}${key}`, { name: key, ...declared }, here);
    if (check === undefined) return [key, { deployment, url: deployment.url }];
    const passed = new RunCheck(`${prefix}${key}-check`, { ...check, deployment }, { parent: deployment });
    return [key, { deployment, url: pulumi.all([deployment.url, passed.runId]).apply(([url]) => url) }];
  });
}

const platformOf = (name: string, { name: _, ...settings }: EnvironmentRegionArgs, parent: pulumi.Resource): Platform =>
  new Platform(name, settings, { parent });

function refuseTwins(environment: string, regions: readonly EnvironmentRegionArgs[]): void {
  const names = regions.map(({ name }) => name);
  const twin = names.find((name, index) => names.indexOf(name) !== index);
  if (twin === undefined) return;
  throw new pulumi.RunError(
    `AgentEnvironment "${environment}": two regions are named "${twin}"; give each its own name`,
  );
}

function mapValues<Key extends string, Given, Made>(
  given: Readonly<Record<Key, Given>> | undefined,
  make: (key: string, value: Given) => Made,
): Record<Key, Made>;
function mapValues<Given, Made>(
  given: Readonly<Record<string, Given>> = {},
  make: (key: string, value: Given) => Made,
) {
  return Object.fromEntries(Object.entries(given).map(([key, value]) => [key, make(key, value)]));
}
