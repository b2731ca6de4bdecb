import { existsSync, readFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { AgentPlatformError } from "./errors";
import { isObject } from "./json";

/** The package.json of this package, in a folder above the sources or the compiled code. */
export function packageFile(): string {
  for (let folder = __dirname; folder !== dirname(folder); folder = dirname(folder)) {
    const file = join(folder, "package.json");
    if (existsSync(file)) return file;
  }
  throw new AgentPlatformError("the package.json of pulumi-agent-platform is missing: install the package again");
}

let known: string | undefined;

export function version(): string {
  if (known !== undefined) return known;
  const about: unknown = JSON.parse(readFileSync(packageFile(), "utf8"));
  return (known = isObject(about) && typeof about["version"] === "string" ? about["version"] : "0.0.0");
}

export const userAgent = (): string => `pulumi-agent-platform/${version()}`;

/** Numbers of the first version in a text ("v3.246.0", "go version go1.26.8 linux/amd64"), or undefined. */
export function parseVersion(text: string): string | undefined {
  return /(?<!\d)\d+\.\d+(?:\.\d+)?/.exec(text)?.[0];
}

/** Whether a version (numbers and dots) is the same as or newer than another. */
export function isAtLeast(given: string, oldest: string): boolean {
  const [left, right] = [given, oldest].map((text) => text.split(".").map(Number));
  for (let index = 0; index < 3; index++) {
    const difference = (left?.[index] ?? 0) - (right?.[index] ?? 0);
    if (difference !== 0) return difference > 0;
  }
  return true;
}
