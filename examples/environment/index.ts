import * as pulumi from "@pulumi/pulumi";
import { AgentEnvironment, WorkspaceSecret } from "pulumi-agent-platform";

const modelKey = new WorkspaceSecret("model-key", {
  key: "OPENAI_API_KEY",
  value: new pulumi.Config().requireSecret("modelKey"),
});

const image = (name: string, version: string) => ({
  source: "external_docker" as const,
  sourceRevisionConfig: { imageUri: `registry.example.com/agents/${name}:${version}` },
  secretReferences: [{ name: modelKey.key, secretName: modelKey.key, secretKey: modelKey.key }],
  // A rotated key gives each agent a new revision.
  redeployTrigger: modelKey.rotatedAt,
});

const environment = new AgentEnvironment("team", {
  agents: () => ({
    desk: {
      ...image("desk", "1.4.0"),
      assistants: {
        triage: { graphId: "agent", description: "Sorts what comes in", context: { greeting: "In short:" } },
        answers: { graphId: "agent", description: "Answers customers", context: { greeting: "Gladly:" } },
      },
      crons: {
        digest: {
          assistant: "answers",
          schedule: "0 9 * * 1-5",
          timezone: "Europe/Berlin",
          input: { topic: "what came in yesterday" },
        },
      },
      check: {
        assistant: "triage",
        input: { topic: "opening hours" },
        expect: { values: [{ mode: "values", path: "messages[0].content", equals: "In short: opening hours" }] },
      },
    },
    reader: {
      ...image("reader", "2.0.1"),
      assistants: {
        summaries: { graphId: "agent", description: "Sums documents up", context: { greeting: "Precisely:" } },
      },
      crons: {
        nightly: { assistant: "summaries", schedule: "30 2 * * *", input: { topic: "new documents" } },
      },
      check: {
        assistant: "summaries",
        input: { topic: "the contract" },
        expect: { values: [{ mode: "values", path: "messages[0].content", matches: "^Precisely: " }] },
      },
    },
  }),
});

export const urls = environment.urls;
