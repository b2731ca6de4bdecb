// An agent, and a check that restores the previous revision when the new one gives no answer. README.md plays a release that goes wrong.
import * as pulumi from "@pulumi/pulumi";
import { Deployment, RunCheck } from "pulumi-agent-platform";

const config = new pulumi.Config();

const agent = new Deployment("support-agent", {
  source: "external_docker",
  sourceRevisionConfig: { imageUri: `registry.example.com/support-agent:${config.require("imageTag")}` },
  secrets: { MODEL_API_KEY: config.requireSecret("modelApiKey") },
});

new RunCheck("answers", {
  deployment: agent,
  assistantId: "agent",
  input: { topic: "opening hours" },
  expect: { values: [{ mode: "messages-tuple", matches: "opening hours" }] },
  rollBack: true,
});

export const url = agent.url;
