import {
  deployments,
  listeners,
  oauthProviders,
  revisions,
  sandboxSnapshots,
  sandboxTemplates,
  type Emulator,
} from "../../emulator";
import { uuidOf } from "../../emulator/agents/graph";
import { platformAgents } from "../../emulator/platform/resource-records";
import { sandboxRegistries } from "../../emulator/routes/sandbox-registries";
import { workspaceSecrets } from "../../emulator/routes/workspace-secrets";
import { sandboxVolumes } from "../../emulator/routes/sandbox-volumes";
import { asObject, isObject, type Json, type JsonObject } from "../../provider/base/json";
import { MARK } from "../../provider/resources/deployment/agent-fields";
import { RESOURCES } from "../../provider/resources/registry";
import type { ManagedType, ObjectType } from "../../provider/resources/resource-types";
import type { AgentServer } from "../support/agent-server";

export type { ObjectType };

/** Where objects are: on the platform, and on the servers of agents, by the names of their deployments. */
export interface Place {
  readonly emulator: Emulator;
  readonly agents?: Readonly<Record<string, AgentServer>>;
}

/** An object as it is stored, secrets with their values. */
export interface Stored {
  /** As a state names it. */
  readonly id: string;
  /** The platform's own id: what is made anew has another. */
  readonly uuid: string;
  /** The natural key; of a cron, which has none, its "name" in the metadata. */
  readonly name: string;
  readonly tenantId: string;
  /** In the terms of a request that makes it. */
  readonly body: JsonObject;
  /** The platform still deletes it. */
  readonly isBeingDeleted?: boolean;
}

/** What any test knows of a type: a player plays a new type by these alone (docs/internals/players.md). */
export interface Played {
  /** Arguments of the class; what an agent keeps also needs its `deploymentId` and `url`. */
  readonly program: JsonObject;
  /** The parts of the program that a change in place touches: another number is another value. None: a change replaces. */
  readonly fields: Readonly<Record<string, (n: number) => JsonObject>>;
  /** The part that only a replacement changes; undefined for a type that has none. */
  readonly fixed?: (n: number) => JsonObject;
  /** The part that is the natural key. */
  readonly named: (n: number) => JsonObject;
  /** Of the fields, those that no answer shows. */
  readonly hidden?: readonly string[];
  /** Where a request that makes one goes; of an agent's, below its address. */
  readonly path: string;
  /** That request. */
  readonly body: (program: JsonObject) => JsonObject;
  /** All objects of the type that somebody made, whoever. */
  readonly objects: (place: Place) => Stored[];
  /** Changes an object behind the API: fields of the body. */
  readonly change: (place: Place, id: string, part: JsonObject) => void;
  readonly remove: (place: Place, id: string) => void;
}

/** How the conformance suite tests a type of the platform. */
export interface Case extends Played {
  /** The same meaning in other words: spelling, order of keys, defaults written out. */
  readonly respelled: JsonObject;
  /** A change in place under contract extended; undefined for a resource that has none. */
  readonly updated?: JsonObject;
  /** A change that needs a replacement under the same natural key; undefined for a resource that has none. */
  readonly replacing?: JsonObject;
  /** A change that needs a replacement, under another natural key. */
  readonly renamed?: JsonObject;
  /** Changes a declared field by hand; returns the name of the property that then differs. */
  readonly drift?: (emulator: Emulator) => string;
  /** Changes by hand a field that is not declared, or not readable. */
  readonly noDrift?: (emulator: Emulator) => void;
}

/** The arguments with these parts, each of which goes into the objects of those before it. */
export function merged(program: JsonObject, ...parts: readonly JsonObject[]): JsonObject {
  const into = (one: Json | undefined, other: Json | undefined): Json | undefined =>
    isObject(one) && isObject(other) ? merged(one, other) : other;
  return parts.reduce<JsonObject>(
    (all, part) => ({
      ...all,
      ...Object.fromEntries(Object.entries(part).map(([name, value]) => [name, into(all[name], value)])),
    }),
    program,
  );
}

/** A record of the emulator as plain JSON. */
const asJson = (record: unknown): JsonObject => asObject(JSON.parse(JSON.stringify(record)));
const snake = (name: string): string => name.replace(/[A-Z]/g, (letter) => `_${letter.toLowerCase()}`);
/** Arguments as the platform names them. The keys of what is named here are the user's own. */
function inSnake(value: Json | undefined, asIs: readonly string[] = []): Json {
  if (Array.isArray(value)) return value.map((each) => inSnake(each, asIs));
  if (!isObject(value)) return value ?? null;
  return Object.fromEntries(
    Object.entries(value).map(([name, each]) => [
      snake(name),
      asIs.includes(name) ? (each ?? null) : inSnake(each, asIs),
    ]),
  );
}
const bodyOf = (program: JsonObject, ...asIs: string[]): JsonObject => asObject(inSnake(program, asIs));
const textOf = (value: Json | undefined): string => (typeof value === "string" ? value : "");
const field = (value: Json | undefined, name: string): Json | undefined => (isObject(value) ? value[name] : undefined);
const byHost = (configs: Json): Json => {
  const host = (config: Json): string => textOf(field(config, "host_pattern"));
  return Array.isArray(configs) ? [...configs].sort((a, b) => (host(a) < host(b) ? -1 : 1)) : configs;
};

const template = {
  name: "code",
  image: "python:3.12",
  resources: { cpu: "1", memory: "1Gi" },
  proxyConfig: { rules: [{ name: "r", matchHosts: ["a.example"], injectHeaders: { Authorization: "Bearer ${T}" } }] },
};
const provider = {
  providerId: "github",
  name: "GitHub",
  clientId: "c",
  clientSecret: "client-secret",
  authUrl: "https://a.example/auth",
  tokenUrl: "https://a.example/token",
};
const agent = {
  name: "agent",
  source: "external_docker",
  sourceConfig: {
    resourceSpec: { cpu: 1, labels: { team: "a" } },
    customUrl: "agent.example",
    installCommand: "make",
  },
  sourceRevisionConfig: { imageUri: "registry.example/agent:1" },
  environmentVariables: { LEVEL: "info" },
  secrets: { TOKEN: "deployment-secret" },
};

const cluster = {
  computeId: "prod-eu",
  computeConfig: { k8sNamespaces: ["agents", "batch"] },
};

const fleetAgent = { agentId: "desk", name: "Support desk", agentType: "CODING", sourceType: "FLEET" };

const images = { name: "images", url: "registry.example", username: "puller", password: "registry-password" };

const snapshot = { name: "python", dockerImage: "registry.example/python:3.12", fsCapacityBytes: 1_000_000_000 };

const hostsOf = (host: string) => [
  { hostPattern: host, headerName: "Authorization", headerValueTemplate: "Bearer {value}" },
  { hostPattern: `*.${host}` },
];
const secret = { key: "MODEL_KEY", value: "shared-secret", allowedHosts: hostsOf("models.example") };
const GIB = 1024 ** 3;
const volume = { name: "data", sizeBytes: 2 * GIB, description: "Files", labels: { team: "a" } };

/** What the collections of the platform have in common: their records are the bodies that make them. */
function stored(
  {
    id,
    tenant_id,
    created_at: _made,
    updated_at: _changed,
    ...record
  }: { readonly id: string; readonly tenant_id: string; readonly created_at: string; readonly updated_at: string },
  name: string,
): Stored {
  return { id, uuid: id, name, tenantId: tenant_id, body: asJson(record) };
}

const deploymentBody = ({ environmentVariables, secrets, ...program }: JsonObject): JsonObject => {
  const {
    extra,
    redeploy_trigger: _r,
    delete_tracing_project: _d,
    ...body
  } = bodyOf(program, "labels", "extra", "annotations");
  const variables = { ...asJson(environmentVariables ?? {}), ...asJson(secrets ?? {}) };
  return {
    source_config: {},
    ...merged(body, isObject(extra) ? extra : {}),
    secrets: Object.entries(variables).map(([name, value]) => ({ name, value })),
  };
};

/** A collection of the emulator, behind its API. */
interface Collection<T> {
  list(): readonly T[];
  change(key: string, fields: Partial<T> | JsonObject): unknown;
  remove(key: string): void;
}

/**
 * What somebody does to the objects of a collection.
 * @param drift The key of the program's object, what is changed of it, and the property that then differs.
 * @param noDrift Of the same object, what is not declared, or not readable.
 */
function keptIn<T>(
  all: (emulator: Emulator) => Collection<T>,
  as: (each: T) => Stored,
  [key, changed, property]: readonly [key: string, changed: Partial<NoInfer<T>>, property: string],
  noDrift?: Partial<NoInfer<T>>,
): Pick<Case, "objects" | "change" | "remove" | "drift" | "noDrift"> {
  return {
    objects: ({ emulator }) => all(emulator).list().map(as),
    change: ({ emulator }, id, part) => void all(emulator).change(id, part),
    remove: ({ emulator }, id) => all(emulator).remove(id),
    drift: (emulator) => {
      all(emulator).change(key, changed);
      return property;
    },
    ...(noDrift && { noDrift: (emulator: Emulator) => void all(emulator).change(key, noDrift) }),
  };
}

/** Everything but rollouts, which have no object of their own (rollout.test.ts). */
export const CASES: Readonly<Record<ManagedType, Case>> = {
  SandboxTemplate: {
    program: template,
    respelled: {
      ...template,
      resources: { memory: "1024Mi", cpu: "1000m" },
      volumeMounts: [],
      proxyConfig: {
        noProxy: [],
        rules: [
          {
            enabled: true,
            matchHosts: ["a.example"],
            name: "r",
            matchPaths: [],
            injectHeaders: { authorization: "Bearer ${T}" },
          },
        ],
      },
    },
    updated: { ...template, name: "code-2" },
    replacing: { ...template, image: "python:3.13" },
    renamed: { ...template, name: "code-2", image: "python:3.13" },
    // Its name alone changes in place.
    fields: {},
    fixed: (n) => ({ image: `python:${n}`, volumeMounts: [{ volumeName: "data", mountPath: `/data/${n}` }] }),
    named: (n) => ({ name: `code-${n}` }),
    path: "/v2/sandboxes/templates",
    body: (program) => bodyOf(program, "injectHeaders"),
    ...keptIn(
      (emulator) => emulator.outOfBand(sandboxTemplates),
      (each) => stored(each, each.name),
      ["code", { image: "evil:latest" }, "image"],
    ),
  },
  OAuthProvider: {
    program: provider,
    respelled: {
      ...provider,
      usesPkce: false,
      codeChallengeMethod: "S256",
      tokenEndpointAuthMethod: "client_secret_post",
    },
    updated: { ...provider, name: "GitHub 2", usesPkce: true },
    replacing: { ...provider, tokenEndpointAuthMethod: "client_secret_basic" },
    renamed: { ...provider, providerId: "github-2" },
    fields: {
      authUrl: (n) => ({ authUrl: `https://a.example/auth/${n}` }),
      tokenUrl: (n) => ({ tokenUrl: `https://a.example/token/${n}` }),
      name: (n) => ({ name: `GitHub ${n}` }),
      clientId: (n) => ({ clientId: `client-${n}` }),
      clientSecret: (n) => ({ clientSecret: `client-secret-${n}` }),
      usesPkce: (n) => ({ usesPkce: n % 2 === 1 }),
      allowedRedirectUris: (n) => ({ allowedRedirectUris: [`https://a.example/${n}`] }),
      extra: (n) => ({ extra: { team: `team-${n}` } }),
    },
    fixed: (n) => ({ tokenEndpointAuthMethod: n % 2 === 1 ? "client_secret_basic" : "client_secret_post" }),
    named: (n) => ({ providerId: `github-${n}` }),
    hidden: ["clientSecret", "allowedRedirectUris", "extra"],
    path: "/v2/auth/providers",
    // The emulator keeps nothing of a provider that it does not know.
    body: ({ extra: _extra, ...program }) => bodyOf(program, "authorizationParams"),
    ...keptIn(
      (emulator) => emulator.outOfBand(oauthProviders),
      (each) => ({ ...stored(each, each.provider_id), id: each.provider_id }),
      ["github", { auth_url: "https://evil.example" }, "authUrl"],
      { client_secret: "another", uses_pkce: true },
    ),
  },
  SandboxRegistry: {
    program: images,
    respelled: { ...images, authType: "DOCKER_CONFIG" },
    updated: { ...images, url: "mirror.example", password: "another-password" },
    fields: {
      url: (n) => ({ url: `registry-${n}.example` }),
      username: (n) => ({ username: `puller-${n}` }),
      password: (n) => ({ password: `registry-password-${n}` }),
    },
    named: (n) => ({ name: `images-${n}` }),
    hidden: ["username", "password"],
    path: "/v2/sandboxes/registries",
    body: (program) => bodyOf(program),
    ...keptIn(
      (emulator) => emulator.outOfBand(sandboxRegistries),
      (each) => stored(each, each.name),
      ["images", { url: "evil.example" }, "url"],
      { username: "another", password: "another" },
    ),
  },
  SandboxSnapshot: {
    program: snapshot,
    respelled: { ...snapshot, tag: "latest", labels: {}, description: "", registryId: null, buildTimeout: "1h" },
    replacing: { ...snapshot, dockerImage: "registry.example/python:3.13" },
    renamed: { ...snapshot, name: "python-2" },
    fields: {},
    fixed: (n) => ({ dockerImage: `registry.example/python:${n}` }),
    named: (n) => ({ name: `python-${n}` }),
    path: "/v2/sandboxes/snapshots",
    body: (program) => ({ tag: "latest", ...bodyOf(program, "labels") }),
    ...keptIn(
      (emulator) => emulator.outOfBand(sandboxSnapshots),
      (each) => {
        const { body, ...object } = stored(each, each.name);
        return { ...object, body: { ...body, tag: each.tags[0] ?? "" } };
      },
      ["python", { docker_image: "evil:latest" }, "dockerImage"],
      { labels: { by: "hand" } },
    ),
  },
  WorkspaceSecret: {
    program: secret,
    respelled: { ...secret, allowedHosts: [...secret.allowedHosts].reverse() },
    updated: { ...secret, value: "another-secret", allowedHosts: [{ hostPattern: "models.example" }] },
    renamed: { ...secret, key: "OTHER_KEY" },
    fields: {
      value: (n) => ({ value: `shared-secret-${n}` }),
      allowedHosts: (n) => ({ allowedHosts: hostsOf(`models-${n}.example`) }),
    },
    named: (n) => ({ key: `MODEL_KEY_${n}` }),
    hidden: ["value"],
    path: "/v1/workspaces/current/secrets",
    // In the order of the hosts, which has no meaning.
    body: ({ allowedHosts = [], ...program }) => ({ ...bodyOf(program), configs: byHost(inSnake(allowedHosts)) }),
    ...keptIn(
      (emulator) => emulator.outOfBand(workspaceSecrets),
      ({ configs, ...each }) => {
        const { body, ...object } = stored(each, each.key);
        return { ...object, id: each.key, body: { ...body, configs: byHost(inSnake(configs)) } };
      },
      ["MODEL_KEY", { configs: [{ host_pattern: "evil.example" }] }, "allowedHosts"],
      { value: "another" },
    ),
  },
  PlatformAgent: {
    program: fleetAgent,
    respelled: { ...fleetAgent, productionOnly: false },
    updated: { ...fleetAgent, name: "Front desk", ownerId: "user-1" },
    renamed: { ...fleetAgent, agentId: "desk-2" },
    fields: {
      name: (n) => ({ name: `Desk ${n}` }),
      agentType: (n) => ({ agentType: n % 2 === 1 ? "CUSTOM" : "CODING" }),
      ownerId: (n) => ({ ownerId: `user-${n}` }),
    },
    // Only productionOnly replaces it, which no answer shows.
    named: (n) => ({ agentId: `desk-${n}` }),
    path: "/v1/agents",
    body: ({ agentId, ...program }) => ({ id: agentId, ...bodyOf(program) }),
    ...keptIn(
      (emulator) => emulator.outOfBand(platformAgents),
      ({ environments, ...each }) => {
        const { body, ...object } = stored(each, each.agent_id);
        const production = environments.length === 1;
        return { ...object, id: each.agent_id, body: { ...body, id: each.agent_id, production_only: production } };
      },
      ["desk", { name: "Theirs" }, "name"],
      { owner_id: "user-9" },
    ),
  },
  Listener: {
    program: cluster,
    respelled: { ...cluster, computeType: "k8s", computeConfig: { k8sNamespaces: ["batch", "agents"] } },
    updated: { ...cluster, computeConfig: { k8sNamespaces: ["agents"] } },
    renamed: { ...cluster, computeId: "prod-us" },
    fields: { namespaces: (n) => ({ computeConfig: { k8sNamespaces: [`agents-${n}`] } }) },
    named: (n) => ({ computeId: `prod-${n}` }),
    path: "/v2/listeners",
    body: (program) => ({ compute_type: "k8s", ...bodyOf(program) }),
    ...keptIn(
      (emulator) => emulator.outOfBand(listeners),
      (each) => stored(each, each.compute_id),
      ["prod-eu", { compute_config: { k8s_namespaces: ["elsewhere"] } }, "computeConfig"],
      { compute_config: { k8s_namespaces: ["batch", "agents"] } },
    ),
  },
  SandboxVolume: {
    program: volume,
    respelled: { ...volume, sizeBytes: GIB + 1 },
    updated: { ...volume, description: "Other files", labels: { team: "b" } },
    renamed: { ...volume, name: "data-2" },
    fields: {
      description: (n) => ({ description: `Files ${n}` }),
      labels: (n) => ({ labels: { team: `team-${n}` } }),
    },
    named: (n) => ({ name: `data-${n}` }),
    path: "/v2/sandboxes/volumes",
    body: (program) => bodyOf(program, "labels"),
    ...keptIn(
      (emulator) => emulator.outOfBand(sandboxVolumes),
      (each) => {
        const { body, ...object } = stored(each, each.name);
        const { attachments: _a, source_volume_id: _s, status: _t, status_message: _m, ...sent } = body;
        return { ...object, body: sent };
      },
      ["data", { labels: { team: "a", by: "hand" } }, "labels"],
      { status_message: "by hand" },
    ),
  },
  Deployment: {
    program: agent,
    respelled: {
      ...agent,
      sourceConfig: {
        ...agent.sourceConfig,
        customUrl: "https://agent.example/",
        resourceSpec: { labels: { team: "a" }, cpu: 1 },
      },
      secretReferences: [],
    },
    updated: {
      ...agent,
      sourceRevisionConfig: { imageUri: "registry.example/agent:2" },
      environmentVariables: { LEVEL: "debug" },
    },
    replacing: {
      ...agent,
      source: "internal_docker",
      sourceConfig: { deploymentType: "dev", installCommand: "make" },
    },
    renamed: { ...agent, name: "agent-2" },
    fields: {
      image: (n) => ({ sourceRevisionConfig: { imageUri: `registry.example/agent:${n}` } }),
      displayName: (n) => ({ displayName: `Agent ${n}` }),
      environment: (n) => ({ environmentVariables: { LEVEL: `level-${n}` } }),
      secret: (n) => ({ secrets: { TOKEN: `deployment-secret-${n}` } }),
      secretReferences: (n) => ({
        secretReferences: [{ name: "REFERRED", secretName: `secret-${n}`, secretKey: "key" }],
      }),
      customUrl: (n) => ({ sourceConfig: { customUrl: `agent-${n}.example` } }),
      cpu: (n) => ({ sourceConfig: { resourceSpec: { cpu: 1 + n } } }),
      labels: (n) => ({ sourceConfig: { resourceSpec: { labels: { team: `team-${n}` } } } }),
      buildCommand: (n) => ({ sourceConfig: { buildCommand: `make ${n}` } }),
      extra: (n) => ({ extra: { tag: n } }),
      redeployTrigger: (n) => ({ redeployTrigger: n }),
    },
    fixed: (n) => ({ sourceConfig: { listenerId: `listener-${n}` } }),
    // Each name but the first has the first one in it, so that a search finds more than was looked for.
    named: (n) => ({ name: `agent-${n}` }),
    hidden: ["buildCommand", "extra", "redeployTrigger"],
    path: "/v2/deployments",
    body: deploymentBody,
    objects: ({ emulator }) =>
      emulator
        .outOfBand(deployments)
        .list()
        .map((each) => {
          const { body, ...object } = stored(each, each.name);
          const { resource_spec: spec = {}, source_config: config, extra, deleted_at: deletedAt, ...other } = body;
          const whole = { ...asJson(config ?? {}), resource_spec: spec };
          return {
            ...object,
            body: { ...asJson(extra ?? {}), ...other, source_config: whole },
            isBeingDeleted: deletedAt !== null,
          };
        }),
    change: ({ emulator }, id, { source_config: config, tag, ...part }) => {
      const all = emulator.outOfBand(deployments);
      const { resource_spec: oldSpec, source_config: oldConfig, extra } = all.get(id);
      const { resource_spec: spec = {}, ...others } = asJson(config ?? {});
      all.change(id, {
        ...part,
        source_config: { ...oldConfig, ...others },
        resource_spec: { ...oldSpec, ...asJson(spec) },
        ...(tag !== undefined && { extra: { ...extra, tag } }),
      });
    },
    remove: ({ emulator }, id) => {
      emulator.outOfBand(deployments).remove(id);
      const all = emulator.outOfBand(revisions);
      for (const { id: revision, deployment_id: of } of all.list()) if (of === id) all.remove(revision);
    },
    drift: (emulator) => {
      emulator
        .outOfBand(deployments)
        .change("agent", { resource_spec: { cpu: 9, labels: { team: "a" }, max_scale: 7 } });
      return "sourceConfig";
    },
    noDrift: (emulator) => {
      emulator.outOfBand(deployments).change("agent", { display_name: "set by hand" });
    },
  },
};

const agentsOf = ({ agents = {} }: Place): AgentServer[] => Object.values(agents);
const GRAPHS = ["agent", "other"];

const IN_PAYLOAD = ["durability", "interrupt_before", "stream_mode"];
/** As the program says it: each node is a list there. */
const listed = (live: Json | undefined): Json => (live === "*" ? ["*"] : (live ?? null));

/** What the agent of a deployment keeps (assistant.test.ts, cron.test.ts). Nobody's name is taken there. */
const AGENT_CASES: Readonly<Record<Exclude<ObjectType, ManagedType>, Played>> = {
  Assistant: {
    program: { name: "triage", graphId: "agent", context: { tone: "brief" }, description: "Sorts" },
    fields: {
      context: (n) => ({ context: { tone: `tone-${n}` } }),
      description: (n) => ({ description: `Number ${n}` }),
      metadata: (n) => ({ metadata: { team: `team-${n}` } }),
      graphId: (n) => ({ graphId: GRAPHS[n % GRAPHS.length] ?? "agent" }),
    },
    named: (n) => ({ name: `triage-${n}` }),
    path: "/assistants",
    body: (program) => bodyOf(program, "context", "metadata", "config"),
    objects: (place) =>
      agentsOf(place).flatMap(({ assistants }) =>
        [...assistants.values()]
          .filter(({ metadata }) => metadata["created_by"] !== "system")
          .map((each) => ({
            ...{ id: each.assistant_id, uuid: each.assistant_id, name: each.name, tenantId: "" },
            body: asJson(each),
          })),
      ),
    change: (place, id, part) =>
      agentsOf(place).forEach(({ assistants }) => {
        const found = assistants.get(id);
        if (found !== undefined) Object.assign(found, part);
      }),
    remove: (place, id) => agentsOf(place).forEach(({ assistants }) => assistants.delete(id)),
  },
  Cron: {
    program: {
      assistantId: "agent",
      schedule: "0 9 * * *",
      input: { text: "Good morning" },
      metadata: { name: "daily" },
    },
    fields: {
      schedule: (n) => ({ schedule: `${n % 60} 9 * * *` }),
      input: (n) => ({ input: { text: `Number ${n}` } }),
      timezone: (n) => ({ timezone: n % 2 === 1 ? "Europe/Berlin" : "Asia/Tokyo" }),
      durability: (n) => ({ durability: n % 2 === 1 ? "sync" : "exit" }),
      interruptBefore: (n) => ({ interruptBefore: n % 2 === 1 ? ["*"] : [`node-${n}`] }),
      streamMode: (n) => ({ streamMode: n % 2 === 1 ? ["updates"] : ["values", "custom"] }),
    },
    fixed: (n) => ({ assistantId: GRAPHS[n % GRAPHS.length] ?? "agent" }),
    named: (n) => ({ metadata: { name: `daily-${n}` } }),
    path: "/runs/crons",
    body: (program) => bodyOf(program, "input", "context", "metadata", "config"),
    objects: (place) =>
      agentsOf(place).flatMap(({ crons }) =>
        [...crons.values()].map((each) => {
          const { [MARK]: _mark, ...metadata } = asJson(each.metadata);
          const assistant = GRAPHS.find((graph) => uuidOf(graph) === each.assistant_id) ?? each.assistant_id;
          const body = {
            ...asJson(each),
            assistant_id: assistant,
            ...Object.fromEntries(IN_PAYLOAD.map((name) => [name, listed(field(asJson(each.payload), name))])),
            input: field(asJson(each.payload), "input") ?? null,
            metadata,
          };
          return { id: each.cron_id, uuid: each.cron_id, name: textOf(metadata["name"]), tenantId: "", body };
        }),
      ),
    change: (place, id, part) =>
      agentsOf(place).forEach(({ crons }) => {
        const found = crons.get(id);
        const inPayload = Object.entries(part).filter(([name]) => ["input", ...IN_PAYLOAD].includes(name));
        if (found !== undefined)
          Object.assign(found, part, { payload: { ...found.payload, ...Object.fromEntries(inPayload) } });
      }),
    remove: (place, id) => agentsOf(place).forEach(({ crons }) => crons.delete(id)),
  },
};

/** All types that have objects: a new one joins both players here. */
export const PLAYED: Readonly<Record<ObjectType, Played>> = { ...CASES, ...AGENT_CASES };

/** The request that makes an object. */
export function making(type: ObjectType, body: JsonObject): [method: "POST" | "PUT", path: string, body: JsonObject] {
  const { path } = PLAYED[type];
  return isItsName(type) ? ["PUT", `${path}/${textOf(body["key"])}`, body] : ["POST", path, body];
}

/** The methods that make an object of the type and that change it. */
export const methodsOf = (type: ObjectType): readonly ["POST" | "PUT", "PATCH" | "PUT"] =>
  isItsName(type) ? ["PUT", "PUT"] : ["POST", "PATCH"];

/** Only its name tells an object from one that was made later: no answer has an id or a time. */
export const isItsName = (type: ObjectType): boolean => RESOURCES[type].table.upserts === true;

/** Whether the object is as the arguments declare it: what they do not name may be anything. */
export const holds = ({ body }: Pick<Played, "body">, object: Stored, program: JsonObject): boolean =>
  differences(body(program), object.body).length === 0;

/** The places where an object is not as a body says, each with what is there. Variables have no order, and nothing but what is declared. */
export function differences(wanted: Json, live: Json | undefined, path = ""): string[] {
  if (path === "secrets" && Array.isArray(wanted) && Array.isArray(live)) {
    const byName = (list: readonly Json[]): JsonObject =>
      Object.fromEntries(list.map((each) => [textOf(field(each, "name")), field(each, "value") ?? null]));
    const [one, other] = [byName(wanted), byName(live)];
    const surplus = Object.keys(other).filter((name) => !(name in one));
    return [...surplus.map((name) => `secrets.${name} is there`), ...differences(one, other, "secrets.")];
  }
  if (isObject(wanted))
    return Object.entries(wanted).flatMap(([name, value]) =>
      differences(
        value ?? null,
        field(live, name),
        path === "" || path.endsWith(".") ? path + name : `${path}.${name}`,
      ),
    );
  if (Array.isArray(wanted)) {
    const there = Array.isArray(live) ? live : [];
    const length = there.length === wanted.length ? [] : [`${path} has ${there.length} entries`];
    return [...length, ...wanted.flatMap((value, index) => differences(value, there[index], `${path}[${index}]`))];
  }
  const [one, other] = [wanted, live ?? null].map((value) => JSON.stringify(value));
  return one === other ? [] : [`${path} is ${other ?? ""}`];
}
