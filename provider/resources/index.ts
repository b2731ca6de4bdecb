import type { ReadingHandler, Surroundings } from "../lifecycle/handler";
import { createHandler } from "../lifecycle/handler";
import type { Kind } from "../kinds";
import { deployment } from "./deployment/definition";
import { oauthProvider } from "./oauth-provider/definition";
import { runCheck } from "./run-check/definition";
import { rollout } from "./rollout/definition";
import { sandboxTemplate } from "./sandbox-template/definition";

/** The registry: one line per resource. */
export const RESOURCES: Readonly<Record<Kind, (surroundings: Surroundings) => ReadingHandler>> = {
  Deployment: (surroundings) => createHandler(deployment, surroundings),
  Rollout: (surroundings) => createHandler(rollout, surroundings),
  OAuthProvider: (surroundings) => createHandler(oauthProvider, surroundings),
  SandboxTemplate: (surroundings) => createHandler(sandboxTemplate, surroundings),
  RunCheck: (surroundings) => createHandler(runCheck, surroundings),
};
