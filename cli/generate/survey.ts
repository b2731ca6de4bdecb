import { AgentPlatformError, isNotFound, isNotOffered } from "../../provider/base/errors";
import type { FieldRules } from "../../provider/lifecycle/fields";
import { isObject, type JsonObject } from "../../provider/base/json";
import { problemsOf, showProblem, type Problem } from "../../provider/lifecycle/schema";
import type { PlatformReader, ReadObject } from "../../provider/reading";
import { declaredOf } from "./declared";
import { rolloutStateOf, type RolloutState } from "./deployment-state";
import { span } from "./literal";
import { leastOf, NOUNS, type Words } from "./nouns";

/** An object of the platform, as a program is to declare it. */
export interface Surveyed {
  readonly words: Words;
  readonly id: string;
  /** What it is called on the platform. */
  readonly name: string;
  /** The arguments, without `adopt`. */
  readonly args: JsonObject;
  /** Of a deployment: the names of its variables; undefined where the platform does not show them. */
  readonly variables?: readonly string[];
  /** Of a deployment: the status of its latest revision, where waiting for that one would be in vain. */
  readonly failed?: string;
}

/** What was read, in a fixed order, and what was not, a sentence of Markdown each. */
export interface Survey {
  readonly objects: readonly Surveyed[];
  readonly unread: readonly string[];
}

/** Told how many objects of a kind were read so far. */
export type Progress = (words: Words, count: number) => void;

/** Reads the whole tenant, and changes nothing. Throws where a list that the platform offers cannot be read to its end. */
export async function survey(platform: PlatformReader, progress: Progress): Promise<Survey> {
  const objects: Surveyed[] = [];
  const unread: string[] = [];
  for (const words of NOUNS) {
    const { fields } = platform.reader(words.kind);
    const found = await listOf(platform, words, progress);
    if (found === "no list") unread.push(withoutList(platform, words));
    else {
      const judged: Judged[] = [];
      for (const object of found) {
        const state = words.kind === "Deployment" ? await rolloutStateOf(platform, object) : {};
        judged.push(judge(words, fields, object, state));
      }
      objects.push(...judged.flatMap(({ object }) => object ?? []).sort(byName));
      unread.push(...judged.flatMap((each) => each.unread));
    }
  }
  return { objects, unread };
}

async function listOf(platform: PlatformReader, words: Words, progress: Progress): Promise<ReadObject[] | "no list"> {
  const documented = platform.connection.contract === "documented";
  if (documented && words.kind !== "SandboxTemplate") return "no list";
  // By id: while others delete, pages shift, and an object may come twice.
  const found = new Map<string, ReadObject>();
  try {
    for await (const object of platform.reader(words.kind).list({ secrets: {} })) {
      found.set(object.id, object);
      progress(words, found.size);
    }
    return [...found.values()];
  } catch (error) {
    const cause = error instanceof AgentPlatformError ? error.cause : undefined;
    if (isNotFound(cause) || isNotOffered(cause)) return "no list";
    throw error;
  }
}

function withoutList({ connection }: PlatformReader, { kind, many }: Words): string {
  const which = connection.contract === "documented" ? "contract `documented`" : "this platform";
  const remedy =
    kind === "Deployment"
      ? 'To take one over, declare it with `adopt: "<its id>"`.'
      : "They cannot be taken over here, either.";
  return `The ${many}: ${which} has no list of them. ${remedy}`;
}

interface Judged {
  readonly object?: Surveyed;
  readonly unread: readonly string[];
}

/** What can be declared of an object: all of it, all but some properties, or nothing. */
function judge(words: Words, fields: FieldRules, { id, inputs }: ReadObject, state: RolloutState): Judged {
  const name = inputs[words.naturalKey];
  const what = `${words.one} ${span(typeof name === "string" ? name : id)} (${span(id)})`;
  if (state.deleting) return { unread: [`The ${what}: it is being deleted (${span(state.deleting)}).`] };
  const declared = declaredOf(fields, inputs);
  const least = leastOf(words);
  const whole = pick(words, (key) => declared[key] ?? least[key]);
  const wrong = problemsOf(words.inputs.schema, whole);
  const refused = new Set(wrong.map(({ path }) => path[0]));
  const args = pick(words, (key) => (refused.has(key) ? undefined : whole[key]));
  if (typeof name !== "string" || problemsOf(words.inputs.schema, args).length > 0) {
    return { unread: [`The ${what}: a program with it would be refused: ${reasons(wrong)}.`] };
  }
  const left = [...refused].map((key) => span(String(key))).join(", ");
  const unread =
    refused.size === 0 ? [] : [`${left} of the ${what}: a program with it would be refused: ${reasons(wrong)}.`];
  const variables = isObject(inputs["secrets"]) ? Object.keys(inputs["secrets"]).sort() : undefined;
  return { object: { words, id, name, args, variables, failed: state.failed }, unread };
}

const reasons = (problems: readonly Problem[]): string =>
  [...new Set(problems.map((problem) => span(showProblem(problem))))].join(", ");

function pick({ inputs }: Words, valueOf: (key: string) => JsonObject[string]): JsonObject {
  const all = inputs.properties.map((key) => [key, valueOf(key)] as const);
  return Object.fromEntries(all.filter(([, value]) => value !== undefined));
}

function byName(a: Surveyed, b: Surveyed): number {
  if (a.name !== b.name) return a.name < b.name ? -1 : 1;
  return a.id < b.id ? -1 : 1;
}
