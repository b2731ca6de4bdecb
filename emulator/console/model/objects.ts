import { deployments, type DeploymentRecord } from "../../platform/deployment-record";
import { listeners, type ListenerRecord } from "../../platform/listener-record";
import { oauthProviders, type OAuthProviderRecord } from "../../platform/oauth-provider-record";
import { sandboxTemplates, type SandboxTemplateRecord } from "../../platform/sandbox-template-record";
import type { Store } from "../../store/store";
import type { ListenerRow, ProviderRow, TemplateRow } from "../views";

/** An object of the environment, and which kind it is. */
export type ConsoleObject =
  | { readonly collection: "deployments"; readonly record: DeploymentRecord }
  | { readonly collection: "oauth_providers"; readonly record: OAuthProviderRecord }
  | { readonly collection: "sandbox_templates"; readonly record: SandboxTemplateRecord }
  | { readonly collection: "listeners"; readonly record: ListenerRecord };

export type CollectionName = ConsoleObject["collection"];

/** All objects of one kind and of all tenants, newest first. */
export const allOf = {
  deployments: (store: Store) => [...deployments.in(store).all()].reverse(),
  oauth_providers: (store: Store) => [...oauthProviders.in(store).all()].reverse(),
  sandbox_templates: (store: Store) => [...sandboxTemplates.in(store).all()].reverse(),
  listeners: (store: Store) => [...listeners.in(store).all()].reverse(),
} as const;

/** The object of this kind with this id; undefined when there is none. */
export function findObject(store: Store, collection: string, id: string): ConsoleObject | undefined {
  switch (collection) {
    case "deployments":
      return found("deployments", deployments.in(store).all(), id);
    case "oauth_providers":
      return found("oauth_providers", oauthProviders.in(store).all(), id);
    case "sandbox_templates":
      return found("sandbox_templates", sandboxTemplates.in(store).all(), id);
    case "listeners":
      return found("listeners", listeners.in(store).all(), id);
    default:
      return undefined;
  }
}

function found<C extends CollectionName, R extends { readonly id: string }>(
  collection: C,
  all: readonly R[],
  id: string,
): { readonly collection: C; readonly record: R } | undefined {
  const record = all.find((candidate) => candidate.id === id);
  return record && { collection, record };
}

/** The name by which people know an object. */
export function objectName({ collection, record }: ConsoleObject): string {
  switch (collection) {
    case "oauth_providers":
      return record.provider_id;
    case "listeners":
      return record.compute_id;
    default:
      return record.name;
  }
}

export const providerRow = (record: OAuthProviderRecord): ProviderRow => ({
  id: record.id,
  name: record.provider_id,
  title: record.name,
  address: record.auth_url,
  tenant: record.tenant_id,
});

export function templateRow({ id, name, image, resources, tenant_id: tenant }: SandboxTemplateRecord): TemplateRow {
  const { cpu, memory, storage } = resources;
  const parts = [`${cpu} cpu`, memory, ...(storage === undefined ? [] : [`${storage} storage`])];
  return { id, name, image, resources: parts.join(", "), tenant };
}

export const listenerRow = (record: ListenerRecord): ListenerRow => ({
  id: record.id,
  name: record.compute_id,
  namespaces: record.compute_config.k8s_namespaces?.join(", ") ?? "any namespace",
  version: record.version,
  tenant: record.tenant_id,
});

/** The address of an object on the API. */
export function pathOf({ collection, record }: ConsoleObject): string {
  switch (collection) {
    case "deployments":
      return `/v2/deployments/${record.id}`;
    case "oauth_providers":
      return `/v2/auth/providers/${encodeURIComponent(record.provider_id)}`;
    case "sandbox_templates":
      return `/v2/sandboxes/templates/${encodeURIComponent(record.name)}`;
    case "listeners":
      return `/v2/listeners/${record.id}`;
  }
}
