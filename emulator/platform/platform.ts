import type { Collection } from "../store/collection";
import type { Store } from "../store/store";
import {
  agentAssistants,
  agentCrons,
  agentItems,
  type AssistantRecord,
  type CronRecord,
  type StoreItemRecord,
} from "./agent-records";
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
  /** What agents keep, by the ids of their deployments. */
  readonly assistants: Collection<AssistantRecord>;
  readonly crons: Collection<CronRecord>;
  readonly items: Collection<StoreItemRecord>;
}

/** Opens the collections that several rooms use: throws if one cannot be read. */
export function createPlatform(store: Store, settings: EmulatedSettings, outcomes: RevisionOutcomes): EmulatedPlatform {
  const revisions = new RevisionService(store, settings, outcomes);
  return {
    settings,
    revisions,
    deployments: new DeploymentService(store, settings, revisions),
    threads: new ThreadService(store),
    assistants: agentAssistants.in(store),
    crons: agentCrons.in(store),
    items: agentItems.in(store),
  };
}
