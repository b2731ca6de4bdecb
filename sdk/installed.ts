import { createRequire } from "node:module";
import { join } from "node:path";
import * as pulumi from "@pulumi/pulumi";
import { PROVIDER_MODULE } from "../provider/resources/resource-types";
import { NATIVE_PLUGIN } from "./protocol";

/** Folders in which the module was found: a program asks once for each resource. */
const found = new Set<string>();

/**
 * Throws where the plugin of dynamic resources will not find this package. A program may get it through another package, but the plugin
 * looks in the project's folder and above, and would fail there with a stack trace: so it is with pnpm, and with nested copies of npm.
 */
export function checkInstalled(folder: string = process.cwd()): void {
  // The mocks of a unit test have no engine, and no plugin.
  if (found.has(folder) || !pulumi.runtime.hasEngine()) return;
  try {
    createRequire(join(folder, "Pulumi.yaml")).resolve(PROVIDER_MODULE);
  } catch {
    throw new pulumi.RunError(
      `pulumi-agent-platform is not installed in ${folder}, only in a package that the project uses. Dynamic resources need it in the project itself: ` +
        `run "npm install pulumi-agent-platform" there ("pnpm add", "yarn add"), or use ${NATIVE_PLUGIN}`,
    );
  }
  found.add(folder);
}
