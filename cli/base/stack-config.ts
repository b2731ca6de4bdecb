import { existsSync, readFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { z } from "zod";
import { printedAs, type Target } from "./pulumi";

/** The Pulumi.yaml of a folder; undefined where there is none. */
export const projectFileIn = (folder: string): string | undefined =>
  ["Pulumi.yaml", "Pulumi.yml"].map((name) => join(folder, name)).find((path) => existsSync(path));

/** That of a folder, or of one above it. */
export const projectFile = (folder: string): string | undefined =>
  projectFileIn(folder) ?? (dirname(folder) === folder ? undefined : projectFile(dirname(folder)));

/** The name of that project; empty where its file does not say it on a line of its own. */
export function projectName(folder: string): string | undefined {
  const file = projectFile(folder);
  if (file === undefined) return undefined;
  return /^["']?name["']?:\s*["']?([\w.-]+)/m.exec(readFileSync(file, "utf8"))?.[1] ?? "";
}

/** Configuration of a stack, by its keys. Secrets are in it. */
export type StackConfig = ReadonlyMap<string, string>;

/** A stack, for messages. */
export const stackText = (stack: string | undefined): string =>
  stack === undefined ? "the selected stack" : `stack ${JSON.stringify(stack)}`;

const Config = z.record(z.string(), z.looseObject({ value: z.string().optional() }));

/** The configuration of a stack, else of the selected one. Throws CliError with the reason where it cannot be read. */
export async function configOf(stack: string | undefined, target: Target): Promise<StackConfig> {
  const named = stack === undefined ? [] : [`--stack=${stack}`];
  const failed = `the configuration of ${stackText(stack)} cannot be read: `;
  const config = await printedAs(Config, ["config", "--show-secrets", ...named], target, failed);
  return new Map(
    Object.entries(config).flatMap(([key, { value }]) => (value === undefined ? [] : [[key, value] as const])),
  );
}

const Stacks = z.array(z.object({ current: z.boolean().optional() }));

/** Whether a stack of the project in the folder is selected, as far as the engine can say. */
export const isStackSelected = (target: Target): Promise<boolean> =>
  printedAs(Stacks, ["stack", "ls"], target).then(
    (all) => all.some(({ current }) => current === true),
    () => true,
  );
