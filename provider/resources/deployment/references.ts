import { z } from "zod";
import type { Reference } from "../../lifecycle/definition";
import { ABSENT, found, observe, UNSUPPORTED } from "../../lifecycle/observe/observation";
import { platformAgent } from "../platform-agent/definition";
import { listener } from "../listener/definition";
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

/** The objects that a deployment references by id. Only contract `extended` has endpoints to look them up. */
export const references: readonly Reference[] = [
  {
    path: ["agent", "agentId"],
    one: "agent",
    async observe(context, id) {
      // The program may be about to create it: its id is known before it is there.
      if (context.program.of("PlatformAgent", id).length > 0) return UNSUPPORTED;
      return platformAgent.observe({ ...context, send: context.sendToSandboxes }, { id });
    },
    remedy: "Correct the id, or declare the PlatformAgent and use its agentId",
  },
  {
    path: ["sourceConfig", "listenerId"],
    one: "listener",
    observe: (context, id) => listener.observe(context, { id }),
    remedy: "Correct the id, or declare the Listener and use its id",
  },
  {
    path: ["sourceConfig", "integrationId"],
    one: "GitHub integration",
    async observe({ send, connection }, id) {
      if (connection.contract === "documented") return UNSUPPORTED;
      const all = await observe(() => listGithubIntegrations(send));
      // A 404 for the collection means that this platform cannot list.
      if (all.state !== "found") return UNSUPPORTED;
      return all.value.some((each) => each.id === id) ? found(id) : ABSENT;
    },
    remedy: "Correct the id (`getGithubIntegration` finds it by name), or install the integration on the platform",
  },
];
