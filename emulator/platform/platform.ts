import type { Store } from "../store/store";
import { DeploymentService } from "./deployment-service";
import type { PlatformSettings } from "./options";
import type { RevisionOutcomes } from "./revision-outcomes";
import { ThreadService } from "./thread-service";

/** The platform, independent of HTTP. */
export interface Platform {
  readonly deployments: DeploymentService;
  readonly threads: ThreadService;
  /**
   * Opens a noun that only its own routes use: a service, or a collection by its `in`. Called while the routes are made, so that broken
   * stored data is found at startup: throws StoreError.
   */
  open<T>(noun: (store: Store, settings: PlatformSettings) => T): T;
}

/** Opens the collections that several rooms use: throws StoreError. */
export function createPlatform(store: Store, settings: PlatformSettings, outcomes: RevisionOutcomes): Platform {
  return {
    deployments: new DeploymentService(store, settings, outcomes),
    threads: new ThreadService(store),
    open: (noun) => noun(store, settings),
  };
}
