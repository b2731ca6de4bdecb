// an image, on a cluster of your own
import * as pulumi from "@pulumi/pulumi";
import { Deployment, Listener } from "pulumi-agent-platform";

const config = new pulumi.Config();

const listener = new Listener("own-cluster", {
  computeId: "own-cluster",
  computeConfig: { k8sNamespaces: ["agents"] },
});

export const external = new Deployment("from-own-image", {
  source: "external_docker",
  sourceConfig: {
    listenerId: listener.id,
    listenerConfig: { k8sNamespace: "agents" },
    resourceSpec: { minScale: 1, maxScale: 5, cpu: 2, memoryMb: 4096 },
  },
  sourceRevisionConfig: { imageUri: "registry.example.com/agents/desk:2.1.0" },
  environmentVariables: { LOG_LEVEL: "info" },
  secrets: { MODEL_API_KEY: config.requireSecret("modelApiKey") },
});
