import { CliError } from "../../../cli/base/cli-error";
import { readPreview, runPreview } from "../../../cli/review/preview";
import { reviewOf } from "../../../cli/review/report";
import type { Review, ReviewedObject } from "../../../cli/review/review";
import { PLAYED } from "../../conformance/cases";
import { isKept, TYPES } from "./program";
import type { Write } from "./platform";
import type { EngineStack } from "./stack";
import type { Live } from "./platform";

// What a review says is what `up` sends: none missing, none more.

/** A request that the review of a change says. */
interface Said {
  readonly what: string;
  readonly object: ReviewedObject;
  readonly method: string;
  readonly certain: boolean;
  readonly fields: readonly string[];
  readonly mayHave: readonly string[];
}

/** The review of what `up` with these flags would do; undefined where its preview fails, as `up` would. */
export async function reviewed(stack: EngineStack, flags: readonly string[]): Promise<Review | undefined> {
  const { folder, environment, host } = stack;
  const saved = await runPreview("test", { folder, environment }, [...flags, await host.client(environment)]).catch(
    unsaid,
  );
  if (saved === undefined) return undefined;
  const review = reviewOf(readPreview(saved), undefined);
  // Its program may have left promises that never end (cli-stack.ts); one with targets always does.
  if (review.result === "failed" || flags.length > 0) host.stop();
  return review.result === "failed" ? undefined : review;
}

/** The engine may have put the state out of order: then it previews nothing (docs/internals/engine.md, trap 49). */
function unsaid(error: unknown): undefined {
  if (!(error instanceof CliError)) throw error;
}

const typeOfKind = (kind: string) => TYPES.find((type) => type === kind);

/** Whether the request may be one to this object: by its id, or by a name that it has had. */
function isTo({ object, method }: Said, path: string, known: readonly Live[]): "exactly" | "perhaps" | undefined {
  const type = typeOfKind(object.kind);
  if (type === undefined) return undefined;
  const collection = isKept(type) ? `^/agents/[^/]+${PLAYED[type].path}` : `^${PLAYED[type].path}`;
  if (method === "POST") return new RegExp(`${collection}$`).test(path) ? "perhaps" : undefined;
  const last = new RegExp(`${collection}/([^/]+)$`).exec(path)?.[1];
  if (last === undefined) return undefined;
  const names = known.filter(({ id, type: of }) => of === type && id === object.id).map(({ name }) => name);
  if (last === object.id || names.includes(decodeURIComponent(last))) return "exactly";
  // A new object's id, and a new name, the review does not know.
  return object.id === undefined || object.operation === "replace" || known.every(({ id }) => id !== last)
    ? "perhaps"
    : undefined;
}

/** Where the requests of an `up` are not those of its review. @param isWhole The `up` came to its end. */
export function lies(review: Review, writes: readonly Write[], known: readonly Live[], isWhole: boolean): string[] {
  const left: Said[] = review.objects.flatMap((object) =>
    object.requests.map((request) => ({ ...request, object, what: `${object.kind} ${object.name}` })),
  );
  const found: string[] = [];
  for (const { method, path, fields } of writes) {
    const fits = (said: Said): boolean =>
      said.method === method &&
      isTo(said, path, known) !== undefined &&
      said.fields.every((name) => fields.includes(name)) &&
      fields.every((name) => [...said.fields, ...said.mayHave].includes(name) || said.mayHave.includes("*"));
    const rank = (said: Said): number => (isTo(said, path, known) === "exactly" ? 2 : 0) + Number(said.certain);
    // What is said of one object alone comes before what may be said of any: each request is said once.
    const [said] = left.filter(fits).sort((one, other) => rank(other) - rank(one));
    if (said === undefined) found.push(`${method} ${path} of ${fields.join(", ")} is sent, and not said`);
    else left.splice(left.indexOf(said), 1);
  }
  const missing = isWhole ? left.filter(({ certain }) => certain) : [];
  return [
    ...found,
    ...missing.map(({ what, method, fields }) => `${what}: ${method} of ${fields.join(", ")} is said, and not sent`),
  ];
}

/** For a story: what the review said. */
export const shownReview = ({ objects }: Review): string =>
  objects
    .filter(({ requests }) => requests.length > 0)
    .map(({ kind, name, operation, requests }) => {
      const texts = requests.map(({ method, certain, fields, mayHave }) => {
        const more = mayHave.length > 0 ? ` perhaps ${mayHave.join(",")}` : "";
        return `${certain ? "" : "perhaps "}${method} ${fields.join(",")}${more}`;
      });
      return `${operation} ${kind} ${name}: ${texts.join("; ")}`;
    })
    .join("\n");
