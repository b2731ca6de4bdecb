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
  /**
   * Opens a resource type that only its own routes use: a service, or a collection by its `in`. Called while the routes are made, so that broken
   * stored data is found at startup: throws StoreError.
   */
  open<T>(make: (store: Store, settings: EmulatedSettings) => T): T;
}

/** Opens the collections that several rooms use: throws StoreError. */
export function createPlatform(store: Store, settings: EmulatedSettings, outcomes: RevisionOutcomes): EmulatedPlatform {
  const revisions = new RevisionService(store, settings, outcomes);
  const uploads = new Uploads(store);
  return {
    settings,
    revisions,
    uploads,
    deployments: new DeploymentService(store, settings, revisions, uploads),
    threads: new ThreadService(store),
    open: (make) => make(store, settings),
  };
}
