import { join } from "node:path";
import type { CliStack } from "./cli-stack";
import { runProcess, type Ended } from "./run-process";

const BUILT = join(__dirname, "..", "..", "dist", "cli", "main.js");

/** The built command line in a process of its own, in a stack's folder: exit codes and the engine's environment are the point. */
export const cliCommand = (
  { folder, environment }: Pick<CliStack, "folder" | "environment">,
  ...args: string[]
): Promise<Ended> => runProcess(process.execPath, [BUILT, ...args], folder, { environment });
