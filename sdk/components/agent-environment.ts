import * as pulumi from "@pulumi/pulumi";
import { nativeTokenOf } from "../../provider/base/settings";
import { Platform } from "../platform";
import type { PlatformArgs } from "../platform.generated";
import type { Assistant } from "../resources/assistant";
import type { Deployment } from "../resources/deployment";
import { OAuthProvider, type OAuthProviderArgs } from "../resources/oauth-provider.generated";
import { SandboxTemplate, type SandboxTemplateArgs } from "../resources/sandbox-template.generated";
import { mapValues, agentParts, named, refuseWrong, type AgentArgs, type AgentParts } from "./agent";

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

/** Creates the agents of a region from its other resources. */
type AgentsOf<Template extends string, Provider extends string> = (
  parts: EnvironmentParts<Template, Provider>,
) => Readonly<Record<string, AgentArgs>>;

/** A whole environment as data. Each key is the name on the platform, unless the arguments behind it set another one. */
export interface AgentEnvironmentArgs<Template extends string = never, Provider extends string = never> {
  /** @default none */
  sandboxTemplates?: Readonly<Record<Template, SandboxTemplateArgs>>;
  /** By provider id. @default none */
  oauthProviders?: Readonly<Record<Provider, Omit<OAuthProviderArgs, "providerId">>>;
  /**
   * The agents, from what they use: a template or an OAuth provider that is not declared does not compile. Or plain data: they are then
   * made after all templates and OAuth providers.
   */
  agents: AgentsOf<Template, Provider> | Readonly<Record<string, AgentArgs>>;
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

  /** The platform's ids of the deployments, under the same names. */
  readonly deploymentIds: Readonly<Record<string, pulumi.Output<string>>>;

  constructor(name: string, args: AgentEnvironmentArgs<Template, Provider>, options?: pulumi.ComponentResourceOptions) {
    // Its type until 0.2.0.
    const aliases = [{ type: "pulumi-agent-platform:components:AgentEnvironment" }];
    super(nativeTokenOf(KIND), name, {}, pulumi.mergeOptions({ aliases }, options));
    refuseWrong(KIND, `${KIND} "${name}": `, args);
    refuseTwins(name, args.regions ?? []);
    const taken = new Map<string, string>();
    const agents = (args.regions ?? [undefined]).flatMap((region) => {
      const prefix = region === undefined ? "" : `${region.name}-`;
      const here = { parent: this, ...(region && { provider: platformOf(`${name}-${region.name}`, region, this) }) };
      return agentsOf(name, prefix, args, region?.name ?? "", here, taken).map(
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
    this.deploymentIds = Object.fromEntries(agents.map(([key, { deployment }]) => [key, deployment.id]));
    this.registerOutputs({ urls: this.urls, deploymentIds: this.deploymentIds });
  }
}

const KIND = "AgentEnvironment";

/** Declares all that is in one region, at its connection. @param taken What has a Pulumi name, by kind and name. */
function agentsOf<Template extends string, Provider extends string>(
  environment: string,
  region: string,
  { agents, ...args }: AgentEnvironmentArgs<Template, Provider>,
  regionName: string,
  here: pulumi.CustomResourceOptions,
  taken: Map<string, string>,
): (readonly [string, AgentParts])[] {
  const prefix = `${environment}-${region}`;
  const sandboxTemplates = mapValues(
    args.sandboxTemplates,
    (key, template) => new SandboxTemplate(`${prefix}${key}`, { ...template, name: template.name ?? key }, here),
  );
  const oauthProviders = mapValues(
    args.oauthProviders,
    (providerId, provider) => new OAuthProvider(`${prefix}${providerId}`, { ...provider, providerId }, here),
  );
  const isData = typeof agents !== "function";
  const declared = isData ? agents : agents({ sandboxTemplates, oauthProviders, region: regionName });
  const where = `${KIND} "${environment}": `;
  refuseWrong(KIND, where, { ...args, agents: declared });
  // Assistant "b-c" of agent "a" and "c" of "a-b" would have one name.
  const take = (given: Readonly<Record<string, unknown>> | undefined, kind: string, path = "", before = prefix) =>
    mapValues(given, (key) => {
      const name = `${before}${key}`;
      const place = `${path}${kind}.${key}${regionName === "" ? "" : ` in region "${regionName}"`}`;
      const other = taken.get(`${kind} ${name}`);
      if (other !== undefined)
        throw new pulumi.RunError(`${where}${place} has the Pulumi name of ${other}, "${name}"; rename one of them`);
      taken.set(`${kind} ${name}`, place);
    });
  take(args.sandboxTemplates, "sandboxTemplates");
  take(args.oauthProviders, "oauthProviders");
  take(declared, "agents");
  mapValues(declared, (key, { assistants, crons }) => {
    take(assistants, "assistants", `agents.${key}.`, `${prefix}${key}-`);
    take(crons, "crons", `agents.${key}.`, `${prefix}${key}-`);
  });
  const used = isData ? [...made(sandboxTemplates), ...made(oauthProviders)] : [];
  const options = { ...here, dependsOn: used };
  return Object.entries(
    mapValues(declared, (key, agent) =>
      agentParts(`${prefix}${key}`, `${where}agents.${key}.`, named(key, agent), options),
    ),
  );
}

const made = (parts: Readonly<Record<string, pulumi.Resource>>): pulumi.Resource[] => Object.values(parts);

const platformOf = (name: string, { name: _, ...settings }: EnvironmentRegionArgs, parent: pulumi.Resource): Platform =>
  new Platform(name, settings, { parent });

function refuseTwins(environment: string, regions: readonly EnvironmentRegionArgs[]): void {
  const names = regions.map(({ name }) => name);
  const twin = names.find((name, index) => names.indexOf(name) !== index);
  if (twin === undefined) return;
  throw new pulumi.RunError(`${KIND} "${environment}": two regions are named "${twin}"; give each its own name`);
}
