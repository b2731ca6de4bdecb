import { deployments, listeners, oauthProviders, revisions, sandboxTemplates, type Emulator } from "../../emulator";
import { sandboxRegistries } from "../../emulator/routes/sandbox-registries";
import type { ManagedType, ResourceType } from "../../provider/resources/resource-types";
import type { JsonObject } from "../../provider/base/json";
import type { PlatformUnderTest } from "../support/platform-under-test";

/** The declared values of a program, as numbers. Every edit takes a number that was never used before. */
export interface Declared {
  readonly name: number;
  /** The values that only a replacement can change. */
  readonly fixed: number;
  /** The values that an update can change. */
  readonly values: Readonly<Record<string, number>>;
}

/** An object as the platform stores it. `state`: all its fields that a program can declare, secrets with their values. */
export interface Stored {
  readonly id: string;
  readonly name: string;
  /** What only one can have, where several have one name. */
  readonly mark?: string;
  readonly tenantId: string;
  readonly state: JsonObject;
}

/** A kind of resource that has objects of its own, as the model plays with it. */
export interface Subject<Kind extends ResourceType = ResourceType> {
  readonly kind: Kind;
  /** The fields that a change in place can touch; none: the name alone. */
  readonly fields: readonly string[];
  readonly nameOf: (declared: Declared) => string;
  readonly program: (declared: Declared) => JsonObject;
  /** The fields that the platform must hold. */
  readonly wanted: (declared: Declared) => JsonObject;
  readonly objects: (emulator: Emulator) => Stored[];
  readonly vanish: (emulator: Emulator, id: string) => void;
  /** Changes by hand a declared field that answers show. */
  readonly drift: (emulator: Emulator, id: string, n: number) => void;
  /** Makes the object by hand. */
  readonly make: (platform: Pick<PlatformUnderTest, "ask">, declared: Declared) => Promise<unknown>;
}

const valueOf = ({ values }: Declared, field: string): number => values[field] ?? 0;

const template: Subject<ManagedType> = {
  kind: "SandboxTemplate",
  fields: [],
  nameOf: ({ name }) => `t-${name}`,
  program: ({ name, fixed }) => ({
    name: `t-${name}`,
    image: `image:${fixed}`,
    resources: { cpu: "1", memory: "1Gi" },
    volumeMounts: [{ volumeName: "data", mountPath: `/data/${fixed}` }],
  }),
  wanted: ({ name, fixed }) => ({ name: `t-${name}`, image: `image:${fixed}`, mount: `/data/${fixed}`, cpu: "1" }),
  objects: (emulator) =>
    emulator
      .outOfBand(sandboxTemplates)
      .list()
      .map(({ id, name, tenant_id: tenantId, image, volume_mounts: mounts, resources }) => ({
        id,
        name,
        tenantId,
        state: { name, image, mount: mounts[0]?.mount_path, cpu: resources.cpu },
      })),
  vanish: (emulator, id) => emulator.outOfBand(sandboxTemplates).remove(id),
  drift: (emulator, id, n) => void emulator.outOfBand(sandboxTemplates).change(id, { image: `drifted:${n}` }),
  make: (platform, { name, fixed }) =>
    platform.ask("POST", "/v2/sandboxes/templates", {
      name: `t-${name}`,
      image: `image:${fixed}`,
      resources: { cpu: "1", memory: "1Gi" },
      volume_mounts: [{ volume_name: "data", mount_path: `/data/${fixed}` }],
    }),
};

const authMethod = (fixed: number) => (fixed % 2 === 0 ? "client_secret_post" : "client_secret_basic");

const providerState = (declared: Declared) => ({
  provider_id: `p-${declared.name}`,
  name: `Provider ${valueOf(declared, "name")}`,
  client_id: `client-${valueOf(declared, "clientId")}`,
  client_secret: `client-secret-${valueOf(declared, "clientSecret")}`,
  auth_url: `https://a.example/auth/${valueOf(declared, "authUrl")}`,
  token_url: `https://a.example/token/${valueOf(declared, "tokenUrl")}`,
  token_endpoint_auth_method: authMethod(declared.fixed),
});

const provider: Subject<ManagedType> = {
  kind: "OAuthProvider",
  fields: ["name", "clientId", "clientSecret", "authUrl", "tokenUrl"],
  nameOf: ({ name }) => `p-${name}`,
  program: (declared) => {
    const { provider_id, name, client_id, client_secret, auth_url, token_url, token_endpoint_auth_method } =
      providerState(declared);
    return {
      providerId: provider_id,
      name,
      clientId: client_id,
      clientSecret: client_secret,
      authUrl: auth_url,
      tokenUrl: token_url,
      tokenEndpointAuthMethod: token_endpoint_auth_method,
    };
  },
  wanted: providerState,
  objects: (emulator) =>
    emulator
      .outOfBand(oauthProviders)
      .list()
      .map((record) => ({
        id: record.provider_id,
        name: record.provider_id,
        tenantId: record.tenant_id,
        state: {
          provider_id: record.provider_id,
          name: record.name,
          client_id: record.client_id,
          client_secret: record.client_secret,
          auth_url: record.auth_url,
          token_url: record.token_url,
          token_endpoint_auth_method: record.token_endpoint_auth_method,
        },
      })),
  vanish: (emulator, id) => emulator.outOfBand(oauthProviders).remove(id),
  drift: (emulator, id, n) =>
    void emulator.outOfBand(oauthProviders).change(id, { auth_url: `https://drifted.example/${n}` }),
  make: (platform, declared) => platform.ask("POST", "/v2/auth/providers", providerState(declared)),
};

/** Every name but the first contains the first one, so that the search for a deployment's name finds more than that deployment. */
const deploymentName = (n: number): string => (n === 0 ? "agent" : `agent-${n}`);

const deploymentState = (declared: Declared) => ({
  name: deploymentName(declared.name),
  cluster: `listener-${declared.fixed}`,
  image: `registry.example/agent:${valueOf(declared, "image")}`,
  display_name: `Agent ${valueOf(declared, "displayName")}`,
  secrets: [
    { name: "LEVEL", value: `level-${valueOf(declared, "environment")}` },
    { name: "TOKEN", value: `deployment-secret-${valueOf(declared, "secret")}` },
  ],
  cpu: 1 + valueOf(declared, "cpu"),
  build_command: `make ${valueOf(declared, "buildCommand")}`,
  extra: { tag: valueOf(declared, "extra") },
});

const json = (value: unknown) => JSON.stringify(value);

const deployment: Subject<ManagedType> = {
  kind: "Deployment",
  fields: ["image", "displayName", "environment", "secret", "cpu", "buildCommand", "extra", "redeployTrigger"],
  nameOf: ({ name }) => deploymentName(name),
  program: (declared) => {
    const { name, cluster, image, display_name, secrets, cpu, build_command, extra } = deploymentState(declared);
    return {
      name,
      source: "external_docker",
      sourceConfig: { listenerId: cluster, resourceSpec: { cpu }, buildCommand: build_command },
      sourceRevisionConfig: { imageUri: image },
      displayName: display_name,
      environmentVariables: { LEVEL: secrets[0]?.value },
      secrets: { TOKEN: secrets[1]?.value },
      extra,
      redeployTrigger: valueOf(declared, "redeployTrigger"),
    };
  },
  wanted: deploymentState,
  objects: (emulator) =>
    emulator
      .outOfBand(deployments)
      .list()
      // A deployment that is being deleted is as good as gone: nothing can keep it.
      .filter(({ deleted_at: deletedAt }) => deletedAt === null)
      .map((record) => ({
        id: record.id,
        name: record.name,
        tenantId: record.tenant_id,
        state: {
          name: record.name,
          cluster: textOf(record.source_config["listener_id"]),
          image: textOf(record.source_revision_config["image_uri"]),
          display_name: record.display_name,
          secrets: record.secrets.map(({ name, value }) => ({ name, value })),
          cpu: numberOf(record.resource_spec["cpu"]),
          build_command: textOf(record.source_config["build_command"]),
          extra: { tag: numberOf(record.extra["tag"]) },
        },
      })),
  vanish: (emulator, id) => {
    emulator.outOfBand(deployments).remove(id);
    const all = emulator.outOfBand(revisions);
    for (const revision of all.list().filter(({ deployment_id: of }) => of === id)) all.remove(revision.id);
  },
  drift: (emulator, id, n) => {
    const all = emulator.outOfBand(deployments);
    const { resource_spec: spec, secrets } = all.get(id);
    const drifts = [
      { display_name: `drifted ${n}` },
      { resource_spec: { ...spec, cpu: 100 + n } },
      { secrets: [...secrets, { name: "DRIFTED", value: "x" }] },
      { secrets: secrets.slice(1) },
    ];
    all.change(id, drifts[n % drifts.length] ?? {});
  },
  make: (platform, declared) => {
    const { name, cluster, image, display_name, secrets, cpu, extra } = deploymentState(declared);
    return platform.ask("POST", "/v2/deployments", {
      name,
      source: "external_docker",
      source_config: { listener_id: cluster, resource_spec: { cpu } },
      source_revision_config: { image_uri: image },
      secrets,
      // A field that was never set is null: an object that is made by hand has no display name.
      ...(declared.name % 2 === 0 ? { display_name, ...extra } : {}),
    });
  },
};

const listenerState = (declared: Declared) => ({
  // Nothing but its id is fixed.
  compute_id: `cluster-${declared.name}-${declared.fixed}`,
  namespaces: [`agents-${valueOf(declared, "namespace")}`],
});

const listener: Subject<ManagedType> = {
  kind: "Listener",
  fields: ["namespace"],
  nameOf: (declared) => listenerState(declared).compute_id,
  program: (declared) => {
    const { compute_id, namespaces } = listenerState(declared);
    return { computeId: compute_id, computeConfig: { k8sNamespaces: namespaces } };
  },
  wanted: listenerState,
  objects: (emulator) =>
    emulator
      .outOfBand(listeners)
      .list()
      .map(({ id, compute_id, tenant_id: tenantId, compute_config: config }) => ({
        id,
        name: compute_id,
        tenantId,
        state: { compute_id, namespaces: config.k8s_namespaces },
      })),
  vanish: (emulator, id) => emulator.outOfBand(listeners).remove(id),
  drift: (emulator, id, n) =>
    void emulator.outOfBand(listeners).change(id, { compute_config: { k8s_namespaces: [`drifted-${n}`] } }),
  make: (platform, declared) => {
    const { compute_id, namespaces } = listenerState(declared);
    const config = { k8s_namespaces: namespaces };
    return platform.ask("POST", "/v2/listeners", { compute_type: "k8s", compute_id, compute_config: config });
  },
};

const registryState = (declared: Declared) => ({
  name: `r-${declared.name}`,
  url: `registry-${valueOf(declared, "url")}.example`,
  username: "puller",
  password: `registry-password-${valueOf(declared, "password")}`,
});

/** Not among those of the random programs, which only tests/player plays. Nothing of it is fixed. */
export const registry: Subject = {
  kind: "SandboxRegistry",
  fields: ["url"],
  nameOf: ({ name }) => `r-${name}`,
  program: registryState,
  wanted: registryState,
  objects: (emulator) =>
    emulator
      .outOfBand(sandboxRegistries)
      .list()
      .map(({ id, name, url, username, password, tenant_id: tenantId }) => ({
        id,
        name,
        tenantId,
        state: { name, url, username, password },
      })),
  vanish: (emulator, id) => emulator.outOfBand(sandboxRegistries).remove(id),
  drift: (emulator, id, n) => void emulator.outOfBand(sandboxRegistries).change(id, { url: `drifted-${n}.example` }),
  make: (platform, declared) => platform.ask("POST", "/v2/sandboxes/registries", registryState(declared)),
};

const textOf = (value: unknown): string | undefined => (typeof value === "string" ? value : undefined);
const numberOf = (value: unknown): number | undefined => (typeof value === "number" ? value : undefined);

/** In the order in which a run brings them up. */
export const SUBJECTS: readonly Subject<ManagedType>[] = [template, provider, deployment, listener];

/** True where the object holds the declared values, field by field. */
export function holds(subject: Subject, stored: Stored, declared: Declared): boolean {
  return json(stored.state) === json(subject.wanted(declared));
}
