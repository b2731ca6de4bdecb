import { createHash } from "node:crypto";
import { z } from "zod";
import { invalid, notFound } from "../base/api-error";
import { timestamp } from "../base/clock";
import { defaulting } from "../platform/nulls";
import { markedOutcome } from "../platform/revision-outcomes";
import { type SandboxSnapshotRecord, sandboxSnapshots, snapshotProgress } from "../platform/sandbox-snapshot-record";
import { newRecord } from "../store/collection";
import { pageAnswer, sandboxPages } from "./pages";
import type { ApiRequest, RouteFactory } from "./route";
import { sandboxRegistries } from "./sandbox-registries";
import { validated } from "./validation";

/** docs/internals/platform.md, Sandbox snapshots: at creation. There is no PATCH. */
const createSandboxSnapshotBody = z.object({
  name: z.string().min(1),
  docker_image: z.string().min(1),
  fs_capacity_bytes: z.int().min(1),
  tag: defaulting(z.string().min(1), "latest"),
  labels: defaulting(z.record(z.string(), z.string()), {}),
  registry_id: defaulting(z.string(), null),
});

/** docs/internals/platform.md, Sandbox snapshots: as it is answered. What only a build can know is made up. */
function responseBody(record: SandboxSnapshotRecord, now: number): Record<string, unknown> {
  const { status, since } = snapshotProgress(record, now);
  const isReady = status === "ready";
  const digest = createHash("sha256").update(record.docker_image).digest("hex");
  return {
    id: record.id,
    name: record.name,
    tags: record.tags,
    docker_image: record.docker_image,
    image_digest: isReady ? `sha256:${digest}` : null,
    fs_capacity_bytes: record.fs_capacity_bytes,
    fs_used_bytes: isReady ? Math.ceil(record.fs_capacity_bytes / 2) : null,
    labels: record.labels,
    registry_id: record.registry_id,
    status,
    status_message: status === "failed" ? "The image could not be pulled or unpacked" : null,
    created_at: record.created_at,
    updated_at: timestamp(Math.max(since, Date.parse(record.updated_at))),
  };
}

/** docs/internals/platform.md, Sandbox snapshots: keyed by id, and read by name too. */
export const sandboxSnapshotRoutes: RouteFactory = ({ store, platform, responses }) => {
  const all = sandboxSnapshots.in(store);
  const registries = sandboxRegistries.in(store);
  const { buildMs } = platform.settings;
  const isReady = (record: SandboxSnapshotRecord, now: number) => snapshotProgress(record, now).status === "ready";
  const missing = (key: string) => notFound(`SandboxSnapshot ${key}`);

  const create = ({ tenant: { tenantId }, now, json }: ApiRequest): Response => {
    const { tag, ...body } = validated(createSandboxSnapshotBody, json(), "body");
    if (body.registry_id !== null && registries.get(tenantId, body.registry_id) === undefined) {
      throw invalid([{ loc: ["body", "registry_id"], msg: "There is no registry with this id", type: "value_error" }]);
    }
    // The tag moves to the new snapshot at once, while that is still built.
    for (const older of all.having(tenantId, `${body.name}:${tag}`)) {
      if (older.name !== body.name) continue;
      all.put({ ...older, tags: older.tags.filter((kept) => kept !== tag), updated_at: timestamp(now) });
    }
    const outcome = markedOutcome({ image_uri: body.docker_image });
    const build = { tags: [tag], outcome, build_ms: buildMs, status_override: null };
    const made = all.put({ ...body, ...build, ...newRecord(tenantId, now) });
    return Response.json(responseBody(made, now), { status: 201 });
  };
  const list = (request: ApiRequest): Response => {
    const { tenant, now, query } = request;
    const [part = "", status = "", label = ""] = ["name_contains", "status", "label"].map(query);
    const found = all
      .of(tenant.tenantId)
      .filter(({ name }) => name.includes(part))
      .filter((record) => status === "" || snapshotProgress(record, now).status === status)
      .filter(({ labels }) => label === "" || Object.entries(labels).some((pair) => pair.join("=") === label));
    return pageAnswer(request, responses, sandboxPages("snapshots"), found, (record) => responseBody(record, now));
  };
  const read = ({ tenant: { tenantId }, now, param }: ApiRequest): Response => {
    const key = param("id");
    const named = all.having(tenantId, key);
    const tagged = named.find(({ name }) => name !== key);
    const found = all.get(tenantId, key) ?? tagged ?? named.filter((record) => isReady(record, now)).at(-1);
    if (found === undefined) throw missing(key);
    return Response.json(responseBody(found, now));
  };
  const remove = ({ tenant: { tenantId }, param }: ApiRequest): Response => {
    const found = all.get(tenantId, param("id"));
    if (found === undefined) throw missing(param("id"));
    all.remove(found.id);
    return new Response(null, { status: 204 });
  };

  const collection = "/v2/sandboxes/snapshots";
  const one = `${collection}/:id`;
  return [
    { method: "POST", path: collection, contract: "extended", handle: create },
    { method: "GET", path: collection, contract: "extended", handle: list },
    { method: "GET", path: one, contract: "extended", handle: read },
    { method: "DELETE", path: one, contract: "extended", handle: remove },
  ];
};
