// the agent has to answer a question
import { Deployment, RunCheck } from "pulumi-agent-platform";

const reader = new Deployment("checked", {
  source: "external_docker",
  sourceRevisionConfig: { imageUri: "registry.example.com/agents/reader:1.4.0" },
});

export const check = new RunCheck("checked", {
  deployment: reader,
  assistantId: "agent",
  input: { topic: "opening hours" },
  expect: {
    nodes: ["last"],
    values: [{ mode: "messages-tuple", matches: "opening hours" }],
    totalWithin: "30s",
  },
});
