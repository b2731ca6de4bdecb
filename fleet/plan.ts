import { existsSync, readdirSync, readFileSync, statSync } from "node:fs";
import { isAbsolute, join, relative } from "node:path";
import { parse } from "yaml";
import { z } from "zod";
import { CliError } from "../cli/base/cli-error";
import { matching, stacksOf } from "../cli/base/stacks";
import { messageOf } from "../provider/base/errors";
import { matchesWildcard } from "../provider/base/wildcard";
import type { FleetFile, Gate, Limits, WaveInFile } from "./file";

/** A stack of a fleet. */
export interface FleetStack {
  /** `<project>/<stack>` */
  readonly id: string;
  readonly stack: string;
  /** The project's folder, relative to the fleet file. */
  readonly folder: string;
  readonly labels: Readonly<Record<string, string>>;
}

/** A wave of a plan. */
export interface Wave {
  readonly name: string;
  readonly stacks: readonly FleetStack[];
  readonly gate?: Gate | undefined;
  /** The ids of those that an earlier run has done, and this one leaves out. */
  readonly done?: readonly string[];
}

/** What a run does, in its order. */
export interface Plan {
  readonly waves: readonly Wave[];
  readonly limits: Limits;
}

const Project = z.looseObject({
  name: z.string().min(1),
  runtime: z.union([z.string(), z.looseObject({ name: z.string() })]),
  backend: z.looseObject({ url: z.string().optional() }).optional(),
});

interface FoundProject {
  readonly name: string;
  readonly folder: string;
  readonly backend: string | undefined;
}

/** Lists the stacks of a backend as "organization/project/stack"; to be asked in a project's folder. */
export type ListStacks = (folder: string) => Promise<readonly string[]>;

/** Asks the engine, once for all projects of a backend. */
export const engineStacks =
  (environment: NodeJS.ProcessEnv): ListStacks =>
  (folder) =>
    stacksOf("backend", { folder, environment });

/** The stacks of a fleet, in the order of their names. Throws CliError with everything that is wrong, by name. */
export async function stacksIn(file: FleetFile, root: string, list: ListStacks): Promise<FleetStack[]> {
  const listed = new Map<string | undefined, Promise<readonly string[]>>();
  const folders = new Map<string, string>();
  const found = new Map<string, FleetStack>();
  for (const { project: pattern, stacks: wanted, labels } of file.stacks) {
    const projects = projectsAt(pattern, root);
    let isMet = false;
    for (const { name, folder, backend } of projects) {
      const other = folders.get(name) ?? folder;
      if (other !== folder)
        throw new CliError(`${other} and ${folder} are both the project ${JSON.stringify(name)}: rename one of them`);
      folders.set(name, folder);
      const all = listed.get(backend) ?? list(join(root, folder));
      listed.set(backend, all);
      const own = (await all).map((each) => each.split("/")).filter((parts) => parts.at(-2) === name);
      for (const stack of matchingOf(
        own.map((parts) => parts.at(-1) ?? ""),
        wanted,
        projects.length > 1,
        name,
      )) {
        isMet = true;
        const id = `${name}/${stack}`;
        found.set(id, { id, stack, folder, labels: { ...found.get(id)?.labels, ...labels } });
      }
    }
    if (!isMet)
      throw new CliError(
        `stacks: no project at ${JSON.stringify(pattern)} has a stack like ${wanted.join(", ")}: make one with \`pulumi stack init\`, or correct the pattern`,
      );
  }
  return [...found.values()].sort((one, other) => (one.id < other.id ? -1 : 1));
}

/** Of one project each pattern has to match; of many, a pattern may be meant for the others. */
function matchingOf(
  stacks: readonly string[],
  patterns: readonly string[],
  isOneOfMany: boolean,
  name: string,
): string[] {
  const missing = patterns.filter((pattern) => !stacks.some((stack) => matchesWildcard(pattern, stack)));
  if (!isOneOfMany && missing.length > 0) {
    const there = stacks.length === 0 ? "it has none" : `its stacks are ${stacks.slice(0, 10).join(", ")}`;
    throw new CliError(
      `project ${JSON.stringify(name)} has no stack ${missing.map((each) => JSON.stringify(each)).join(", ")}: ${there}`,
    );
  }
  return stacks.filter((stack) => patterns.some((pattern) => matchesWildcard(pattern, stack)));
}

function projectsAt(pattern: string, root: string): FoundProject[] {
  const isGlob = pattern.includes("*");
  const folders = isGlob
    ? foldersLike(pattern, root).filter((folder) => fileOf(folder) !== undefined)
    : [join(root, pattern)];
  if (isAbsolute(pattern))
    throw new CliError(`stacks: ${pattern} must be relative to the fleet file: other workers have it elsewhere`);
  if (folders.length === 0) throw new CliError(`stacks: no folder at ${JSON.stringify(pattern)} has a Pulumi.yaml`);
  return folders.map((folder) => projectIn(folder, root));
}

function foldersLike(pattern: string, root: string): string[] {
  const inside = (folder: string, part: string): string[] => {
    if (!part.includes("*")) return existsSync(join(folder, part)) ? [join(folder, part)] : [];
    const names = readdirSync(folder).filter((name) => matchesWildcard(part, name) && !name.startsWith("."));
    return names
      .sort()
      .map((name) => join(folder, name))
      .filter((path) => statSync(path).isDirectory());
  };
  return pattern.split("/").reduce((folders, part) => folders.flatMap((folder) => inside(folder, part)), [root]);
}

const fileOf = (folder: string): string | undefined =>
  ["Pulumi.yaml", "Pulumi.yml"].map((name) => join(folder, name)).find((path) => existsSync(path));

function projectIn(folder: string, root: string): FoundProject {
  const [path, shown] = [fileOf(folder), relative(root, folder) || "."];
  if (path === undefined)
    throw new CliError(`stacks: ${shown} has no Pulumi.yaml: name the folder of a Pulumi project`);
  let text: unknown;
  try {
    text = parse(readFileSync(path, "utf8"));
  } catch (error) {
    throw new CliError(`${join(shown, "Pulumi.yaml")} is no YAML: ${messageOf(error)}`);
  }
  const { data, error } = Project.safeParse(text);
  if (data === undefined) {
    const [issue] = error.issues;
    throw new CliError(
      `${join(shown, "Pulumi.yaml")} is no Pulumi project: ${issue?.path.join(".") ?? ""}: ${issue?.message ?? ""}`,
    );
  }
  return { name: data.name, folder: shown, backend: data.backend?.url };
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
      `waves: no wave has ${namesOf(left)}: add a last wave without stacks, labels and share, which takes whoever is left`,
    );
  return shared;
}

function namedBy(
  { name, stacks: wanted, labels }: WaveInFile,
  stacks: readonly FleetStack[],
): FleetStack[] | undefined {
  if (labels !== undefined) {
    const those = stacks.filter((each) => Object.entries(labels).every(([key, value]) => each.labels[key] === value));
    if (those.length > 0) return those;
    throw new CliError(`waves: ${name} has no stacks: none has the labels ${JSON.stringify(labels)}`);
  }
  if (wanted === undefined) return undefined;
  const ids = stacks.map(({ id }) => id);
  try {
    const meant = new Set(wanted.flatMap((pattern) => matching(ids, [pattern])));
    return stacks.filter(({ id }) => meant.has(id));
  } catch (error) {
    throw new CliError(`waves: ${name}: ${messageOf(error)}`);
  }
}

const namesOf = (stacks: readonly FleetStack[]): string =>
  stacks
    .slice(0, 10)
    .map(({ id }) => id)
    .join(", ") + (stacks.length > 10 ? ` and ${stacks.length - 10} more` : "");

/** Refuses stacks whose secrets need a passphrase that this process does not have. */
export function checkPassphrases(stacks: readonly FleetStack[], root: string, environment: NodeJS.ProcessEnv): void {
  const { PULUMI_CONFIG_PASSPHRASE: phrase, PULUMI_CONFIG_PASSPHRASE_FILE: file } = environment;
  if (phrase !== undefined || file !== undefined) return;
  const closed = stacks.filter(({ folder, stack }) => {
    const path = join(root, folder, `Pulumi.${stack}.yaml`);
    return existsSync(path) && /^encryptionsalt:/m.test(readFileSync(path, "utf8"));
  });
  if (closed.length > 0)
    throw new CliError(
      `the passphrase is missing of ${namesOf(closed)}: set PULUMI_CONFIG_PASSPHRASE or PULUMI_CONFIG_PASSPHRASE_FILE`,
    );
}
