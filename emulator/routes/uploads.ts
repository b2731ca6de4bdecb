import { ApiError } from "../base/api-error";
import type { ApiRequest, RouteFactory } from "./route";

/** Where a client that uploads source code or images finds the place for it (docs/internals/platform.md, Other endpoints). */
export const uploadRoutes: RouteFactory = ({ platform: { deployments, uploads }, publicUrl }) => {
  const deploymentOf = ({ tenant, param, now }: ApiRequest) =>
    deployments.get(tenant.tenantId, param("deployment_id"), now);

  const issueUrl = (request: ApiRequest): Response => {
    const { id, path } = uploads.issue(deploymentOf(request), request.now);
    return Response.json({ upload_url: `${publicUrl()}/uploads/${id}`, object_path: path });
  };
  const issueToken = (request: ApiRequest): Response => {
    const { source, tenant_id: tenantId } = deploymentOf(request);
    if (source !== "internal_docker") {
      throw new ApiError(400, "Push tokens are only available for 'internal_docker' source deployments");
    }
    return Response.json({ token: "emulator-push-token", registry_url: `registry.emulator.invalid/${tenantId}` });
  };

  const one = "/v2/deployments/:deployment_id";
  return [
    { method: "POST", path: `${one}/upload-url`, contract: "extended", handle: issueUrl },
    { method: "POST", path: `${one}/push-token`, contract: "extended", handle: issueToken },
    {
      method: "PUT",
      path: "/uploads/:upload_id",
      contract: "extended",
      isOpen: true,
      handle: ({ param }) => {
        uploads.receive(param("upload_id"));
        return new Response(null, { status: 200 });
      },
    },
  ];
};
