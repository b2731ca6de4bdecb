import type { Store } from "../store/store";
import { agentAssistants, agentCrons, agentItems, threads } from "./agent-records";
import { DeploymentService } from "./deployment-service";
import type { EmulatedSettings } from "./options";
import type { RevisionOutcomes } from "./revision-outcomes";
import { RevisionService } from "./revision-service";
import { ThreadService } from "./thread-service";

/** The platform, independent of HTTP. */
export type EmulatedPlatform = Readonly<ReturnType<typeof createPlatform>>;

/** Opens the collections that several rooms use: throws if one cannot be read. @param forget Told the id of all that goes with a deployment. */
export function createPlatform(
  store: Store,
  settings: EmulatedSettings,
  outcomes: RevisionOutcomes,
  forget: (id: string) => void,
) {
  const revisions = new RevisionService(store, settings, outcomes);
  return {
    settings,
    /** Calls the listener after each change of an object, until the function that this returns is called. */
    onChange: (listener: () => void) => store.onChange(listener),
    revisions,
    deployments: new DeploymentService(store, settings, revisions, forget),
    threads: new ThreadService(threads.in(store)),
    // What agents keep, by the ids of their deployments.
    assistants: agentAssistants.in(store),
    crons: agentCrons.in(store),
    items: agentItems.in(store),
  };
}
