import { readdirSync, readFileSync, statSync } from "node:fs";
import { dirname, isAbsolute, join, relative } from "node:path";
import { parse } from "yaml";
import { z } from "zod";
import { CliError } from "../cli/base/cli-error";
import { shortText } from "../cli/base/printable";
import { projectFileIn } from "../cli/base/stack-config";
import { matching, stacksOf } from "../cli/base/stacks";
import { messageOf } from "../provider/base/errors";
import { someOf } from "../provider/base/plain-text";
import { matchesWildcard } from "../provider/base/wildcard";
import type { FleetFile, Gate, WaveInFile } from "./file";
import { say } from "./process";

/** A stack of a fleet. */
export interface FleetStack {
  /** `<project>/<stack>` */
  readonly id: string;
  /** Its name for the engine: `organization/<project>/<stack>`. */
  readonly stack: string;
  /** The project's folder, relative to the fleet file. */
  readonly folder: string;
  readonly labels: Readonly<Record<string, string>>;
  /** The run that has done it already: this one leaves it out. */
  readonly doneBy?: string;
}

/** A wave of a plan. */
export interface Wave {
  readonly name: string;
  readonly stacks: readonly FleetStack[];
  readonly gate?: Gate | undefined;
  /** Whether an earlier run has passed its gate. */
  readonly isPassed?: boolean;
}

/** The stacks of a wave that are to be done. */
export const leftOf = ({ stacks }: Wave): FleetStack[] => stacks.filter(({ doneBy }) => doneBy === undefined);

const Runtime = z.looseObject({
  name: z.string(),
  options: z.looseObject({ typescript: z.boolean().optional(), virtualenv: z.string().optional() }).optional(),
});
const Project = z.looseObject({
  name: z.string().min(1),
  /** The program, relative to the folder. */
  main: z.string().default("."),
  runtime: z.union([z.string().transform((name): z.output<typeof Runtime> => ({ name })), Runtime]),
  backend: z.looseObject({ url: z.string().optional() }).optional(),
});
type FoundProject = z.output<typeof Project> & { readonly folder: string };

/** The stacks of a fleet, in the order of their names. Throws CliError that names the wrong stack or folder. */
export async function stacksIn(file: FleetFile, root: string): Promise<FleetStack[]> {
  const listed = new Map<string | undefined, Promise<readonly string[]>>();
  const folders = new Map<string, string>();
  const found = new Map<string, FleetStack>();
  for (const { project: pattern, stacks: wanted, labels } of file.stacks) {
    const there = new Map<string, FleetStack>();
    const projects = projectsAt(pattern, root);
    for (const { name, folder, backend } of projects) {
      const other = folders.get(name) ?? folder;
      if (other !== folder)
        throw new CliError(`${other} and ${folder} are both the project ${JSON.stringify(name)}: rename one of them`);
      folders.set(name, folder);
      // A relative address is another place for each project.
      const place = /^file:\/\/[^/~]/.test(backend?.url ?? "") ? folder : backend?.url;
      const target = { folder: join(root, folder), environment: process.env };
      const all = listed.get(place) ?? stacksOf("backend", target);
      listed.set(place, all);
      for (const stack of await all) {
        const [short = "", project] = stack.split("/").reverse();
        const id = `${name}/${short}`;
        if (project === name) there.set(id, { id, stack, folder, labels: { ...found.get(id)?.labels, ...labels } });
      }
    }
    const those = meant(wanted, [...there.values()], `stacks: ${pattern}`);
    for (const stack of those) found.set(stack.id, stack);
    const used = new Set(those.map(({ id }) => dirname(id)));
    const idle = projects.flatMap(({ name, folder }) => (used.has(name) ? [] : folder));
    if (idle.length > 0)
      say(`stacks: ${pattern}: left out, since no stack matches: ${shortText(idle.join(", "), 300)}`, process.stderr);
  }
  return [...found.values()].sort((one, other) => (one.id < other.id ? -1 : 1));
}

/** The stacks that the patterns mean. Throws CliError for a pattern that means none. */
function meant(patterns: readonly string[], stacks: readonly FleetStack[], where: string): FleetStack[] {
  const all = stacks.map(({ id }) => id);
  try {
    const ids = new Set(patterns.flatMap((pattern) => matching(all, [pattern])));
    return stacks.filter(({ id }) => ids.has(id));
  } catch (error) {
    throw new CliError(`${where}: ${messageOf(error)}`);
  }
}

function projectsAt(pattern: string, root: string): FoundProject[] {
  if (isAbsolute(pattern))
    throw new CliError(`stacks: ${pattern} must be relative to the fleet file: other workers have it elsewhere`);
  const folders = foldersLike(pattern, root).filter((folder) => projectFileIn(folder) !== undefined);
  if (folders.length === 0) throw new CliError(`stacks: no folder at ${JSON.stringify(pattern)} has a Pulumi.yaml`);
  return folders.map((folder) => projectIn(folder, root));
}

function foldersLike(pattern: string, root: string): string[] {
  const isLike = (part: string, name: string): boolean => matchesWildcard(part, name) && !name.startsWith(".");
  const isFolder = (path: string): boolean => statSync(path, { throwIfNoEntry: false })?.isDirectory() === true;
  const inside = (folder: string, part: string): string[] =>
    (part.includes("*") ? readdirSync(folder).sort() : [part])
      .filter((name) => name === part || isLike(part, name))
      .map((name) => join(folder, name))
      .filter(isFolder);
  return pattern.split("/").reduce((folders, part) => folders.flatMap((folder) => inside(folder, part)), [root]);
}

/** The project in a folder. Throws CliError if there is none. */
export function projectIn(folder: string, root: string): FoundProject {
  const path = projectFileIn(folder) ?? join(folder, "Pulumi.yaml");
  try {
    return { ...Project.parse(parse(readFileSync(path, "utf8"))), folder: relative(root, folder) || "." };
  } catch (error) {
    const reason = error instanceof z.ZodError ? z.prettifyError(error) : messageOf(error);
    throw new CliError(`${relative(root, path)} is no Pulumi project: ${reason}`);
  }
}

/** Where a stack's project is on this machine. Throws CliError if another one is there: a checkout can be another fleet's, or older. */
export function placeOf({ id, folder }: FleetStack, root: string): string {
  const path = join(root, folder);
  const { name } = projectIn(path, root);
  if (name === dirname(id)) return path;
  throw new CliError(
    `${folder} has the project ${name} here, so ${id} was not touched: give each fleet a database of its own, and each worker the same checkout`,
  );
}

/** Puts each stack into one wave. Throws CliError for a wave that names nobody, and for a stack that two waves name. */
export function wavesOf(waves: readonly WaveInFile[], stacks: readonly FleetStack[]): Wave[] {
  const holder = new Map<FleetStack, string>();
  const named = waves.map((wave) => {
    const those = namedBy(wave, stacks);
    for (const stack of those ?? []) {
      const other = holder.get(stack);
      if (other !== undefined)
        throw new CliError(
          `waves: ${other} and ${wave.name} both name the stack ${stack.id}: take it out of one of them`,
        );
      holder.set(stack, wave.name);
    }
    return those;
  });
  let left = stacks.filter((stack) => !holder.has(stack));
  const shared = waves.map(({ name, share, gate }, at): Wave => {
    const most = share === undefined ? left.length : Math.ceil((left.length * Number.parseInt(share, 10)) / 100);
    const own = named[at] ?? left.slice(0, most);
    if (named[at] === undefined) left = left.slice(most);
    if (own.length === 0) throw new CliError(`waves: ${name} has no stacks: earlier waves have them all, so remove it`);
    return { name, stacks: own, gate };
  });
  if (left.length > 0)
    throw new CliError(
      `waves: no wave has ${someOf(left.map(({ id }) => id))}: add a last wave without stacks, labels and share, which takes whoever is left`,
    );
  return shared;
}

function namedBy({ name, stacks: wanted, labels }: WaveInFile, stacks: readonly FleetStack[]) {
  if (labels !== undefined) {
    const those = stacks.filter((each) => Object.entries(labels).every(([key, value]) => each.labels[key] === value));
    if (those.length > 0) return those;
    throw new CliError(`waves: ${name} has no stacks: none has the labels ${JSON.stringify(labels)}`);
  }
  return wanted && meant(wanted, stacks, `waves: ${name}`);
}
