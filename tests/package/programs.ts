/** A program that uses every entry of the package. Nothing of it is run. */
export const PROGRAM = `
import * as pulumi from "@pulumi/pulumi";
import {
  AgentEnvironment, Deployment, getDeployment, OAuthProvider, RunCheck, SandboxRegistry, type DeploymentArgs, type DeploymentArgsFor, type SourceConfigArgs,
} from "pulumi-agent-platform";
import { deployments, ManualClock, startEmulator, type FaultInput, type Graph, type Layer } from "pulumi-agent-platform/emulator";
import type {} from "pulumi-agent-platform/plugin";
import { policies } from "pulumi-agent-platform/policy";
import { handlers } from "pulumi-agent-platform/provider";
import type {} from "pulumi-agent-platform/start";

const config = new pulumi.Config();
const agent = new Deployment("agent", {
  source: "external_docker",
  sourceRevisionConfig: { imageUri: "registry.example.com/agent:1.0.0" },
});
new OAuthProvider("github", {
  providerId: "github", name: "GitHub", clientId: "c", authUrl: "https://a.example", tokenUrl: "https://b.example",
  codeChallengeMethod: "S256",
});
new SandboxRegistry("by-password", { url: "registry.example", username: "puller", password: config.requireSecret("password") });
new SandboxRegistry("by-role", { url: "registry.example", authType: "AWS_ROLE", awsRoleArn: config.require("role") });
export const url: pulumi.Output<string | null> = agent.url;
export const name: Promise<string> = getDeployment({ name: "a" }).then((found) => found.name);
export const pack = policies({ "pkce-for-public-clients": { exempt: ["a"], enforcementLevel: "advisory" } });
export const kinds = Object.keys(handlers);

// A source of tomorrow, from wherever the text comes, takes everything.
const everything = { repoUrl: "https://github.com/example/agents", resourceSpec: { cpu: 1 }, deploymentType: "huge" };
const fromTheMoon: string = "from_the_moon";
new Deployment("new", { source: fromTheMoon, sourceConfig: { repoUrl: "https://a.example", resourceSpec: { cpu: 1 } } });
new Deployment("configured", { source: config.require("source"), sourceConfig: { repoUrl: "https://a.example", resourceSpec: {} } });
new Deployment("secret", { source: config.requireSecret("source"), sourceConfig: { repoUrl: "https://a.example", resourceSpec: {} } });
declare const given: pulumi.Input<string>;
new Deployment("given", { source: given, sourceConfig: { repoUrl: "https://a.example", resourceSpec: {} } });
declare const unknown: any;
new Deployment("any", { source: unknown, sourceConfig: unknown, sourceRevisionConfig: { repoRef: "main", imageUri: "a" } });

// Arguments that are built in steps, conditional, spread, or come from other resources.
const args: DeploymentArgs = { source: "external_docker" };
args.sourceConfig = { resourceSpec: { cpu: 1 } };
if (config.getBoolean("github")) {
  args.source = "github";
  args.sourceConfig = { repoUrl: "https://github.com/example/agents" };
}
new Deployment("steps", args);
new Deployment("spread", { ...args, name: "spread" });
const shared: SourceConfigArgs = { deploymentType: "prod" };
const sourceRevisionConfig = { imageUri: "registry.example.com/agent" };
new Deployment("shared", { source: "external_docker", sourceConfig: { ...shared, customUrl: "a.example.com" }, sourceRevisionConfig });
new Deployment("typed", { source: "external_docker", sourceConfig: shared, sourceRevisionConfig });
new Deployment("whole", { source: "external_docker", sourceConfig: everything, sourceRevisionConfig });
const isCloud = config.requireBoolean("cloud");
new Deployment("either", {
  source: isCloud ? "github" : "external_docker",
  sourceConfig: isCloud ? { repoUrl: "https://a.example", integrationId: "i", deploymentType: "prod" } : { resourceSpec: { cpu: 1 } },
  sourceRevisionConfig: isCloud ? { repoRef: "main", langgraphConfigPath: "langgraph.json" } : { imageUri: "registry.example.com/agent" },
});
new Deployment("later", {
  source: "external_docker",
  sourceConfig: agent.id.apply((listenerId) => ({ listenerId })),
  sourceRevisionConfig: pulumi.output({ imageUri: pulumi.interpolate\`registry.example.com/agent:\${agent.id}\` }),
});
const ofGithub: DeploymentArgsFor<"github"> = {
  source: "github",
  sourceConfig: { integrationId: agent.id, repoUrl: "https://a.example", deploymentType: "dev" },
  sourceRevisionConfig: { repoRef: "main", langgraphConfigPath: "langgraph.json" },
};
export const all: Deployment[] = [agent, new Deployment("checked", ofGithub), Deployment.get("got", "id")];
export const byName: Record<string, Deployment> = Object.fromEntries(all.map((each, index) => [index, each]));
new RunCheck("check", { deployment: agent, assistantId: "agent" });
class Team extends Deployment {
  constructor(team: string) {
    super(team, { source: "external_docker", sourceRevisionConfig: { imageUri: team } });
  }
}
export const team: Deployment = new Team("desk");
new AgentEnvironment("desk", { agents: () => ({ desk: { source: "github", sourceConfig: { repoUrl: "https://a.example" } } }) });

// The emulator, as a test uses it.
const faults: FaultInput[] = [
  { kind: "status", status: 503, count: 2, retryAfter: 1 },
  { kind: "latency", ms: 20, path: "/v2/**", phase: "after-commit" },
  { kind: "truncated-json", by: "cut", after: 10 },
];
const graph: Graph = { channels: { messages: "append" }, steps: [{ answer: { actions: [{ type: "model", text: "hello" }] } }] };
const layer: Layer = { beforeRoute: (exchange) => Promise.resolve(exchange.url.pathname === "/down" ? new Response(null, { status: 503 }) : undefined) };
export async function tried(): Promise<string | null> {
  const emulator = await startEmulator({ clock: new ManualClock(), buildSeconds: 1, faults, graphs: { graph }, layers: [layer], contract: "documented" });
  const { display_name, secrets } = emulator.outOfBand(deployments).change("desk", { display_name: "Desk", secrets: [{ name: "KEY", value: "v" }] });
  const [active] = emulator.faults.list.map(({ fault, fired }) => \`\${fault.kind} \${fault.path} \${fired}\`);
  await emulator.close();
  return display_name ?? secrets[0]?.name ?? active ?? null;
}
`;

/** Mistakes that do not compile, and what the compiler says of each. */
export const MISTAKES: readonly (readonly [statement: string, message: string])[] = [
  [
    `new Deployment("a", { source: "external_docker", sourceConfig: { repoUrl: "https://a.example" } });`,
    "Object literal may only specify known properties, and 'repoUrl' does not exist in type 'Input<ExternalDockerSourceConfigArgs>'.",
  ],
  [
    `new Deployment("a", { source: "external_docker", sourceConfig: { resourceSpec: {}, buildOnPush: true } }, { protect: true });`,
    "Object literal may only specify known properties, and 'buildOnPush' does not exist in type 'Input<ExternalDockerSourceConfigArgs>'.",
  ],
  [
    `new Deployment("a", { source: "github", sourceConfig: cloud, sourceRevisionConfig: { ...code, imageUri: "a" } });`,
    "Object literal may only specify known properties, and 'imageUri' does not exist in type 'Input<GithubSourceRevisionConfigArgs>'.",
  ],
  [
    `new Deployment("a", { source: pulumi.output("internal_source" as const), sourceConfig: { resourceSpec: {} } });`,
    "Object literal may only specify known properties, and 'resourceSpec' does not exist in type 'Input<InternalSourceSourceConfigArgs>'.",
  ],
  [
    `new Deployment("a", { source: "github", sourceRevisionConfig: code, sourceConfig: true ? cloud : { ...cloud, customUrl: "a.example" } });`,
    "Object literal may only specify known properties, and 'customUrl' does not exist in type 'Input<GithubSourceConfigArgs>'.",
  ],
  [
    `export const args: DeploymentArgsFor<"github"> = { source: "github", sourceConfig: { listenerId: "l" } };`,
    "Object literal may only specify known properties, and 'listenerId' does not exist in type 'Input<GithubSourceConfigArgs>'.",
  ],
  [
    `new Deployment("a", { source: "external_dokcer" });`,
    `Type '"external_dokcer"' is not assignable to type 'KnownSource'. Did you mean '"external_docker"'?`,
  ],
  [
    `new Deployment("a", { source: "external_docker" });`,
    "Property 'sourceRevisionConfig' is missing in type '{ source: \"external_docker\"; }' but required in type 'WithSourceRevisionConfig<\"external_docker\">'.",
  ],
  [
    `new Deployment("a", { source: "github", sourceRevisionConfig: code, sourceConfig: { integrationId: "i", repoUrl: "https://a.example" } });`,
    "Property 'deploymentType' is missing in type '{ integrationId: string; repoUrl: string; }' but required in type 'GithubSourceConfigArgs'.",
  ],
  [
    `new SandboxRegistry("a", { url: "a", authType: "AWS_ROLE", awsRoleArn: role, password: "p" });`,
    "Type 'string' is not assignable to type 'undefined'.",
  ],
  [`new SandboxRegistry("a", { url: "a", authType: "AWS_ROLE" });`, "Property 'awsRoleArn' is missing"],
  [
    `new SandboxRegistry("a", { url: "a", username: "u", password: "p", awsRoleArn: role });`,
    "Type 'Output<string>' is not assignable to type 'undefined'.",
  ],
  [`new SandboxRegistry("a", { url: "a", username: "u" });`, "Property 'password' is missing"],
  [`new Deployment("a", { sourceConfig: {} });`, "Property 'source' is missing"],
  [`new Deployment("a", { source: 1 });`, "Type 'number' is not assignable to type"],
  [
    `new Deployment("a", { source: "github", sourceRevisionConfig: code, sourceConfig: { ...cloud, repoUrl: 1 } });`,
    "Type 'number' is not assignable to type",
  ],
];

/** All of them, one in a line, from the sixth on. */
export const MISTAKEN_PROGRAM = [
  `import * as pulumi from "@pulumi/pulumi";`,
  `import { Deployment, SandboxRegistry, type DeploymentArgsFor } from "pulumi-agent-platform";`,
  'const cloud = { integrationId: "i", repoUrl: "https://a.example", deploymentType: "dev" };',
  'const role = pulumi.output("arn:aws:iam::123456789012:role/pull");',
  'const code = { repoRef: "main", langgraphConfigPath: "langgraph.json" };',
  ...MISTAKES.map(([statement]) => statement),
].join("\n");
