import { watchEngine } from "./dynamic/liveness";
import { engineLog } from "./dynamic/log";
import type { Kind } from "./kinds";
import type { Handler } from "./lifecycle/handler";
import { Claims } from "./lifecycle/claims";
import { Writes } from "./lifecycle/kept-list";
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

const checkAlive = watchEngine();
const writes = new Writes();
const claims = new Claims();

function make(kind: Kind): Handler {
  return RESOURCES[kind]({ environment: process.env, log: engineLog(), checkAlive, writes, claims });
}
