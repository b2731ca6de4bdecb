import { ApiError, notFound } from "../base/api-error";
import { tarballPathOf, uploads } from "../platform/resource-records";
import { newRecord } from "../store/collection";
import type { ApiRequest, RouteFactory, RouteServices } from "./route";

/** Where a client that uploads source code or images finds the place for it (docs/internals/platform.md, Other endpoints). */
export const uploadRoutes: RouteFactory = ({ store, platform: { deployments }, publicUrl }) => {
  const all = uploads.in(store);
  const issueUrl = ({ tenant: { tenantId }, param, now }: ApiRequest): Response => {
    deployments.get(tenantId, param("deployment_id"), now);
    const place = all.put(newRecord(tenantId, now));
    return Response.json({ upload_url: `${publicUrl()}/uploads/${place.id}`, object_path: tarballPathOf(place) });
  };
  const issueToken = ({ tenant: { tenantId }, param, now }: ApiRequest): Response => {
    const { source } = deployments.get(tenantId, param("deployment_id"), now);
    if (source !== "internal_docker") {
      throw new ApiError(400, "Push tokens are only available for 'internal_docker' source deployments");
    }
    return Response.json({ token: "emulator-push-token", registry_url: `registry.emulator.invalid/${tenantId}` });
  };
  return [
    { method: "POST", path: "/v2/deployments/:deployment_id/upload-url", contract: "extended", handle: issueUrl },
    { method: "POST", path: "/v2/deployments/:deployment_id/push-token", contract: "extended", handle: issueToken },
  ];
};

/** The answer to what a client uploads, which is not kept. */
export function receiveUpload({ store }: Pick<RouteServices, "store">, id: string): Response {
  const isIssued = uploads
    .in(store)
    .all()
    .some((place) => place.id === id);
  if (!isIssued) throw notFound(`Upload ${id}`);
  return new Response(null, { status: 200 });
}
