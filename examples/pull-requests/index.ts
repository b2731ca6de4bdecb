// An agent with what it needs, once per pull request: every name begins with the stack's, so that environments never meet.
import * as pulumi from "@pulumi/pulumi";
import { Deployment, RunCheck, SandboxTemplate } from "pulumi-agent-platform";

const environment = pulumi.getStack(); // "pr-12"
const config = new pulumi.Config();

const sandbox = new SandboxTemplate("sandbox", {
  name: `${environment}-sandbox`,
  image: "python:3.12-slim",
  resources: { cpu: "500m", memory: "512Mi" },
});

const agent = new Deployment("agent", {
  name: `${environment}-agent`,
  source: "external_docker",
  sourceConfig: { resourceSpec: { minScale: 1, maxScale: 1, cpu: 1, memoryMb: 1024 } },
  sourceRevisionConfig: { imageUri: "registry.example.com/agents/helper:1.4.0" },
  environmentVariables: { SANDBOX_TEMPLATE: sandbox.name },
  secrets: { MODEL_API_KEY: config.requireSecret("modelApiKey") },
});

// The address is worth a comment once the agent has answered a question.
new RunCheck("answers", {
  deployment: agent,
  assistantId: "agent",
  input: { topic: "opening hours" },
  expect: { totalWithin: "1m" },
});

export const url = agent.url;
