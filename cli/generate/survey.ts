import { byTexts } from "../base/printable";
import type { ManagedTypeSpec } from "../base/managed-types";
import type { LiveObject } from "../base/place";
import type { ProgressLine } from "../base/style";
import { wholeLists } from "../base/whole-list";
import { span } from "./print";
import type { Connection } from "../../provider/base/connection";
import { isObject, type JsonObject, textIn } from "../../provider/base/json";
import type { PlatformReader, ReadObject } from "../../provider/functions/reading";
import { type Problem, showProblem } from "../../provider/lifecycle/fields/fields";
import { declarationOf } from "../../provider/lifecycle/observe/shortest-declaration";
import { isBeingDeleted } from "../../provider/resources/deployment/observe";
import { meaningOf } from "../../provider/resources/rollout/classify";

/** An object of the platform, as a program is to declare it. */
export interface Surveyed extends LiveObject {
  /** The arguments, without `adopt`. */
  readonly args: JsonObject;
  /** Required arguments that the platform does not show: the stack's configuration gives them. */
  readonly needs: readonly string[];
  /** A deployment's variables by name, if the platform shows them. */
  readonly variables?: readonly string[];
  /** The status of a deployment's latest revision, if that one will never be DEPLOYED. */
  readonly failed?: string;
}

/** The objects that were read, in a fixed order, and a sentence of Markdown for everything that was not read. */
export interface Survey {
  readonly objects: readonly Surveyed[];
  readonly unread: readonly string[];
  /** The kinds that the key may not list, each with the reason. */
  readonly refused: readonly string[];
}

/** Reads the whole tenant, and changes nothing. Throws as {@link wholeLists}. */
export async function survey(platform: PlatformReader, progress: Pick<ProgressLine, "show">): Promise<Survey> {
  const objects: Surveyed[] = [];
  const unread: string[] = [];
  const refused: string[] = [];
  for await (const { spec, found, unlisted, refusal } of wholeLists(platform, progress, { secrets: {} })) {
    if (unlisted !== undefined) {
      unread.push(`The ${spec.many}: ${unlisted}. ${refusal ? "Use a key that may." : withoutList(spec)}`);
      if (refusal) refused.push(`${spec.many}: ${unlisted}`);
    } else {
      const judged: Judged[] = [];
      for (const object of found) {
        judged.push(classify(spec, object, await stateOf(platform, spec, object), platform.connection));
      }
      objects.push(...judged.flatMap(({ object }) => object ?? []).sort(byTexts(({ name, id }) => [name, id])));
      unread.push(...judged.flatMap((each) => each.unread));
    }
  }
  return { objects, unread, refused };
}

async function stateOf(platform: PlatformReader, { kind }: ManagedTypeSpec, object: ReadObject): Promise<ObjectState> {
  if (kind === "Deployment") return rolloutStateOf(platform, object);
  return kind === "SandboxSnapshot" || kind === "SandboxVolume" ? builtStateOf(object) : {};
}

function withoutList({ table: { undocumented = [] } }: ManagedTypeSpec): string {
  // If the documented way to read one is by its id, not from the list.
  const isReadById = undocumented.includes("list") && !undocumented.includes("read");
  return isReadById
    ? 'To take one over, declare it with `adopt: "<its id>"`.'
    : "They cannot be taken over here, either.";
}

interface Judged {
  readonly object?: Surveyed;
  readonly unread: readonly string[];
}

/** The part of an object that can be declared: all of it, all but some properties, or nothing. */
function classify(spec: ManagedTypeSpec, read: ReadObject, state: ObjectState, connection: Connection): Judged {
  const { id, inputs, outputs } = read;
  const name = textIn(inputs, spec.naturalKey);
  const what = `${spec.one} ${span(name ?? id)} (${span(id)})`;
  if (state.left) return { unread: [`The ${what}: ${state.left}.`] };
  const { inputs: args, refused, needs, isRefused } = declarationOf(spec, read, connection);
  if (name === undefined || isRefused) {
    return { unread: [`The ${what}: a program with it would be refused: ${reasons(refused)}.`] };
  }
  const left = [...new Set(refused.map(({ path }) => span(String(path[0]))))].join(", ");
  const unread =
    refused.length === 0 ? [] : [`${left} of the ${what}: a program with it would be refused: ${reasons(refused)}.`];
  const variables = isObject(inputs["secrets"]) ? Object.keys(inputs["secrets"]).sort() : undefined;
  return { object: { spec, id, name, outputs, args, needs, variables, failed: state.failed }, unread };
}

const reasons = (problems: readonly Problem[]): string =>
  [...new Set(problems.map((problem) => span(showProblem(problem))))].join(", ");

/** Why an object cannot be declared like any other; empty if it can. */
interface ObjectState {
  /** Why it cannot be declared at all: a part of a sentence. */
  readonly left?: string;
  /** For a deployment: the status of its latest revision, if that one will never be DEPLOYED. */
  readonly failed?: string;
}

/** The state of a deployment that was read. Requests its latest revision, unless that is the one that serves. */
async function rolloutStateOf(platform: PlatformReader, { id, outputs, details }: ReadObject): Promise<ObjectState> {
  const { status, activeRevisionId } = details;
  const { latestRevisionId } = outputs;
  if (typeof status === "string" && isBeingDeleted({ status }))
    return { left: `it is being deleted (${span(status)})` };
  if (typeof latestRevisionId !== "string" || latestRevisionId === activeRevisionId) return {};
  const { status: ended } = await platform.revision(id, latestRevisionId);
  return ["failed", "superseded"].includes(meaningOf(ended)) ? { failed: ended } : {};
}

/** The state of an object that is built: it cannot be taken over unless it is ready, and a snapshot's tag cannot be declared if it has lost it. */
function builtStateOf({ inputs, details: { status } }: ReadObject): ObjectState {
  if (typeof status === "string" && status !== "ready") return { left: `it is not ready (${span(status)})` };
  return inputs["tag"] === "" ? { left: "a newer one has its tag" } : {};
}
