import { z } from "zod";
import { oauthProviders, sandboxTemplates, type RevisionOutcome } from "../../../emulator";
import { KEYS, type Platform, type PlatformObject } from "./platform";
import type { Slot } from "./world";
import { firstName, typeOfSlot } from "./world";

/** The changes that are made behind the program's back. */
export const MANUAL_CHANGES = [
  "delete the object",
  "delete the object and make it again",
  "change the object",
  "push a revision",
  "push a revision that fails",
  "begin to delete the deployment",
  "set what the program does not declare",
  "make an object beside it",
  "make an object of its name",
] as const;
export type ManualChangeName = (typeof MANUAL_CHANGES)[number];

/** A change made by hand to the object of a slot. */
export interface ManualChange {
  readonly name: ManualChangeName;
  readonly slot: Slot;
}

/** The effect of a manual change, for the model. */
export interface Done {
  readonly deleted?: PlatformObject;
  readonly changed?: PlatformObject;
  /** The uuid of the object that was made by hand. */
  readonly made?: string;
  /** A refresh that looks for its name takes it for the successor of the deleted object. */
  readonly successor?: boolean;
  readonly undeclared?: { readonly uuid: string; readonly fields: Readonly<Record<string, unknown>> };
}

const Made = z.looseObject({ id: z.string() });

/** Makes the change; undefined where there is no object to change. `held` is the object that the slot has on the platform now. */
export async function doByHand(
  platform: Platform,
  manualChange: ManualChange,
  held: PlatformObject | undefined,
): Promise<Done | undefined> {
  switch (manualChange.name) {
    case "make an object beside it":
      return { made: await make(platform, manualChange.slot, `${firstName(manualChange.slot)}-foreign`) };
    case "make an object of its name":
      // An object that has left the state keeps its name.
      return held === undefined && platform.objects().every(({ name }) => name !== firstName(manualChange.slot))
        ? { made: await make(platform, manualChange.slot, firstName(manualChange.slot)) }
        : undefined;
    default:
      return held === undefined || held.isBeingDeleted ? undefined : doTo(platform, manualChange, held);
  }
}

async function doTo(platform: Platform, { name, slot }: ManualChange, held: PlatformObject): Promise<Done | undefined> {
  const isAgent = held.managedType === "Deployment";
  switch (name) {
    case "delete the object":
      platform.remove(held);
      return { deleted: held };
    case "delete the object and make it again":
      platform.remove(held);
      return { deleted: held, made: await make(platform, slot, held.name, held), successor: !isAgent };
    case "change the object":
      await change(platform, held);
      return { changed: held };
    case "begin to delete the deployment":
      if (!isAgent) return undefined;
      await request(platform, "DELETE", pathOf(held));
      platform.deletionBegan(held.uuid);
      return { deleted: held };
    case "push a revision":
    case "push a revision that fails":
      if (!isAgent) return undefined;
      await push(platform, held, name === "push a revision" ? "DEPLOYED" : "BUILD_FAILED");
      return { changed: held };
    case "set what the program does not declare":
      return isAgent ? setUndeclared(platform, held) : undefined;
    default:
      return undefined;
  }
}

async function change(platform: Platform, held: PlatformObject): Promise<void> {
  const { emulator } = platform;
  if (held.managedType === "SandboxTemplate")
    emulator.outOfBand(sandboxTemplates).change(held.uuid, { image: "by-hand:1" });
  else if (held.managedType === "OAuthProvider")
    emulator.outOfBand(oauthProviders).change(held.uuid, { client_id: "by-hand" });
  else {
    const config = fieldsOf(held, "source_revision_config");
    const image =
      held.record["source"] === "github" ? { repo_ref: "by-hand" } : { image_uri: "registry.example/by-hand:1" };
    await request(platform, "PATCH", pathOf(held), { source_revision_config: { ...config, ...image } });
  }
}

/** A new revision of the present configuration, as a push makes one. */
async function push(platform: Platform, held: PlatformObject, outcome: RevisionOutcome): Promise<void> {
  platform.nextRevision(held.name, outcome);
  const body = { source_revision_config: fieldsOf(held, "source_revision_config") };
  await request(platform, "PATCH", pathOf(held), body);
}

async function setUndeclared(platform: Platform, held: PlatformObject): Promise<Done> {
  const isExternal = held.record["source"] === "external_docker";
  const revision =
    held.record["source"] === "internal_docker"
      ? { langgraph_config_path: "by-hand.json" }
      : { tracked_packages: ["agent"] };
  const spec = isExternal ? { db_storage_gi: 9 } : {};
  await request(platform, "PATCH", pathOf(held), {
    source_revision_config: { ...fieldsOf(held, "source_revision_config"), ...revision },
    ...(isExternal ? { source_config: { resource_spec: { ...fieldsOf(held, "resource_spec"), ...spec } } } : {}),
  });
  const fields = { source_revision_config: revision, resource_spec: spec };
  return { changed: held, undeclared: { uuid: held.uuid, fields } };
}

function pathOf({ managedType, id, name }: PlatformObject): string {
  if (managedType === "SandboxTemplate") return `/v2/sandboxes/templates/${name}`;
  return managedType === "OAuthProvider" ? `/v2/auth/providers/${name}` : `/v2/deployments/${id}`;
}

const Fields = z.record(z.string(), z.unknown());
const fieldsOf = ({ record }: PlatformObject, name: string): Record<string, unknown> => Fields.parse(record[name]);

/** Makes an object by hand: equal to the object that it replaces, or different. */
async function make(platform: Platform, slot: Slot, name: string, like?: PlatformObject): Promise<string> {
  const managedType = typeOfSlot(slot);
  const of = (fields: readonly string[]): Record<string, unknown> =>
    Object.fromEntries(
      fields.filter((field) => like?.record[field] != null).map((field) => [field, like?.record[field]]),
    );
  const bodies = {
    SandboxTemplate: {
      image: "by-hand:1",
      resources: { cpu: "1" },
      ...of(["image", "resources", "proxy_config"]),
      name,
    },
    OAuthProvider: {
      name: "By hand",
      client_id: "by-hand",
      auth_url: "https://auth.example",
      token_url: "https://token.example",
      ...of(["name", "client_id", "auth_url", "token_url", "token_endpoint_auth_method"]),
      provider_id: name,
    },
    Deployment: {
      source: "external_docker",
      source_config: { resource_spec: {} },
      source_revision_config: { image_uri: "registry.example/by-hand:1" },
      secrets: [],
      name,
    },
  };
  const paths = {
    SandboxTemplate: "/v2/sandboxes/templates",
    OAuthProvider: "/v2/auth/providers",
    Deployment: "/v2/deployments",
  };
  return Made.parse(await request(platform, "POST", paths[managedType], bodies[managedType])).id;
}

async function request(
  { url }: { readonly url: string },
  method: string,
  path: string,
  body?: unknown,
): Promise<unknown> {
  const response = await fetch(url + path, {
    method,
    headers: { "x-api-key": KEYS.second, "content-type": "application/json" },
    ...(body === undefined ? {} : { body: JSON.stringify(body) }),
  });
  if (!response.ok) throw new Error(`${method} ${path} by hand: ${response.status} ${await response.text()}`);
  return response.status === 204 ? undefined : response.json();
}
