import type { Command } from "commander";
import { CliError } from "./cli-error";
import type { Connections } from "./connection";
import { notEmpty } from "./options";
import { byTexts, nameText } from "./printable";
import type { StackConnection } from "./stack-connections";
import { nameInUrn } from "../../provider/base/engine-format";
import { textIn } from "../../provider/base/json";
import { nearest } from "../../provider/base/nearest";
import type { ConnectionSource } from "../../provider/functions/platform-client";
import type { PlatformReader, ReadObject, Revision } from "../../provider/functions/reading";

/** A deployment as commands show it. */
export interface ShownDeployment {
  readonly id: string;
  readonly name: string;
  readonly latestRevisionId: string | null;
  /** The revision that serves. */
  readonly activeRevisionId: string | null;
  /** The agent's address. */
  readonly url: string | null;
}

interface FoundDeployment<Platform> {
  readonly platform: Platform;
  readonly deployment: ShownDeployment;
}

/** The most names of deployments in a message. */
const NAMES = 10;
/** How many deployments are read to suggest one for a mistyped name. */
const SEARCHED = 200;

/** Declares the deployment that a command is about, as its argument. @param without What happens without it. */
export const declareDeployment = (command: Command, without = "default: the only one"): Command =>
  command.argument(
    "[deployment]",
    `its name in the program or on the platform, or its id (${without})`,
    notEmpty("a name or an id"),
  );

/**
 * The deployment that the user names: one of the stack, by its name in the program, its name on the platform or its id; otherwise one of the
 * platforms, by the last two. Without a name, the only deployment. Throws CliError if there is none, or more than one.
 */
export async function findDeployment<Platform extends PlatformReader>(
  { all, objects, where }: Connections,
  given: string | undefined,
  open: (source: ConnectionSource) => Platform,
): Promise<FoundDeployment<Platform>> {
  const ofStack = objects.flatMap(({ spec, id, urn, provider, name }): OfStack[] => {
    const connection = all.find(({ isOf }) => isOf(provider));
    if (spec.kind !== "Deployment" || id === undefined || connection === undefined) return [];
    return [{ id, name: nameInUrn(urn), onPlatform: name, connection }];
  });
  const meant = onlyOne(given, given === undefined ? ofStack : namedOfStack(ofStack, given), (each) => each);
  if (meant !== undefined) return readOf(meant, open(meant.connection.source));
  const platforms = all.map(({ source }) => open(source));
  const there = given === undefined ? await allAt(platforms, NAMES + 1) : await namedAt(platforms, given);
  // Two keys may open one workspace.
  const firstOf = (id: string) => there.find(({ deployment }) => deployment.id === id);
  const different = there.filter((one) => one === firstOf(one.deployment.id));
  const found = onlyOne(given, different, ({ deployment }) => deployment);
  if (found !== undefined) return found;
  const places = platforms.map(placeOf).join(", or ");
  if (given === undefined) throw new CliError(`there are no deployments ${places}`);
  // A failure to find a suggestion must not hide the error.
  const known = ofStack.length > 0 ? ofStack : await allAt(platforms, SEARCHED).catch(() => []);
  const names = known.map((each) => ("deployment" in each ? each.deployment.name : each.name));
  const stack = objects.length > 0 ? `in ${where}, or ` : "";
  throw new CliError(
    `no deployment has the name or id ${JSON.stringify(given)} ${stack}${places}${nearTo(given, names)}`,
  );
}

/** A deployment in the state of the stack. */
interface OfStack {
  readonly id: string;
  /** In the program. */
  readonly name: string;
  readonly onPlatform: string | undefined;
  readonly connection: StackConnection;
}

/** The deployments with this id; if there are none, those with this Pulumi name; then those with this name on the platform. */
function namedOfStack(ofStack: readonly OfStack[], given: string): readonly OfStack[] {
  const ways = [
    ({ id }: OfStack) => id === given,
    ({ name }: OfStack) => name === given,
    ({ onPlatform }: OfStack) => onPlatform === given,
  ];
  return ways.map((way) => ofStack.filter(way)).find((found) => found.length > 0) ?? [];
}

/** What was found; undefined if nothing was. Throws CliError if there is more than one. */
function onlyOne<Found>(
  given: string | undefined,
  all: readonly Found[],
  titleOf: (found: Found) => { readonly id: string; readonly name: string },
): Found | undefined {
  if (all.length < 2) return all[0];
  const titles = all.map(titleOf).sort(byTexts(({ name, id }) => [name, id]));
  const names = titles.map(({ name }) => name);
  if (given === undefined) throw new CliError(`there are several deployments: name one (${listed(names)})`);
  // In the program each has a name of its own.
  const [what, which] = new Set(names).size === names.length ? ["name", names] : ["id", titles.map(({ id }) => id)];
  throw new CliError(
    `${JSON.stringify(given)} is the name of several deployments: give the ${what} of one (${listed(which)})`,
  );
}

async function readOf<Platform extends PlatformReader>(
  { id, name }: OfStack,
  platform: Platform,
): Promise<FoundDeployment<Platform>> {
  const found = await platform.reader("Deployment").find({ id });
  if (found !== undefined) return { platform, deployment: shown(found) };
  throw new CliError(
    `deployment ${nameText(name)} of the stack (${id}) does not exist ${placeOf(platform)}: ` +
      "`pulumi refresh` tells the stack, and `pulumi up` makes it again",
  );
}

/** The deployments with this name or id, at most one per platform. */
async function namedAt<Platform extends PlatformReader>(
  platforms: readonly Platform[],
  given: string,
): Promise<FoundDeployment<Platform>[]> {
  const found = platforms.map(async (platform) => {
    const object = await platform.reader("Deployment").findNamed(given);
    return object === undefined ? [] : [{ platform, deployment: shown(object) }];
  });
  return (await Promise.all(found)).flat();
}

/** The first deployments of all platforms. */
async function allAt<Platform extends PlatformReader>(
  platforms: readonly Platform[],
  most: number,
): Promise<FoundDeployment<Platform>[]> {
  const found: FoundDeployment<Platform>[] = [];
  for (const platform of platforms) {
    for await (const each of platform.reader("Deployment").list()) {
      if (found.length >= most) return found;
      found.push({ platform, deployment: shown(each) });
    }
  }
  return found;
}

/** A suggestion for a mistyped name. */
function nearTo(given: string, names: readonly string[]): string {
  const near = nearest(given, names);
  if (near !== undefined) return `: did you mean ${nameText(near)}?`;
  return names.length === 0 ? "" : `: it is none of ${listed(names)}`;
}

const listed = (names: readonly string[]): string =>
  names.slice(0, NAMES).map(nameText).join(", ") + (names.length > NAMES ? ", ..." : "");

const placeOf = ({ connection }: PlatformReader): string => `at ${connection.baseUrl} for this key and tenant`;

function shown({ id, inputs, outputs, details }: ReadObject): ShownDeployment {
  return {
    id,
    name: textIn(inputs, "name") ?? id,
    latestRevisionId: textIn(outputs, "latestRevisionId") ?? null,
    activeRevisionId: textIn(details, "activeRevisionId") ?? null,
    url: textIn(details, "url") ?? null,
  };
}

/** The commit that a revision was built from, otherwise its image; null if the platform gives neither. */
export const builtFrom = ({ imageUri, repoCommitSha }: Pick<Revision, "imageUri" | "repoCommitSha">): string | null =>
  repoCommitSha === null ? imageUri : `commit ${repoCommitSha}`;
