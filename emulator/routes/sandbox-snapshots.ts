import { createHash } from "node:crypto";
import { notFound, wrong } from "../base/api-error";
import { timestamp } from "../base/clock";
import { markedOutcome } from "../platform/revision-outcomes";
import { createSandboxSnapshotBody } from "../platform/resource-bodies";
import { type SandboxSnapshotRecord, sandboxSnapshots, snapshotProgress } from "../platform/resource-records";
import { newRecord } from "../store/collection";
import { collectionRoutes } from "./collection-routes";
import { sandboxPages } from "./pages";
import type { ApiRequest, RouteFactory } from "./route";
import { sandboxRegistries } from "./sandbox-registries";
import { validated } from "./validation";

/** docs/internals/platform.md, Sandbox snapshots: as it is answered. What only a build can know is made up. */
function responseBody(record: SandboxSnapshotRecord, now: number): Record<string, unknown> {
  const { tenant_id: _, outcome: _outcome, build_ms: _ms, status_override: _status, run_config, ...shown } = record;
  const { status, since } = snapshotProgress(record, now);
  const isReady = status === "ready";
  const digest = createHash("sha256").update(record.docker_image).digest("hex");
  return {
    ...shown,
    image_digest: isReady ? `sha256:${digest}` : null,
    fs_used_bytes: isReady ? Math.ceil(record.fs_capacity_bytes / 2) : null,
    // Answers about older ones have none.
    ...(run_config !== null && { run_config }),
    status,
    status_message: status === "failed" ? "The image could not be pulled or unpacked" : null,
    updated_at: timestamp(Math.max(since, Date.parse(record.updated_at))),
  };
}

/** docs/internals/platform.md, Sandbox snapshots: keyed by id, `name:tag` or name. */
export const sandboxSnapshotRoutes: RouteFactory = ({ store, platform, responses }) => {
  const all = sandboxSnapshots.in(store);
  const registries = sandboxRegistries.in(store);
  const { buildMs } = platform.settings;
  const readTags = ({ tenant: { tenantId }, param }: ApiRequest): Response => {
    const name = param("name");
    const named = all.of(tenantId).filter((record) => record.name === name);
    if (named.length === 0) throw notFound(`SandboxSnapshot ${name}`);
    const tags = named.flatMap((record) => record.tags.map((tag) => ({ tag, snapshot_id: record.id })));
    return Response.json({ name, tags });
  };
  const collection = "/v2/sandboxes/snapshots";
  const plain = collectionRoutes({
    ...{ all, responses, pages: sandboxPages("snapshots") },
    path: `${collection}/:id`,
    unknown: (key) => notFound(`SandboxSnapshot ${key}`),
    find({ tenant: { tenantId }, now }, key) {
      const [tagged] = all.having(tenantId, key.includes(":") ? key : `${key}:latest`);
      const untagged = (record: SandboxSnapshotRecord): boolean =>
        record.tags.length === 0 && snapshotProgress(record, now).status === "ready";
      return all.get(tenantId, key) ?? tagged ?? all.having(tenantId, key).filter(untagged).at(-1);
    },
    show: responseBody,
    list({ tenant, now, query, search }) {
      const [part = "", status = ""] = ["name_contains", "status"].map(query);
      const labels = search.getAll("label").filter((label) => label !== "");
      return all
        .of(tenant.tenantId)
        .filter(({ name }) => name.toLowerCase().includes(part.toLowerCase()))
        .filter((record) => status === "" || snapshotProgress(record, now).status === status)
        .filter(({ labels: has }) => {
          const fitting = Object.entries(has).flatMap(([key, value]) => [key, `${key}=${value}`]);
          return labels.every((label) => fitting.includes(label));
        });
    },
    create({ tenant: { tenantId }, now, json }) {
      const { tag, ...body } = validated(createSandboxSnapshotBody, json());
      if (body.registry_id !== null && registries.get(tenantId, body.registry_id) === undefined)
        throw wrong(["body", "registry_id"], "There is no registry with this id");
      // The tag moves to the new snapshot at once, while that is still built.
      for (const older of all.having(tenantId, `${body.name}:${tag}`)) {
        if (older.name !== body.name) continue;
        all.put({ ...older, tags: older.tags.filter((kept) => kept !== tag), updated_at: timestamp(now) });
      }
      const outcome = markedOutcome({ image_uri: body.docker_image });
      const build = { tags: [tag], outcome, build_ms: buildMs, status_override: null };
      return { ...body, ...build, ...newRecord(tenantId, now) };
    },
  });
  return [...plain, { method: "GET", path: `${collection}-by-name/:name`, contract: "extended", handle: readTags }];
};
