import { z } from "zod";
import type { Answer, Send } from "../../http/request";

const GithubIntegration = z.looseObject({
  id: z.string().min(1),
  name: z.string().optional().catch(undefined),
  installation_id: z.number().nullish().catch(undefined),
});
export type GithubIntegration = z.infer<typeof GithubIntegration>;

/** + GET /v1/integrations/github/install, a plain array (docs/internals/platform.md, Integrations). */
export const listGithubIntegrations = (send: Send): Promise<Answer<readonly GithubIntegration[]>> =>
  send({ method: "GET", path: "/v1/integrations/github/install" }, z.array(GithubIntegration));
