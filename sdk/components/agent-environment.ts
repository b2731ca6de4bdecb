import * as pulumi from "@pulumi/pulumi";
import { Platform } from "../platform";
import type { PlatformArgs } from "../platform.generated";
import { Assistant, type AssistantArgs } from "../resources/assistant";
import { Cron, type CronArgs } from "../resources/cron";
import { Deployment, type DeploymentArgs } from "../resources/deployment";
import { OAuthProvider, type OAuthProviderArgs } from "../resources/oauth-provider.generated";
import { RunCheck, type RunCheckArgs } from "../resources/run-check";
import { SandboxTemplate, type SandboxTemplateArgs } from "../resources/sandbox-template.generated";

/** An agent of an {@link AgentEnvironment}: a deployment, what its agent keeps, and the question that it has to answer. */
export interface AgentArgs extends DeploymentArgs {
  /** Its assistants, by their names. @default none but those of its graphs */
  assistants?: Readonly<Record<string, Omit<AssistantArgs, Whose>>>;
  /** What runs on a schedule; `assistant` names one of the assistants here. @default nothing */
  crons?: Readonly<Record<string, Omit<CronArgs, Whose | "assistant"> & { assistant?: string }>>;
  /** A run that has to pass before its URL is known and `pulumi up` is done. @default none: DEPLOYED is enough */
  check?: Omit<RunCheckArgs, Whose | "assistant" | "revisionId"> & { assistant?: string };
}

/** The arguments that say whose agent is meant. */
type Whose = "deployment" | "deploymentId" | "url" | "customUrl";

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
 * Sandbox templates, OAuth providers, deployments with their assistants and crons, and run checks that belong together, in one region or in several. A child's Pulumi name
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
  /** The assistants, by `<deployment>-<assistant>` in those names. */
  readonly assistants: Readonly<Record<string, Assistant>>;
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
    this.assistants = Object.fromEntries(
      agents.flatMap(([key, { assistants }]) =>
        Object.entries(assistants).map(([each, assistant]) => [`${key}-${each}`, assistant]),
      ),
    );
    this.urls = Object.fromEntries(agents.map(([key, { url }]) => [key, url]));
    this.registerOutputs({ urls: this.urls });
  }
}

interface Agent {
  readonly deployment: Deployment;
  readonly assistants: Readonly<Record<string, Assistant>>;
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
  return Object.entries(agents).map(([key, { check, assistants, crons, ...declared }]) => {
    const name = `${prefix}${key}`;
    const deployment = new Deployment(name, { name: key, ...declared }, here);
    const parent = { parent: deployment };
    const all = mapValues(
      assistants,
      (each, given) => new Assistant(`${name}-${each}`, { name: each, ...given, deployment }, parent),
    );
    const chosen = (by: string, assistant: string | undefined) => ({
      deployment,
      ...(assistant !== undefined && { assistant: oneOf(all, assistant, `${name}: ${by}`) }),
    });
    mapValues(
      crons,
      (each, { assistant, ...given }) =>
        new Cron(`${name}-${each}`, { ...given, ...chosen(`crons.${each}`, assistant) }, parent),
    );
    if (check === undefined) return [key, { deployment, assistants: all, url: deployment.url }];
    const { assistant, ...asked } = check;
    const passed = new RunCheck(`${name}-check`, { ...asked, ...chosen("check", assistant) }, parent);
    const url = pulumi.all([deployment.url, passed.runId]).apply(([known]) => known);
    return [key, { deployment, assistants: all, url }];
  });
}

function oneOf(all: Readonly<Record<string, Assistant>>, name: string, by: string): Assistant {
  const found = all[name];
  if (found !== undefined) return found;
  const known = Object.keys(all).map((each) => `"${each}"`);
  const there = known.length === 0 ? "it has none" : `it has ${known.join(", ")}`;
  throw new pulumi.RunError(`AgentEnvironment, ${by}.assistant: the agent has no assistant "${name}"; ${there}`);
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
