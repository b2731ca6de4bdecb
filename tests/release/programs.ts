/** The same environment in each language: a sandbox template, an OAuth provider, and a deployment with its rollout. */
export const SECRETS = { clientSecret: "client-secret-canary", modelApiKey: "model-canary" };

export const TYPESCRIPT = `import * as pulumi from "@pulumi/pulumi";
import { Deployment, OAuthProvider, SandboxTemplate } from "pulumi-agent-platform";

const config = new pulumi.Config();
const notebook = new SandboxTemplate("notebook", { image: "python:3.12-slim" });
const github = new OAuthProvider("github", {
  providerId: "github",
  name: "GitHub",
  clientId: "desk",
  clientSecret: config.requireSecret("clientSecret"),
  authUrl: "https://github.com/login/oauth/authorize",
  tokenUrl: "https://github.com/login/oauth/access_token",
});
const desk = new Deployment("desk", {
  source: "external_docker",
  sourceRevisionConfig: { imageUri: "registry.example.com/desk:1.0.0" },
  environmentVariables: { SANDBOX_TEMPLATE: notebook.name, OAUTH_PROVIDER: github.providerId },
  secrets: { MODEL_API_KEY: config.requireSecret("modelApiKey") },
});

export const url = desk.url;
`;

export const YAML = `config:
  clientSecret: { type: string, secret: true }
  modelApiKey: { type: string, secret: true }
resources:
  notebook:
    type: agent-platform:SandboxTemplate
    properties: { image: "python:3.12-slim" }
  github:
    type: agent-platform:OAuthProvider
    properties:
      providerId: github
      name: GitHub
      clientId: desk
      clientSecret: \${clientSecret}
      authUrl: https://github.com/login/oauth/authorize
      tokenUrl: https://github.com/login/oauth/access_token
  desk:
    type: agent-platform:Deployment
    properties:
      source: external_docker
      sourceRevisionConfig: { imageUri: "registry.example.com/desk:1.0.0" }
      environmentVariables: { SANDBOX_TEMPLATE: "\${notebook.name}", OAUTH_PROVIDER: "\${github.providerId}" }
      secrets: { MODEL_API_KEY: "\${modelApiKey}" }
  desk-rollout:
    type: agent-platform:Rollout
    properties: { deploymentId: "\${desk.id}", deploymentName: "\${desk.name}", revisionId: "\${desk.latestRevisionId}" }
  desk-answers:
    type: agent-platform:RunCheck
    properties:
      url: \${desk-rollout.url}
      revisionId: \${desk-rollout.activeRevisionId}
      assistantId: agent
      input: { topic: opening hours }
      expect: { values: [{ mode: messages-tuple, matches: opening hours }] }
outputs:
  url: \${desk-rollout.url}
`;

export const PYTHON = `import pulumi
import pulumi_agent_platform as platform

config = pulumi.Config()
notebook = platform.SandboxTemplate("notebook", image="python:3.12-slim")
github = platform.OAuthProvider(
    "github",
    provider_id="github",
    name="GitHub",
    client_id="desk",
    client_secret=config.require_secret("clientSecret"),
    auth_url="https://github.com/login/oauth/authorize",
    token_url="https://github.com/login/oauth/access_token",
)
desk = platform.Deployment(
    "desk",
    source="external_docker",
    source_revision_config={"image_uri": "registry.example.com/desk:1.0.0"},
    environment_variables={"SANDBOX_TEMPLATE": notebook.name, "OAUTH_PROVIDER": github.provider_id},
    secrets={"MODEL_API_KEY": config.require_secret("modelApiKey")},
)
rollout = platform.Rollout(
    "desk", deployment_id=desk.id, deployment_name=desk.name, revision_id=desk.latest_revision_id
)

pulumi.export("url", rollout.url)
`;

/** @param sdk The path by which a program imports the generated package. */
export const go = (sdk: string): string => `package main

import (
	platform "${sdk}"
	"github.com/pulumi/pulumi/sdk/v3/go/pulumi"
	"github.com/pulumi/pulumi/sdk/v3/go/pulumi/config"
)

func main() {
	pulumi.Run(func(ctx *pulumi.Context) error {
		settings := config.New(ctx, "")
		notebook, err := platform.NewSandboxTemplate(ctx, "notebook", &platform.SandboxTemplateArgs{
			Image: pulumi.String("python:3.12-slim"),
		})
		if err != nil {
			return err
		}
		github, err := platform.NewOAuthProvider(ctx, "github", &platform.OAuthProviderArgs{
			ProviderId:   pulumi.String("github"),
			Name:         pulumi.String("GitHub"),
			ClientId:     pulumi.String("desk"),
			ClientSecret: settings.RequireSecret("clientSecret"),
			AuthUrl:      pulumi.String("https://github.com/login/oauth/authorize"),
			TokenUrl:     pulumi.String("https://github.com/login/oauth/access_token"),
		})
		if err != nil {
			return err
		}
		desk, err := platform.NewDeployment(ctx, "desk", &platform.DeploymentArgs{
			Source: pulumi.String("external_docker"),
			SourceRevisionConfig: &platform.SourceRevisionConfigArgs{
				ImageUri: pulumi.String("registry.example.com/desk:1.0.0"),
			},
			EnvironmentVariables: pulumi.StringMap{
				"SANDBOX_TEMPLATE": notebook.Name,
				"OAUTH_PROVIDER":   github.ProviderId,
			},
			Secrets: pulumi.StringMap{"MODEL_API_KEY": settings.RequireSecret("modelApiKey")},
		})
		if err != nil {
			return err
		}
		rollout, err := platform.NewRollout(ctx, "desk", &platform.RolloutArgs{
			DeploymentId:   desk.ID(),
			DeploymentName: desk.Name,
			RevisionId:     desk.LatestRevisionId,
		})
		if err != nil {
			return err
		}
		ctx.Export("url", rollout.Url)
		return nil
	})
}
`;
