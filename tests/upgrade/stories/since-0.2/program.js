/* global pulumi, platform */
const modelKey = new pulumi.Config().requireSecret("modelKey");

new platform.SandboxRegistry("images-by-role", {
  url: "123456789012.dkr.ecr.eu-west-1.amazonaws.com",
  authType: "AWS_ROLE",
  awsRoleArn: "arn:aws:iam::123456789012:role/pull",
});
new platform.WorkspaceSecret("model-key", {
  key: "MODEL_KEY",
  value: modelKey,
  allowedHosts: [{ hostPattern: "models.example", headerName: "x-key", headerValueTemplate: "{value}" }],
});
new platform.SandboxSnapshot("python", {
  dockerImage: "python:3.12",
  fsCapacityBytes: 1073741824,
  description: "Python with our tools",
  runConfig: { user: "agent", workDir: "/work", envVars: { TOKEN: modelKey } },
});
const data = new platform.SandboxVolume("data", {
  name: "data-v1",
  sizeBytes: 1500000000,
  description: "Files",
  labels: { team: "support" },
});
new platform.SandboxVolume("copy", { sourceVolume: data.id });
new platform.PlatformAgent("desk", {
  agentId: "desk",
  name: "Support desk",
  agentType: "CODING",
  sourceType: "EXTERNAL",
  ownerId: "user-1",
});
new platform.PlatformAgent("fleet", { agentId: "fleet", sourceType: "FLEET", productionOnly: true });

const desk = new platform.Deployment("desk", {
  source: "external_docker",
  sourceRevisionConfig: { imageUri: "registry.example/desk:1" },
});
new platform.Cron("digest", {
  assistant: new platform.Assistant("triage", { deployment: desk, graphId: "agent" }),
  schedule: "@daily",
  multitaskStrategy: "reject",
  interruptBefore: ["*"],
  interruptAfter: ["draft"],
  streamMode: ["values", "updates"],
  streamSubgraphs: true,
  streamResumable: true,
  durability: "exit",
});
