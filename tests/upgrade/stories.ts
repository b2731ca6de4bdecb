import { deployments, oauthProviders, sandboxTemplates, type Emulator, type EmulatorOptions } from "../../emulator";
import { notOk, ok, type CliStack } from "../support/cli-stack";
import { OTHER_TENANT } from "./platform";
import { ask, deploymentOf } from "../support/ask";

/** The steps that make the state of a story. */
export interface Story {
  /** Settings of the stack, in addition to the connection, which every story has. */
  readonly settings?: Readonly<Record<string, string>>;
  readonly secrets?: Readonly<Record<string, string>>;
  /** Options of the platform while the state is made, in addition to the usual ones. */
  readonly platform?: EmulatorOptions;
  /** Its deployment "desk" is an agent server with objects of its own, which are recorded, too. */
  readonly hasAgent?: true;
  /** Runs the program of `stories/<name>`, which is in the stack. */
  readonly write: (stack: CliStack, emulator: Emulator) => Promise<void>;
}

/** By name, which is also the folder of the program. */
export const STORIES: Readonly<Record<string, Story>> = {
  everything: {
    secrets: {
      clientSecret: "canary-config-client",
      deploymentSecret: "canary-config-deployment",
      registryPassword: "canary-config-registry",
    },
    write: async (stack) => void ok(await stack.up()),
  },
  // What the states of 0.2.0 do not have: the other programs stay as they were then.
  "since-0.2": {
    secrets: { modelKey: "canary-config-model-key" },
    hasAgent: true,
    write: async (stack) => void ok(await stack.up()),
  },
  // The server of their agent keeps them.
  assistants: { hasAgent: true, write: async (stack) => void ok(await stack.up()) },
  platforms: {
    settings: { regionalTenant: OTHER_TENANT.tenantId, regionalOrganization: OTHER_TENANT.organizationId },
    secrets: { regionalKey: OTHER_TENANT.apiKey, clientSecret: "canary-config-client" },
    write: async (stack) => void ok(await stack.up()),
  },
  existing: { secrets: { clientSecret: "canary-config-client" }, write: adoptAndRead },
  "failed-rollout": { settings: { image: "1" }, write: failRollouts },
  "followed-revision": {
    platform: { nullLatestRevisionMs: 100 },
    write: async (stack) => void ok(await stack.up()),
  },
  drifted: { write: seeDrift },
};

async function adoptAndRead(stack: CliStack, emulator: Emulator): Promise<void> {
  for (const prefix of ["", "shared-"]) {
    await ask(emulator, "POST", "/v2/sandboxes/templates", {
      name: `${prefix}code`,
      image: "python:3.12",
      resources: { cpu: "1", memory: "1Gi" },
    });
    await ask(emulator, "POST", "/v2/sandboxes/registries", {
      name: `${prefix}images`,
      url: "registry.example",
      username: "puller",
      password: "canary-of-somebody-else",
    });
    await ask(emulator, "POST", "/v2/auth/providers", {
      provider_id: `${prefix}login`,
      name: "Login",
      client_id: "client",
      client_secret: "canary-of-somebody-else",
      auth_url: "https://auth.example/authorize",
      token_url: "https://auth.example/token",
    });
    const secrets = { TOKEN: "canary-of-somebody-else" };
    await ask(emulator, "POST", "/v2/deployments", deploymentOf(`${prefix}agent`, "registry.example/agent:0", secrets));
  }
  await ask(emulator, "POST", "/v2/sandboxes/snapshots", {
    name: "shared-python",
    docker_image: "python:3.12",
    fs_capacity_bytes: 1073741824,
  });
  const agents = emulator.outOfBand(deployments);
  await stack.configure({ agentId: agents.get("agent").id, sharedAgentId: agents.get("shared-agent").id });
  ok(await stack.up());
}

/** One deployment never ran; the other one did, until it was changed. */
async function failRollouts(stack: CliStack): Promise<void> {
  failed(notOk(await stack.up("--continue-on-error")), "first");
  await stack.configure({ image: "emulator-fail-build" });
  failed(notOk(await stack.up("--continue-on-error")), "changed");
}

async function seeDrift(stack: CliStack, emulator: Emulator): Promise<void> {
  ok(await stack.up());
  emulator.outOfBand(sandboxTemplates).change("code", { image: "python:3.13" });
  emulator.outOfBand(sandboxTemplates).remove("gone");
  emulator.outOfBand(oauthProviders).change("login", { auth_url: "https://other.example/authorize" });
  emulator.outOfBand(deployments).change("agent", {
    resource_spec: { cpu: 4, labels: { team: "support" } },
    secrets: [
      { name: "LEVEL", value: "debug" },
      { name: "TOKEN", value: "canary-of-somebody-else" },
    ],
  });
  // As a push would.
  const { id } = emulator.outOfBand(deployments).get("pushed");
  await ask(emulator, "PATCH", `/v2/deployments/${id}`, { source_revision_config: { repo_ref: "main" } });
  ok(await stack.refresh());
}

function failed(output: string, deployment: string): void {
  if (!output.includes(`deployment "${deployment}"`) || !output.includes("ended as BUILD_FAILED"))
    throw new Error(`the rollout of "${deployment}" did not fail:\n${output}`);
}
