import { createHandler, type Handler } from "./dynamic/handler";
import { watchEngine } from "./dynamic/liveness";
import { engineLog } from "./dynamic/log";
import type { Kind } from "./kinds";
import { createSession } from "./lifecycle/session";
import { RESOURCES } from "./resources";

/**
 * The handlers by kind. This module's path and this name stand in every state (`providerString`): public API for ever.
 * A new handler at each access: the plugin keeps it, and configures it once.
 */
export const handlers: { readonly [K in Kind]: Handler } = {
  get Deployment() {
    return make("Deployment");
  },
  get Rollout() {
    return make("Rollout");
  },
  get OAuthProvider() {
    return make("OAuthProvider");
  },
  get SandboxTemplate() {
    return make("SandboxTemplate");
  },
  get RunCheck() {
    return make("RunCheck");
  },
};

const session = createSession({ environment: process.env, log: engineLog(), checkAlive: watchEngine() });

const make = (kind: Kind): Handler => createHandler(RESOURCES[kind](session), session.environment);
