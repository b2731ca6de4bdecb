import { z } from "zod";
import { ApiError } from "../base/api-error";
import { createSandboxTemplateBody } from "../platform/sandbox-template-body";
import { SandboxTemplateService } from "../platform/sandbox-template-service";
import { validated } from "../routes/validation";
import type { OwnRequest } from "../server/own-requests";
import type { SocketEnds } from "../server/request-handler";
import type { ConsoleObject } from "./model/objects";
import type { ConsoleParts } from "./parts";

/** Why a change is refused: by the field's path, "" for the whole. Empty: it was made. */
export type Problems = ReadonlyMap<string, string>;

const NONE: Problems = new Map();

/** Changes an object as another client of the platform would, by the rules of its routes; of a template also what no client can change. */
export async function change(
  parts: ConsoleParts,
  object: ConsoleObject,
  changes: ReadonlyMap<string, unknown>,
  connection: SocketEnds,
): Promise<Problems> {
  if (changes.size === 0) return new Map([["", "Nothing was changed: every field has its old value."]]);
  if (object.collection === "sandbox_templates") return changeTemplate(parts, object.record, changes);
  return asked(parts, object, { method: "PATCH", body: bodyOf(object, changes) }, changes, connection);
}

/** Deletes an object as another client would. */
export const remove = (parts: ConsoleParts, object: ConsoleObject, connection: SocketEnds): Promise<Problems> =>
  asked(parts, object, { method: "DELETE" }, new Map(), connection);

/** Deploys the configuration of an earlier revision once more. */
export const redeploy = (
  parts: ConsoleParts,
  object: ConsoleObject,
  revision: string,
  connection: SocketEnds,
): Promise<Problems> => {
  const path = `${pathOf(object)}/revisions/${encodeURIComponent(revision)}/redeploy`;
  return asked(parts, object, { method: "POST", path }, new Map(), connection);
};

async function asked(
  parts: ConsoleParts,
  object: ConsoleObject,
  request: Omit<OwnRequest, "tenant" | "path"> & { readonly path?: string },
  changes: ReadonlyMap<string, unknown>,
  connection: SocketEnds,
): Promise<Problems> {
  const tenant = parts.tenants.find(({ tenantId }) => tenantId === object.record.tenant_id);
  if (tenant === undefined) return new Map([["", "No key of this emulator opens the workspace of this object."]]);
  const answer = await parts.ask({ tenant, path: pathOf(object), ...request }, connection);
  return answer.ok ? NONE : problemsOf(await answer.json(), changes);
}

function pathOf({ collection, record }: ConsoleObject): string {
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

type Fields = Record<string, unknown>;

/** The body of a PATCH. What the platform overwrites as a whole is sent as a whole. */
function bodyOf(object: ConsoleObject, changes: ReadonlyMap<string, unknown>): Fields {
  const below = (prefix: string): Fields =>
    Object.fromEntries(
      [...changes].flatMap(([path, value]) => {
        const name = path.startsWith(prefix) ? path.slice(prefix.length) : "";
        return name === "" || name.includes(".") ? [] : [[name, value]];
      }),
    );
  if (object.collection === "listeners") {
    const { "compute_config.k8s_namespaces": names, ...rest } = Object.fromEntries(changes);
    const listed = z
      .string()
      .optional()
      .parse(names)
      ?.split(",")
      .map((name) => name.trim());
    return { ...rest, ...(listed && { compute_config: { k8s_namespaces: listed.filter((name) => name !== "") } }) };
  }
  if (object.collection !== "deployments") return below("");
  const { source_revision_config: revision, resource_spec: spec } = object.record;
  const [ofRevision, ofSpec] = [below("source_revision_config."), below("source_config.resource_spec.")];
  const ofConfig = {
    ...below("source_config."),
    ...(Object.keys(ofSpec).length > 0 && { resource_spec: { ...spec, ...ofSpec } }),
  };
  return {
    ...below(""),
    ...(Object.keys(ofRevision).length > 0 && { source_revision_config: { ...revision, ...ofRevision } }),
    ...(Object.keys(ofConfig).length > 0 && { source_config: ofConfig }),
  };
}

async function changeTemplate(
  { services, clock, commit }: ConsoleParts,
  record: Extract<ConsoleObject, { collection: "sandbox_templates" }>["record"],
  changes: ReadonlyMap<string, unknown>,
): Promise<Problems> {
  const templates = services.platform.open((store, settings) => new SandboxTemplateService(store, settings));
  const resources = Object.fromEntries(
    [...changes].flatMap(([path, value]) => (path.startsWith("resources.") ? [[path.slice(10), value]] : [])),
  );
  const image = changes.get("image") ?? record.image;
  try {
    const wanted = { ...record, image, resources: { ...record.resources, ...resources } };
    templates.overwrite(record, validated(createSandboxTemplateBody, wanted, "body"), clock.now());
    await commit();
    return NONE;
  } catch (error) {
    if (error instanceof ApiError) return problemsOf({ detail: error.detail }, changes);
    throw error;
  }
}

const listed = z.object({
  detail: z.array(z.object({ loc: z.array(z.union([z.string(), z.number()])), msg: z.string() })),
});
const said = z.object({ detail: z.union([z.string(), z.object({ message: z.string() })]) });

/** A refusal in the platform's words, each at its field. Words that name no field are about the one that was changed. */
function problemsOf(body: unknown, changes: ReadonlyMap<string, unknown>): Problems {
  const problems = listed.safeParse(body);
  if (problems.success) return new Map(problems.data.detail.map(({ loc, msg }) => [loc.slice(1).join("."), msg]));
  const { detail } = said.parse(body);
  const message = typeof detail === "string" ? detail : detail.message;
  const paths = [...changes.keys()];
  const named =
    paths.find((path) => message.includes(path)) ??
    paths.find((path) => message.includes(path.split(".").at(-1) ?? path));
  return new Map([[named ?? (paths.length === 1 ? (paths[0] ?? "") : ""), message]]);
}
