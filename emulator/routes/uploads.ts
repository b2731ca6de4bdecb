import type { ApiRequest, RouteFactory } from "./route";

/** Where a client that uploads source code finds the place for it (docs/internals/platform.md, Other endpoints). */
export const uploadRoutes: RouteFactory = ({ platform: { deployments, uploads }, publicUrl }) => {
  const issueUrl = ({ tenant, param, now }: ApiRequest): Response => {
    const { id, path } = uploads.issue(deployments.get(tenant.tenantId, param("deployment_id"), now), now);
    return Response.json({ upload_url: `${publicUrl()}/uploads/${id}`, object_path: path });
  };

  return [
    { method: "POST", path: "/v2/deployments/:deployment_id/upload-url", contract: "extended", handle: issueUrl },
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
