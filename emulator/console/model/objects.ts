import type { ResourceType } from "../../../provider/resources/resource-types";
import { deployments, type DeploymentRecord } from "../../platform/deployment-record";
import {
  listeners,
  oauthProviders,
  platformAgents,
  sandboxSnapshots,
  sandboxTemplates,
  snapshotProgress,
} from "../../platform/resource-records";
import { sandboxRegistries } from "../../routes/sandbox-registries";
import { workspaceSecrets } from "../../routes/workspace-secrets";
import { sandboxVolumes } from "../../routes/sandbox-volumes";
import type { OwnRequest } from "../../server/own-requests";
import type { CollectionDefinition, StoredRecord } from "../../store/collection";
import type { Store } from "../../store/store";
import { shortDuration } from "../format";
import type { ConsoleParts } from "../parts";
import { deploymentNow, type WhatServes } from "./deployment";
import { hiddenRowsOf, settingRowsOf, type ShownSetting } from "./settings";

/** How the console shows a type of objects. */
interface Kind<T> {
  /** The heads of its columns, the first that of the name. */
  readonly head: readonly string[];
  readonly title: string;
  /** The resource whose table has the program's names of its fields. */
  readonly resource: ResourceType;
  /** The name by which people know it. */
  readonly name: (record: T) => string;
  /** Its address on the API. */
  readonly path: (record: T) => string;
  readonly row: (
    record: T,
    parts: ConsoleParts,
  ) => { readonly cells: readonly string[]; readonly serving?: WhatServes };
  readonly settings: (record: T, parts: ConsoleParts) => readonly ShownSetting[];
  /** What can be changed about it, as an example. @default nothing */
  readonly example?: string;
  /** The request that changes it. @default "PATCH" */
  readonly method?: OwnRequest["method"];
  /** Itself, where it is one. */
  readonly deployment?: (record: T) => DeploymentRecord;
  /** The values that no page shows. @default none */
  readonly secrets?: (record: T) => readonly string[];
}

function type<T extends StoredRecord>(definition: CollectionDefinition<T>, kind: Kind<T>) {
  const collection = definition.name;
  const { head, title, resource, example, method = "PATCH", secrets = () => [] } = kind;
  const records = (store: Store): readonly T[] => definition.in(store).all();
  const object = (record: T) => ({
    ...{ collection, record, resource, example, method },
    name: kind.name(record),
    path: kind.path(record),
    deployment: kind.deployment?.(record),
    row: (parts: ConsoleParts) => kind.row(record, parts),
    settings: (parts: ConsoleParts) => kind.settings(record, parts),
  });
  return {
    ...{ collection, head, title },
    /** Those of all tenants, newest first. */
    all: (store: Store) => records(store).map(object).reverse(),
    secrets: (store: Store) => records(store).flatMap(secrets),
  };
}

export type ConsoleObject = ReturnType<ReturnType<typeof type>["all"]>[number];

/** The types of objects, in the order in which they are shown. */
export const TYPES: readonly ReturnType<typeof type>[] = [
  type(deployments, {
    title: "Deployments",
    head: ["Deployment", "Latest revision, and what serves", "Runs", "Age"],
    resource: "Deployment",
    name: ({ name }) => name,
    path: ({ id }) => `/v2/deployments/${id}`,
    row: (record, parts) => {
      const { serving, runs } = deploymentNow(parts, record);
      return { serving, cells: [runs, shortDuration(parts.clock.now() - Date.parse(record.created_at))] };
    },
    settings: deploymentSettings,
    deployment: (record) => record,
    example: '{"source_revision_config": {"image_uri": "registry.example/agent:2"}}',
    secrets: ({ secrets }) => secrets.map(({ value }) => value),
  }),
  type(oauthProviders, {
    title: "OAuth providers",
    head: ["Provider", "Name", "Signs in at"],
    resource: "OAuthProvider",
    name: ({ provider_id: id }) => id,
    path: ({ provider_id: id }) => `/v2/auth/providers/${encodeURIComponent(id)}`,
    row: ({ name, auth_url: url }) => ({ cells: [name, url] }),
    settings: ({ client_secret, ...record }) => [...settingRowsOf(record), ...hiddenRowsOf({ client_secret })],
    example: '{"name": "Another name"}',
    secrets: ({ client_secret: secret }) => (secret === null ? [] : [secret]),
  }),
  type(sandboxTemplates, {
    title: "Sandbox templates",
    head: ["Template", "Image", "Resources"],
    resource: "SandboxTemplate",
    name: ({ name }) => name,
    path: ({ name }) => `/v2/sandboxes/templates/${encodeURIComponent(name)}`,
    row: ({ image, resources }) => {
      const amounts = settingRowsOf(resources).map(({ path, value }) => `${path} ${value}`);
      return { cells: [image, amounts.join(", ")] };
    },
    settings: ({ resources, proxy_config: proxy, ...record }) => [
      ...settingRowsOf(record),
      ...settingRowsOf(resources, "resources."),
      ...(proxy?.rules ?? []).flatMap((rule, index) => settingRowsOf(rule, `proxy_config.rules.${index}.`)),
      ...settingRowsOf(proxy === null ? {} : { no_proxy: proxy.no_proxy.join(", ") }, "proxy_config."),
    ],
    example: '{"name": "another-name"}',
    secrets: ({ proxy_config: proxy }) => (proxy?.rules ?? []).flatMap((rule) => Object.values(rule.inject_headers)),
  }),
  type(sandboxSnapshots, {
    title: "Sandbox snapshots",
    head: ["Snapshot", "Image", "Tags", "Status"],
    resource: "SandboxSnapshot",
    name: ({ name }) => name,
    path: ({ id }) => `/v2/sandboxes/snapshots/${id}`,
    row: (record, { clock }) => {
      const { status } = snapshotProgress(record, clock.now());
      return { cells: [record.docker_image, record.tags.join(", "), status] };
    },
    settings: (record, { clock }) => {
      const unshown = { outcome: undefined, build_ms: undefined, status_override: undefined };
      const { status } = snapshotProgress(record, clock.now());
      return settingRowsOf({ ...record, ...unshown, tags: record.tags.join(", "), status });
    },
    secrets: ({ run_config: config }) => Object.values(config?.env_vars ?? {}),
  }),
  type(sandboxRegistries, {
    title: "Sandbox registries",
    head: ["Registry", "Address"],
    resource: "SandboxRegistry",
    name: ({ name }) => name,
    path: ({ name }) => `/v2/sandboxes/registries/${encodeURIComponent(name)}`,
    row: ({ url }) => ({ cells: [url] }),
    settings: ({ username, password, ...record }) => [
      ...settingRowsOf(record),
      ...hiddenRowsOf({ username, password }),
    ],
    example: '{"url": "https://registry.example"}',
    secrets: ({ password }) => (password === undefined ? [] : [password]),
  }),
  type(workspaceSecrets, {
    title: "Workspace secrets",
    head: ["Secret", "Hosts"],
    resource: "WorkspaceSecret",
    name: ({ key }) => key,
    path: ({ key }) => `/v1/workspaces/current/secrets/${encodeURIComponent(key)}`,
    row: ({ configs }) => ({ cells: [configs.map(({ host_pattern: host }) => host).join(", ") || "built-in"] }),
    settings: ({ value, configs, ...record }) => [
      ...settingRowsOf(record),
      ...configs.flatMap((config, index) => settingRowsOf(config, `configs.${index}.`)),
      ...hiddenRowsOf({ value }),
    ],
    example: '{"configs": [{"host_pattern": "models.example"}]}',
    method: "PUT",
    secrets: ({ value }) => [value],
  }),
  type(sandboxVolumes, {
    title: "Sandbox volumes",
    head: ["Volume", "Size", "Attached to"],
    resource: "SandboxVolume",
    name: ({ name }) => name,
    path: ({ id }) => `/v2/sandboxes/volumes/${id}`,
    row: ({ size_bytes: bytes, attachments }) => ({
      cells: [`${bytes / 1024 ** 3} GiB`, attachments.map((each) => each.sandbox_name).join(", ")],
    }),
    settings: (record) => settingRowsOf(record),
    example: '{"description": "What it is for"}',
  }),
  type(platformAgents, {
    title: "Agents",
    head: ["Agent", "Name", "Runs", "Environments"],
    resource: "PlatformAgent",
    name: ({ agent_id: id }) => id,
    path: ({ agent_id: id }) => `/v1/agents/${id}`,
    row: ({ name, source_type: source, environments }) => ({
      cells: [name, source, environments.map(({ environment }) => environment).join(", ")],
    }),
    settings: ({ environments, ...record }) => [
      ...settingRowsOf(record),
      ...environments.map((each) => ({ path: `environments.${each.environment}`, value: each.id })),
    ],
    example: '{"name": "Another name"}',
  }),
  type(listeners, {
    title: "Listeners",
    head: ["Listener", "Namespaces", "Version"],
    resource: "Listener",
    name: ({ compute_id: id }) => id,
    path: ({ id }) => `/v2/listeners/${id}`,
    row: ({ compute_config: { k8s_namespaces: namespaces }, version }) => ({
      cells: [namespaces?.join(", ") ?? "any namespace", version ?? "unknown"],
    }),
    settings: ({ compute_config: { k8s_namespaces: namespaces }, ...record }) => [
      ...settingRowsOf(record),
      { path: "compute_config.k8s_namespaces", value: namespaces?.join(", ") ?? "any" },
    ],
    example: '{"compute_config": {"k8s_namespaces": ["one", "two"]}}',
  }),
];

function deploymentSettings(record: DeploymentRecord, parts: ConsoleParts): readonly ShownSetting[] {
  const { status, runs, address } = deploymentNow(parts, record);
  const { source, display_name, tenant_id, created_at } = record;
  return [
    ...settingRowsOf({ status, runs, address, source, display_name, tenant_id, created_at }),
    ...settingRowsOf(record.source_config, "source_config."),
    ...settingRowsOf(record.resource_spec, "source_config.resource_spec."),
    ...settingRowsOf(record.source_revision_config, "source_revision_config."),
    ...hiddenRowsOf(record.extra),
    ...record.secrets.map(({ name }) => ({ path: `secrets.${name}`, value: "(set)" })),
    ...record.secret_references.map(({ name, secret_name: secret, secret_key: key }) => ({
      path: `secret_references.${name}`,
      value: `key ${key} of the cluster's secret ${secret}`,
    })),
  ];
}

/** The object of this type with this id; undefined when there is none. */
export const findObject = (store: Store, collection: string, id: string): ConsoleObject | undefined =>
  TYPES.find((each) => each.collection === collection)
    ?.all(store)
    .find(({ record }) => record.id === id);
