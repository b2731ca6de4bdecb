// a private registry, and its credentials
import * as pulumi from "@pulumi/pulumi";
import { SandboxRegistry } from "pulumi-agent-platform";

const config = new pulumi.Config();

export const images = new SandboxRegistry("images", {
  url: "registry.example.com",
  username: "puller",
  password: config.requireSecret("registryPassword"),
});
