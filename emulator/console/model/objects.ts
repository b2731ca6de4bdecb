import { deployments, type DeploymentRecord } from "../../platform/deployment-record";
import { listeners, type ListenerRecord } from "../../platform/listener-record";
import { oauthProviders, type OAuthProviderRecord } from "../../platform/oauth-provider-record";
import { sandboxTemplates, type SandboxTemplateRecord } from "../../platform/sandbox-template-record";
import type { Store } from "../../store/store";

/** An object of the environment, and which type it is. */
export type ConsoleObject =
  | { readonly collection: "deployments"; readonly record: DeploymentRecord }
  | { readonly collection: "oauth_providers"; readonly record: OAuthProviderRecord }
  | { readonly collection: "sandbox_templates"; readonly record: SandboxTemplateRecord }
  | { readonly collection: "listeners"; readonly record: ListenerRecord };

export type CollectionName = ConsoleObject["collection"];

/** All objects of one type and of all tenants. */
const ALL: Readonly<Record<CollectionName, (store: Store) => ConsoleObject[]>> = {
  deployments: (store) =>
    deployments
      .in(store)
      .all()
      .map((record) => ({ collection: "deployments", record })),
  oauth_providers: (store) =>
    oauthProviders
      .in(store)
      .all()
      .map((record) => ({ collection: "oauth_providers", record })),
  sandbox_templates: (store) =>
    sandboxTemplates
      .in(store)
      .all()
      .map((record) => ({ collection: "sandbox_templates", record })),
  listeners: (store) =>
    listeners
      .in(store)
      .all()
      .map((record) => ({ collection: "listeners", record })),
};

/** All objects, by their types, newest first. */
export const allObjects = (store: Store): readonly (readonly [CollectionName, readonly ConsoleObject[]])[] => [
  ["deployments", ALL.deployments(store).reverse()],
  ["oauth_providers", ALL.oauth_providers(store).reverse()],
  ["sandbox_templates", ALL.sandbox_templates(store).reverse()],
  ["listeners", ALL.listeners(store).reverse()],
];

/** The object of this type with this id; undefined when there is none. */
export const findObject = (store: Store, collection: string, id: string): ConsoleObject | undefined =>
  Object.entries(ALL)
    .find(([name]) => name === collection)?.[1](store)
    .find(({ record }) => record.id === id);

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
