// people sign in at GitHub
import * as pulumi from "@pulumi/pulumi";
import { OAuthProvider } from "pulumi-agent-platform";

const config = new pulumi.Config();

export const github = new OAuthProvider("github", {
  providerId: "github",
  name: "GitHub",
  clientId: "support-desk",
  clientSecret: config.requireSecret("githubClientSecret"),
  authUrl: "https://github.com/login/oauth/authorize",
  tokenUrl: "https://github.com/login/oauth/access_token",
});
