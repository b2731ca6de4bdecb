import type { Store } from "../store/store";
import { DeploymentService } from "./deployment-service";
import type { EmulatedSettings } from "./options";
import type { RevisionOutcomes } from "./revision-outcomes";
import { RevisionService } from "./revision-service";
import { ThreadService } from "./thread-service";
import { Uploads } from "./uploads";

/** The platform, independent of HTTP. */
export interface EmulatedPlatform {
  readonly settings: EmulatedSettings;
  readonly deployments: DeploymentService;
  readonly revisions: RevisionService;
  readonly threads: ThreadService;
  readonly uploads: Uploads;
}

/** Opens the collections that several rooms use: throws if one cannot be read. */
export function createPlatform(store: Store, settings: EmulatedSettings, outcomes: RevisionOutcomes): EmulatedPlatform {
  const revisions = new RevisionService(store, settings, outcomes);
  const uploads = new Uploads(store);
  return {
    settings,
    revisions,
    uploads,
    deployments: new DeploymentService(store, settings, revisions, uploads),
    threads: new ThreadService(store),
  };
}
