import { readFileSync } from "node:fs";
import { dirname, resolve } from "node:path";
import { parse } from "yaml";
import { z } from "zod";
import { wrongUsage } from "../cli/base/cli-error";
import { messageOf } from "../provider/base/errors";

const Labels = z.record(z.string(), z.string());
const patterns = z.array(z.string().min(1)).min(1);

const Project = z.strictObject({
  /** Folders with a Pulumi.yaml; `*` stands for any text of one name. */
  project: z.string().min(1),
  /** Names or patterns. @default all stacks of the project */
  stacks: patterns.default(["*"]),
  labels: Labels.default({}),
});

const Gate = z.strictObject({
  /** What `drift` has to say of each stack of the wave. */
  drift: z.literal("clean").optional(),
  /** No RunCheck of the wave's stacks has rolled an agent back. */
  checks: z.literal("passed").optional(),
  /** Whether a person has to say `approve`. */
  approve: z.boolean().default(false),
});
export type Gate = z.output<typeof Gate>;

const PERCENT = /^(100|[1-9]\d?)%$/;
const Wave = z
  .strictObject({
    name: z.string().regex(/^[\w-]+$/, "must be letters, digits, - and _"),
    stacks: patterns.optional(),
    labels: Labels.optional(),
    share: z.string().regex(PERCENT, 'must be a share such as "10%"').optional(),
    gate: Gate.optional(),
  })
  .refine(({ stacks, labels, share }) => [stacks, labels, share].filter((each) => each !== undefined).length <= 1, {
    message: "has more than one of stacks, labels and share: keep one of them",
  });
export type WaveInFile = z.output<typeof Wave>;

const count = z.number().int().min(1).max(10_000);
const Limits = z.strictObject({
  /** How many engines a worker runs at a time. */
  concurrency: count.max(64).default(4),
  /** How many stacks with the same label `platform` run at a time, on all workers together. */
  perPlatform: count.optional(),
  /** The run stops after so many stacks have failed. */
  failures: count.default(1),
});
export type Limits = z.output<typeof Limits>;

const File = z.strictObject({
  stacks: z.array(Project).min(1),
  waves: z
    .array(Wave)
    .min(1)
    .default([{ name: "all" }]),
  limits: Limits.prefault({}),
});
/** A fleet.yaml. */
export type FleetFile = z.output<typeof File>;

/** Reads a fleet.yaml. Throws CliError that names the key and the remedy. */
export function readFleetFile(path: string): FleetFile {
  let text: string;
  try {
    text = readFileSync(path, "utf8");
  } catch (error) {
    throw wrongUsage(`${path} cannot be read: ${messageOf(error)}. Name the file of the fleet with --file`);
  }
  return fleetFileOf(text, path);
}

/** The same from its text. */
export function fleetFileOf(text: string, path: string): FleetFile {
  let given: unknown;
  try {
    given = parse(text);
  } catch (error) {
    throw wrongUsage(`${path} is no YAML: ${messageOf(error)}`);
  }
  const { data, error } = File.safeParse(given);
  if (data === undefined) throw wrongUsage(`${path}:\n${z.prettifyError(error)}`);
  const names = data.waves.map(({ name }) => name);
  const twice = names.find((name, at) => names.indexOf(name) !== at);
  if (twice !== undefined)
    throw wrongUsage(`${path}: two waves are named ${JSON.stringify(twice)}: rename one of them`);
  return data;
}

/** The folder that a fleet file's projects are relative to. */
export const folderOf = (path: string): string => dirname(resolve(path));
