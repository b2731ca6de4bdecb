import type { Store } from "../store/store";
import { DeploymentService } from "./deployment-service";
import { OAuthProviderService } from "./oauth-provider-service";
import type { PlatformSettings } from "./options";
import type { RevisionOutcomes } from "./revision-outcomes";
import { SandboxTemplateService } from "./sandbox-template-service";
import { ThreadService } from "./thread-service";

/** The platform apart from HTTP: a service for each kind of object. */
export interface Platform {
  readonly deployments: DeploymentService;
  readonly threads: ThreadService;
  readonly oauthProviders: OAuthProviderService;
  readonly sandboxTemplates: SandboxTemplateService;
}

/** Opens all collections of the store at once, so that broken stored data is found at start: throws StoreError. */
export function createPlatform(store: Store, settings: PlatformSettings, outcomes: RevisionOutcomes): Platform {
  return {
    deployments: new DeploymentService(store, settings, outcomes),
    threads: new ThreadService(store),
    oauthProviders: new OAuthProviderService(store),
    sandboxTemplates: new SandboxTemplateService(store, settings),
  };
}
