// a repository, built on every push
import { Deployment, getGithubIntegrationOutput } from "pulumi-agent-platform";

const integration = getGithubIntegrationOutput({ name: "example" });

export const fromGithub = new Deployment("from-github", {
  source: "github",
  sourceConfig: {
    integrationId: integration.id,
    repoUrl: "https://github.com/example/agents",
    deploymentType: "dev",
    buildOnPush: true,
  },
  sourceRevisionConfig: { repoRef: "main", langgraphConfigPath: "langgraph.json" },
});
