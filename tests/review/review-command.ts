import { join, resolve } from "node:path";
import { runProcess, type Ended } from "../support/run-process";
import type { CliStack } from "../support/cli-stack";

const BUILT = join(resolve(__dirname, "../.."), "dist/cli/main.js");

/** The built command in a process of its own, on a stack: exit codes and the engine's environment are the point. */
export const reviewCommand = (
  { folder, environment }: Pick<CliStack, "folder" | "environment">,
  ...args: string[]
): Promise<Ended> => runProcess(process.execPath, [BUILT, "review", ...args], folder, { environment });
