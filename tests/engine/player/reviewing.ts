import { CliError } from "../../../cli/base/cli-error";
import { readPreview, runPreview } from "../../../cli/review/preview";
import { reviewOf } from "../../../cli/review/report";
import type { Review, ReviewedObject } from "../../../cli/review/review";
import { PLAYED } from "../../conformance/cases";
import { isKept, TYPES } from "./program";
import type { Live, Write } from "./platform";
import type { EngineStack } from "./stack";

// What a review says is what `up` sends: none missing, none more.

/** A request that the review of a change says. */
type Said = ReviewedObject["requests"][number] & { readonly object: ReviewedObject };

/** The review of what `up` with these flags would do; undefined where its preview fails, as `up` would. */
export async function reviewed(stack: EngineStack, flags: readonly string[]): Promise<Review | undefined> {
  const { folder, environment, host } = stack;
  const all = [...flags, await host.client(environment)];
  const saved = await runPreview("test", { folder, environment }, all).catch((error: unknown) => {
    // The engine may have put the state out of order: then it previews nothing (docs/internals/engine.md, trap 49).
    if (!(error instanceof CliError)) throw error;
  });
  if (saved === undefined) return undefined;
  const review = reviewOf(readPreview(saved), undefined);
  // A program with targets leaves promises that never end, and the next one of the same process would wait for them.
  if (flags.length > 0) host.stop();
  return review.result === "failed" ? undefined : review;
}

/** Whether the request may be one to this object: by its id, or by a name that it has had. */
function isTo({ object, method }: Said, path: string, known: readonly Live[]): "exactly" | "perhaps" | undefined {
  const type = TYPES.find((each) => each === object.kind);
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
  const left = review.objects.flatMap((object) => object.requests.map((request): Said => ({ ...request, object })));
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
    ...missing.map(
      ({ object, method, fields }) =>
        `${object.kind} ${object.name}: ${method} of ${fields.join(", ")} is said, and not sent`,
    ),
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
