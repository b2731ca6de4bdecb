import * as pulumi from "@pulumi/pulumi";

/** What differs between the stacks. Everything else is the same program. */
export interface Settings {
  /** Tag of the agent's image. A promotion copies it. */
  imageTag: string;
  minScale: number;
  maxScale: number;
  githubClientSecret: pulumi.Output<string>;
}

/** Reads the stack's configuration. A missing or wrong value fails the preview with a message that names its key. */
export function readSettings(config: pulumi.Config): Settings {
  const imageTag = config.require("imageTag");
  // A tag like "latest" could name one image when dev tests it, and another by the time it reaches prod.
  if (!/^\d+\.\d+\.\d+$/.test(imageTag)) throw wrong(config, "imageTag", `a version like "1.4.0", not "${imageTag}"`);
  const minScale = wholeNumber(config, "minScale", 0);
  const maxScale = wholeNumber(config, "maxScale", Math.max(1, minScale));
  return { imageTag, minScale, maxScale, githubClientSecret: config.requireSecret("githubClientSecret") };
}

function wholeNumber(config: pulumi.Config, key: string, least: number): number {
  const value = config.require(key);
  if (!/^\d+$/.test(value) || Number(value) < least) {
    throw wrong(config, key, `a whole number of at least ${String(least)}, not "${value}"`);
  }
  return Number(value);
}

function wrong(config: pulumi.Config, key: string, rule: string): pulumi.RunError {
  const name = `${config.name}:${key}`;
  return new pulumi.RunError(`${name} must be ${rule}. Correct it: pulumi config set ${name} <value>`);
}
