// The same agent for customers in the US and in the EU. README.md shows how to run it.
import * as pulumi from "@pulumi/pulumi";
import { Region } from "./region";

const config = new pulumi.Config();
const imageTag = config.require("imageTag");

const us = new Region("us", {
  region: "us",
  apiKey: config.requireSecret("usApiKey"),
  tenantId: config.get("usTenantId"),
  imageTag,
});

const eu = new Region("eu", {
  region: "eu",
  apiKey: config.requireSecret("euApiKey"),
  tenantId: config.get("euTenantId"),
  imageTag,
});

export const urls = { us: us.url, eu: eu.url };
