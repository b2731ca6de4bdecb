import { ApiError, notFound } from "../base/api-error";
import { tarballPathOf, uploads } from "../platform/uploads";
import { newRecord } from "../store/collection";
import type { ApiRequest, OpenRequest, RouteFactory } from "./route";

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
  // The id is the permission: no key is needed.
  const receive = ({ param }: OpenRequest): Response => {
    const id = param("upload_id");
    if (!all.all().some((place) => place.id === id)) throw notFound(`Upload ${id}`);
    return new Response(null, { status: 200 });
  };

  return [
    { method: "POST", path: "/v2/deployments/:deployment_id/upload-url", contract: "extended", handle: issueUrl },
    { method: "POST", path: "/v2/deployments/:deployment_id/push-token", contract: "extended", handle: issueToken },
    { method: "PUT", path: "/uploads/:upload_id", contract: "extended", isOpen: true, handle: receive },
  ];
};
