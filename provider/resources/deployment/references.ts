import type { Reference } from "../../lifecycle/definition";
import { ABSENT, found, observe, UNSUPPORTED } from "../../lifecycle/observe/observation";
import { listener } from "../listener/definition";
import { listGithubIntegrations } from "./integrations";

/** What a deployment names of the platform by its id. Only contract `extended` has the endpoints. */
export const references: readonly Reference[] = [
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
      // The 404 of a collection says that this platform does not list.
      if (all.state !== "found") return UNSUPPORTED;
      return all.value.some((each) => each.id === id) ? found(id) : ABSENT;
    },
    remedy: "Correct the id (`getGithubIntegration` finds it by name), or install the integration on the platform",
  },
];
