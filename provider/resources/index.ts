import type { Kind } from "./kinds";
import type { ResourceDefinition } from "../lifecycle/definition";
import { createResource, type Resource } from "../lifecycle/resource";
import type { Session } from "../lifecycle/session";
import { deployment } from "./deployment/definition";
import { askWorkspace } from "./deployment/list";
import { oauthProvider } from "./oauth-provider/definition";
import { rollout } from "./rollout/definition";
import { runCheck } from "./run-check/definition";
import { sandboxTemplate } from "./sandbox-template/definition";

/** The registry: one line per resource. */
export const RESOURCES: Readonly<Record<Kind, (session: Session) => Resource>> = {
  Deployment: (session) => resourceOf(deployment, session),
  Rollout: (session) => resourceOf(rollout, session),
  OAuthProvider: (session) => resourceOf(oauthProvider, session),
  SandboxTemplate: (session) => resourceOf(sandboxTemplate, session),
  RunCheck: (session) => resourceOf(runCheck, session),
};

const resourceOf = <Inputs, Live>(definition: ResourceDefinition<Inputs, Live>, session: Session): Resource =>
  createResource(definition, session, askWorkspace);
