import type { ResourceDefinition } from "../lifecycle/definition";
import { createHandler, type ReadingHandler, type Surroundings } from "../lifecycle/handler";
import type { Kind } from "../kinds";
import { deployment } from "./deployment/definition";
import { askWorkspace } from "./deployment/list";
import { oauthProvider } from "./oauth-provider/definition";
import { runCheck } from "./run-check/definition";
import { rollout } from "./rollout/definition";
import { sandboxTemplate } from "./sandbox-template/definition";

/** The registry: one line per resource. */
export const RESOURCES: Readonly<Record<Kind, (surroundings: Surroundings) => ReadingHandler>> = {
  Deployment: (surroundings) => handlerOf(deployment, surroundings),
  Rollout: (surroundings) => handlerOf(rollout, surroundings),
  OAuthProvider: (surroundings) => handlerOf(oauthProvider, surroundings),
  SandboxTemplate: (surroundings) => handlerOf(sandboxTemplate, surroundings),
  RunCheck: (surroundings) => handlerOf(runCheck, surroundings),
};

function handlerOf<Inputs, Live>(
  definition: ResourceDefinition<Inputs, Live>,
  surroundings: Surroundings,
): ReadingHandler {
  return createHandler(definition, { askWorkspace, ...surroundings });
}
