import { typeInState } from "../../support/cli-stack";
import { defaultTenantIds } from "../../../emulator";
import { CONNECTIONS, typeOfSlot, type Agent, type Connection, type Declared, type Option, type World } from "./world";

/** Long enough for a busy machine; a stuck revision takes all of it. */
const ROLLOUT_TIMEOUT = "6s";

/** The program as its author would write it: the body of a CommonJS module. */
export function programText(world: World): string {
  const used = CONNECTIONS.filter((each) => world.some(({ connection }) => connection === each));
  return [
    ...used.flatMap((each) => providerOf(each, world[0]?.release ?? 0)),
    ...world.map((declared) => statement(declared, world)),
    "",
  ].join("\n");
}

/** The explicit provider of a connection; what it leaves out comes from the stack. */
function providerOf(connection: Connection, release: number): string[] {
  if (connection === "stack") return [];
  const settings = connection === "tenant" ? `{ tenantId: "${defaultTenantIds.tenantId}" }` : "{}";
  return [`const ${connection} = new platform.Platform("${connection}", ${settings}, { ${versionOf(release)} });`];
}

const versionOf = (release: number): string => (release === 0 ? "" : `version: "0.1.${release}"`);

function statement(declared: Declared, world: World): string {
  const managedType = typeOfSlot(declared.slot);
  const own = { SandboxTemplate: templateOf, OAuthProvider: oauthProviderOf, Deployment: deploymentOf }[managedType];
  const fields = [...own(declared, world), ...(declared.adopt ? ["adopt: true"] : [])];
  const options = optionsOf(declared);
  const tail = options.length > 0 ? `, { ${options.join(", ")} }` : "";
  const made = declared.raw
    ? `pulumi.CustomResource("${typeInState(managedType)}", "${declared.pulumiName}"`
    : `platform.${managedType}("${declared.pulumiName}"`;
  return `const ${declared.slot} = new ${made}, { ${fields.join(", ")} }${tail});`;
}

function optionsOf({ aliases, options, slot, connection, release, imports }: Declared): string[] {
  const ignored = { SandboxTemplate: "image", OAuthProvider: "clientId", Deployment: "sourceRevisionConfig" }[
    typeOfSlot(slot)
  ];
  const replacing = { SandboxTemplate: "name", OAuthProvider: "clientId", Deployment: "environmentVariables" }[
    typeOfSlot(slot)
  ];
  const texts: Record<Option, string> = {
    deleteBeforeReplace: "deleteBeforeReplace: true",
    replaceOnChanges: `replaceOnChanges: ["${replacing}"]`,
    ignoreChanges: `ignoreChanges: ["${ignored}"]`,
  };
  const names = aliases.map((alias) => (alias.startsWith("urn:") ? `"${alias}"` : `{ name: "${alias}" }`)).join(", ");
  return [
    ...(names === "" ? [] : [`aliases: [${names}]`]),
    ...options.map((option) => texts[option]),
    ...(connection === "stack" ? [] : [`provider: ${connection}`]),
    ...(release === 0 ? [] : [versionOf(release)]),
    ...(imports === undefined ? [] : [`import: "${imports}"`]),
  ];
}

/** The outputs that a declaration takes from resources that the program declares, as texts of JavaScript. */
function usesOf({ uses }: Declared, world: World): { name: string; text: string }[] {
  return uses.flatMap(({ slot, output }) => {
    const used = world.find((other) => other.slot === slot);
    if (used === undefined) return [];
    const property = output === "name" && typeOfSlot(slot) === "OAuthProvider" ? "providerId" : output;
    // Only the class knows the address, from its rollout.
    if (output === "url") return [{ name: slot, text: used.raw ? `${slot}.id` : `${slot}.url.apply(String)` }];
    return [{ name: slot, text: `${slot}.${property}` }];
  });
}

function templateOf(declared: Declared, world: World): string[] {
  const headers = usesOf(declared, world).map(({ name, text }) => `"x-${name}": ${text}`);
  const rule = `{ name: "r", matchHosts: ["a.example"], injectHeaders: { ${headers.join(", ")} } }`;
  return [
    `name: "${declared.name}"`,
    `image: "registry.example/code:${declared.shape}"`,
    'resources: { cpu: "1" }',
    ...(headers.length > 0 ? [`proxyConfig: { rules: [${rule}] }`] : []),
  ];
}

function oauthProviderOf(declared: Declared, world: World): string[] {
  const parts = usesOf(declared, world).map(({ text }) => `\${${text}}`);
  const method = declared.shape % 2 === 1 ? "client_secret_post" : "client_secret_basic";
  return [
    `providerId: "${declared.name}"`,
    parts.length > 0 ? `name: pulumi.interpolate\`For ${parts.join(" ")}\`` : 'name: "For people"',
    `clientId: "client-${declared.version}"`,
    'authUrl: "https://auth.example"',
    'tokenUrl: "https://token.example"',
    `tokenEndpointAuthMethod: "${method}"`,
  ];
}

function deploymentOf(declared: Declared, world: World): string[] {
  const { agent } = declared;
  const references = usesOf(declared, world).map(({ name, text }) => `REF_${name.toUpperCase()}: ${text}`);
  const extra = extraOf(agent);
  return [
    `name: "${declared.name}"`,
    `source: "${agent.source}"`,
    `sourceConfig: ${sourceConfigOf(declared, world)}`,
    `sourceRevisionConfig: { ${revisionConfigOf(declared)} }`,
    `environmentVariables: { ${[`BASE: "${agent.environment}"`, ...references].join(", ")} }`,
    ...(agent.display > 0 ? [`displayName: "Agent ${agent.display}"`] : []),
    ...(extra === undefined ? [] : [`extra: ${extra}`]),
    ...(agent.trigger > 0 ? [`redeployTrigger: ${agent.trigger}`] : []),
    ...(declared.raw ? [] : [agent.awaits ? `rolloutTimeout: "${ROLLOUT_TIMEOUT}"` : "awaitRollout: false"]),
  ];
}

function revisionConfigOf({ version, agent: { source, fails } }: Declared): string {
  const word = fails ? "-emulator-fail-build" : "";
  if (source === "github") return `repoRef: "v${version}${word}", langgraphConfigPath: "langgraph.json"`;
  return `imageUri: "registry.example/agent:${version}${word}"`;
}

/** The fields that each source must and may have (docs/internals/platform.md, Source). */
function sourceConfigOf({ shape, agent }: Declared, world: World): string {
  const from = world.find(({ slot }) => slot === agent.configFrom)?.slot;
  const text = (given: string): string => (from === undefined ? `"${given}"` : "id");
  const fields = {
    external_docker: [
      ...(shape > 1 || from !== undefined ? [`listenerId: ${text(`listener-${shape}`)}`] : []),
      `resourceSpec: { ${specOf(agent)} }`,
    ],
    internal_docker: [`deploymentType: "${shape % 2 === 1 ? "dev" : "prod"}"`],
    github: [
      `integrationId: ${text("integration")}`,
      `repoUrl: "https://git.example/repository-${shape}"`,
      'deploymentType: "dev"',
      `buildOnPush: ${agent.buildOnPush}`,
    ],
  }[agent.source];
  const config = `{ ${fields.join(", ")} }`;
  return from === undefined || agent.source === "internal_docker" ? config : `${from}.id.apply((id) => (${config}))`;
}

const specOf = ({ spec, orchestrators }: Agent): string =>
  [
    ...(spec === 0 ? [] : [`cpu: ${1 + (spec % 6)}, minScale: 1, maxScale: ${1 + spec}`]),
    ...(orchestrators === 0 ? [] : [`orchestratorMemoryMb: ${1024 * orchestrators}`]),
  ].join(", ");

function extraOf({ extra, source }: Agent): string | undefined {
  if (extra === 0) return undefined;
  // A field of resource_spec that an earlier version did not know, or one at the top.
  return extra % 2 === 1 && source === "external_docker"
    ? `{ source_config: { resource_spec: { orchestrator_memory_mb: ${512 * extra} } } }`
    : `{ made_for: "team-${extra}" }`;
}
