import type { Store } from "../store/store";
import { DeploymentService } from "./deployment-service";
import type { EmulatedSettings } from "./options";
import type { RevisionOutcomes } from "./revision-outcomes";
import { RevisionService } from "./revision-service";
import { ThreadService } from "./thread-service";

/** The platform, independent of HTTP. */
export interface EmulatedPlatform {
  readonly settings: EmulatedSettings;
  readonly deployments: DeploymentService;
  readonly revisions: RevisionService;
  readonly threads: ThreadService;
}

/** Opens the collections that several rooms use: throws if one cannot be read. */
export function createPlatform(store: Store, settings: EmulatedSettings, outcomes: RevisionOutcomes): EmulatedPlatform {
  const revisions = new RevisionService(store, settings, outcomes);
  return {
    settings,
    revisions,
    deployments: new DeploymentService(store, settings, revisions),
    threads: new ThreadService(store),
  };
}
