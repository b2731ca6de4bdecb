import {
  deployments,
  listeners,
  oauthProviders,
  sandboxSnapshots,
  sandboxTemplates,
  type Emulator,
} from "../../emulator";
import { sandboxRegistries } from "../../emulator/routes/sandbox-registries";
import type { ManagedType } from "../../provider/resources/resource-types";
import type { JsonObject } from "../../provider/base/json";

/** How the suite tests a resource; every kind of the registry has a case. */
export interface Case {
  readonly program: JsonObject;
  /** The same meaning in other words: spelling, order of keys, defaults written out. */
  readonly respelled: JsonObject;
  /** A change in place under contract extended; undefined for a resource that has none. */
  readonly updated?: JsonObject;
  /** A change that needs a replacement under the same natural key; undefined for a resource that has none. */
  readonly replacing?: JsonObject;
  /** A change that needs a replacement, under another natural key. */
  readonly renamed?: JsonObject;
  /** Required inputs that no answer shows: an import leaves them to the program. */
  readonly unshown?: readonly string[];
  /** Changes a declared field by hand; returns the name of the property that then differs. */
  readonly drift?: (emulator: Emulator) => string;
  /** Changes by hand a field that is not declared, or not readable. */
  readonly noDrift?: (emulator: Emulator) => void;
  /** Deletes the object by hand. */
  readonly gone?: (emulator: Emulator) => void;
  /** The objects on the platform, the essential fields of each. */
  readonly objects: (emulator: Emulator) => unknown[];
}

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

const images = { name: "images", url: "registry.example", username: "puller", password: "registry-password" };

const snapshot = { name: "python", dockerImage: "registry.example/python:3.12", fsCapacityBytes: 1_000_000_000 };

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
    drift: (emulator) => {
      emulator.outOfBand(sandboxTemplates).change("code", { image: "evil:latest" });
      return "image";
    },
    gone: (emulator) => emulator.outOfBand(sandboxTemplates).remove("code"),
    objects: (emulator) =>
      emulator
        .outOfBand(sandboxTemplates)
        .list()
        .map(({ name, image }) => ({ name, image })),
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
    drift: (emulator) => {
      emulator.outOfBand(oauthProviders).change("github", { auth_url: "https://evil.example" });
      return "authUrl";
    },
    noDrift: (emulator) => {
      emulator.outOfBand(oauthProviders).change("github", { client_secret: "another", uses_pkce: true });
    },
    gone: (emulator) => emulator.outOfBand(oauthProviders).remove("github"),
    objects: (emulator) =>
      emulator
        .outOfBand(oauthProviders)
        .list()
        .map(({ provider_id, name }) => ({ provider_id, name })),
  },
  SandboxRegistry: {
    program: images,
    respelled: images,
    updated: { ...images, url: "mirror.example", password: "another-password" },
    unshown: ["username", "password"],
    drift: (emulator) => {
      emulator.outOfBand(sandboxRegistries).change("images", { url: "evil.example" });
      return "url";
    },
    noDrift: (emulator) => {
      emulator.outOfBand(sandboxRegistries).change("images", { username: "another", password: "another" });
    },
    gone: (emulator) => emulator.outOfBand(sandboxRegistries).remove("images"),
    objects: (emulator) =>
      emulator
        .outOfBand(sandboxRegistries)
        .list()
        .map(({ name, url }) => ({ name, url })),
  },
  SandboxSnapshot: {
    program: snapshot,
    respelled: { ...snapshot, tag: "latest", labels: {}, registryId: null, buildTimeout: "1h" },
    replacing: { ...snapshot, dockerImage: "registry.example/python:3.13" },
    renamed: { ...snapshot, name: "python-2" },
    drift: (emulator) => {
      emulator.outOfBand(sandboxSnapshots).change("python", { docker_image: "evil:latest" });
      return "dockerImage";
    },
    noDrift: (emulator) => {
      emulator.outOfBand(sandboxSnapshots).change("python", { labels: { by: "hand" } });
    },
    gone: (emulator) => emulator.outOfBand(sandboxSnapshots).remove("python"),
    objects: (emulator) =>
      emulator
        .outOfBand(sandboxSnapshots)
        .list()
        .map(({ name, docker_image }) => ({ name, docker_image })),
  },
  Listener: {
    program: cluster,
    respelled: { ...cluster, computeType: "k8s", computeConfig: { k8sNamespaces: ["batch", "agents"] } },
    updated: { ...cluster, computeConfig: { k8sNamespaces: ["agents"] } },
    renamed: { ...cluster, computeId: "prod-us" },
    drift: (emulator) => {
      emulator.outOfBand(listeners).change("prod-eu", { compute_config: { k8s_namespaces: ["elsewhere"] } });
      return "computeConfig";
    },
    noDrift: (emulator) => {
      emulator.outOfBand(listeners).change("prod-eu", { compute_config: { k8s_namespaces: ["batch", "agents"] } });
    },
    gone: (emulator) => emulator.outOfBand(listeners).remove("prod-eu"),
    objects: (emulator) =>
      emulator
        .outOfBand(listeners)
        .list()
        .map(({ compute_id }) => ({ compute_id })),
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
    drift: (emulator) => {
      emulator
        .outOfBand(deployments)
        .change("agent", { resource_spec: { cpu: 9, labels: { team: "a" }, max_scale: 7 } });
      return "sourceConfig";
    },
    noDrift: (emulator) => {
      emulator.outOfBand(deployments).change("agent", { display_name: "set by hand" });
    },
    gone: (emulator) => emulator.outOfBand(deployments).remove("agent"),
    objects: (emulator) =>
      emulator
        .outOfBand(deployments)
        .list()
        .map(({ name }) => ({ name })),
  },
};
