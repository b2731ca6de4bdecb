import { type Command, Option } from "commander";
import { z } from "zod";
import { CliError, wrongUsage } from "./cli-error";
import type { Connections } from "./connection";
import { notEmpty } from "./options";
import { nameText } from "./printable";
import type { StackConnection } from "./stack-connections";
import type { StateObject } from "./stack-objects";
import { nameInUrn } from "../../provider/base/engine-format";
import { nearest } from "../../provider/base/nearest";
import type { ConnectionSource } from "../../provider/functions/platform-client";
import type { PlatformReader, ReadObject } from "../../provider/functions/reading";
import { findByKey } from "../../provider/lifecycle/observe/reader";

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

/** A deployment, and the platform that it is on. */
export interface FoundDeployment<Platform> {
  readonly platform: Platform;
  readonly deployment: ShownDeployment;
  /** The object in the state of the stack; undefined unless it was found there. */
  readonly state: StateObject | undefined;
}

/** The most names of deployments in a message. */
const NAMES = 10;
/** How many deployments are read to suggest one for a mistyped name. */
const SEARCHED = 200;

/** Declares the deployment that a command is about. @param without What happens without it. */
export function declareDeployment(command: Command, without = "default: the only one"): Command {
  const name = notEmpty("a name or an id");
  return command
    .argument("[deployment]", `its name in the program or on the platform, or its id (${without})`, name)
    .addOption(new Option("--deployment <name>", "the same").argParser(name).hideHelp());
}

/** The deployment in the argument or the option. */
export function deploymentGiven(command: Command): string | undefined {
  const [argument, option] = [command.processedArgs[0], command.getOptionValue("deployment")].map((given) =>
    typeof given === "string" ? given : undefined,
  );
  if (argument === undefined || option === undefined) return argument ?? option;
  throw wrongUsage("--deployment: the deployment is named already: leave one of the two out");
}

/**
 * The deployment that the user names: one of the stack, by its name in the program, its name on the platform or its id; otherwise one of the
 * platforms, by the last two. Without a name, the only deployment. Throws CliError if there is none, or more than one.
 */
export async function findDeployment<Platform extends PlatformReader>(
  connections: Connections,
  given: string | undefined,
  open: (source: ConnectionSource) => Platform,
): Promise<FoundDeployment<Platform>> {
  const { all, objects, where } = connections;
  const ofStack = objects.flatMap((object): OfStack[] => {
    const connection = all.find(({ isOf }) => isOf(object.provider));
    return object.spec.kind !== "Deployment" || object.id === undefined || connection === undefined
      ? []
      : [{ object, id: object.id, connection }];
  });
  const meant = given === undefined ? ofStack : namedOfStack(ofStack, given);
  const [only, other] = meant;
  if (other !== undefined) throw several(given, namesOf(meant), meant);
  if (only !== undefined) return readOf(only, open(only.connection.source));
  const platforms = all.map(({ source }) => open(source));
  const found = given === undefined ? await allAt(platforms, NAMES + 1) : await namedAt(platforms, given);
  const [one, second] = found;
  if (second !== undefined) {
    throw several(
      given,
      namesAt(found),
      found.map(({ deployment }) => deployment),
    );
  }
  if (one !== undefined) return one;
  const places = platforms.map(placeOf).join(", or ");
  if (given === undefined) throw new CliError(`there are no deployments ${places}`);
  // A failure to find a suggestion must not hide the error.
  const names = ofStack.length > 0 ? namesOf(ofStack) : await allAt(platforms, SEARCHED).then(namesAt, () => []);
  const stack = objects.length > 0 ? `in ${where}, or ` : "";
  throw new CliError(
    `no deployment has the name or id ${JSON.stringify(given)} ${stack}${places}${nearTo(given, names)}`,
  );
}

/** A deployment in the state of the stack. */
interface OfStack {
  readonly object: StateObject;
  readonly id: string;
  readonly connection: StackConnection;
}

/** The deployments with this id; if there are none, those with this Pulumi name; then those with this name on the platform. */
function namedOfStack(ofStack: readonly OfStack[], given: string): readonly OfStack[] {
  const ways = [
    ({ id }: OfStack) => id === given,
    ({ object }: OfStack) => nameInUrn(object.urn) === given,
    ({ object }: OfStack) => object.name === given,
  ];
  return ways.map((way) => ofStack.filter(way)).find((found) => found.length > 0) ?? [];
}

async function readOf<Platform extends PlatformReader>(
  { object, id }: OfStack,
  platform: Platform,
): Promise<FoundDeployment<Platform>> {
  const found = await platform.reader("Deployment").find({ id });
  if (found !== undefined) return { platform, deployment: shown(found), state: object };
  throw new CliError(
    `deployment ${nameText(nameInUrn(object.urn))} of the stack (${id}) does not exist ${placeOf(platform)}: ` +
      "`pulumi refresh` tells the stack, and `pulumi up` makes it again",
  );
}

/** The deployments with this name or id, at most one per platform. */
async function namedAt<Platform extends PlatformReader>(
  platforms: readonly Platform[],
  given: string,
): Promise<FoundDeployment<Platform>[]> {
  const found = await Promise.all(platforms.map((platform) => findByKey(platform.reader("Deployment"), given)));
  return found.flatMap((each, index) => {
    const platform = platforms[index];
    return each === undefined || platform === undefined
      ? []
      : [{ platform, deployment: shown(each), state: undefined }];
  });
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
      found.push({ platform, deployment: shown(each), state: undefined });
    }
  }
  return found;
}

const namesOf = (ofStack: readonly OfStack[]): string[] => ofStack.map(({ object }) => nameInUrn(object.urn));

const namesAt = (found: readonly FoundDeployment<unknown>[]): string[] =>
  found.map(({ deployment }) => deployment.name);

function several(
  given: string | undefined,
  names: readonly string[],
  found: readonly { readonly id: string }[],
): CliError {
  if (given === undefined) return new CliError(`there are several deployments: name one (${listed(names)})`);
  const ids = listed(found.map(({ id }) => id));
  return new CliError(`${JSON.stringify(given)} is the name of several deployments: give the id of one (${ids})`);
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
  const textOf = (value: unknown): string | null => (typeof value === "string" ? value : null);
  return {
    id,
    name: textOf(inputs["name"]) ?? id,
    latestRevisionId: textOf(outputs["latestRevisionId"]),
    activeRevisionId: textOf(details["activeRevisionId"]),
    url: textOf(details["url"]),
  };
}

/** A revision as the reader returns it; null for values that the platform does not give. */
export const Revision = z.object({
  id: z.string(),
  status: z.string(),
  createdAt: z.string().nullable(),
  imageUri: z.string().nullable(),
  repoCommitSha: z.string().nullable(),
});
export type Revision = z.infer<typeof Revision>;

/** The commit that a revision was built from, otherwise its image; null if the platform gives neither. */
export const builtFrom = ({ imageUri, repoCommitSha }: Revision): string | null =>
  repoCommitSha === null ? imageUri : `commit ${repoCommitSha}`;
