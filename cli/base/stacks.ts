import { z } from "zod";
import { CliError } from "./cli-error";
import { notEmpty, numberLike, repeatable } from "./options";
import { printedAs, type Target } from "./pulumi";
import { someOf } from "../../provider/base/plain-text";
import { matchesWildcard } from "../../provider/base/wildcard";

/** How many stacks are looked at together unless `--parallel` says otherwise: each is an engine of its own. */
export const PARALLEL = 4;
const MOST_PARALLEL = 64;

/** The value of `--parallel`. */
export const parallelOf = numberLike(
  /^[1-9]\d{0,2}$/,
  `It must be a whole number from 1 to ${MOST_PARALLEL}.`,
  MOST_PARALLEL,
);

/** The value of `--stacks`, of which there may be several. */
export const patternOf = repeatable(notEmpty('the name of a stack, or a pattern such as "prod-*"'));

const Stacks = z.array(z.object({ name: z.string() }));

/** The full names (`organization/shop/prod`) of the stacks of the project in the folder, or of all projects of the backend, in their order. */
export async function stacksOf(scope: "project" | "backend", target: Target): Promise<string[]> {
  const all = scope === "backend" ? ["--all"] : [];
  const args = ["stack", "ls", "--fully-qualify-stack-names", ...all];
  const found = await printedAs(Stacks, args, target, "the stacks could not be listed. The engine says: ");
  return found.map(({ name }) => name).sort();
}

/** The stacks whose names match one of the patterns. Throws CliError, with the names that there are, where none does. */
export function matching(stacks: readonly string[], patterns: readonly string[]): string[] {
  const found = stacks.filter((stack) => patterns.some((pattern) => isMeant(pattern, stack)));
  if (found.length > 0) return found;
  const wanted = patterns.map((pattern) => JSON.stringify(pattern)).join(", ");
  throw new CliError(
    `no stack matches ${wanted}: ${stacks.length === 0 ? "there are none" : `the stacks are ${someOf(stacks, 10)}`}`,
  );
}

/**
 * A pattern matches a whole name; `*` is any text within one part. It is compared with as many parts, counted from the end, as it has itself, so
 * "prod-*" matches the stacks of that name in every project, and "shop/*" all stacks of a project.
 */
function isMeant(pattern: string, stack: string): boolean {
  const wanted = pattern.split("/");
  const parts = stack.split("/").slice(-wanted.length);
  return parts.length === wanted.length && parts.every((part, index) => matchesWildcard(wanted[index] ?? "", part));
}

/** Runs a task for each item, at most `most` at a time, started in order. The results are in the order of the items. */
export async function inParallel<Item, Result>(
  items: readonly Item[],
  most: number,
  act: (item: Item) => Promise<Result>,
): Promise<Result[]> {
  const results: Result[] = [];
  // All take from one queue.
  const queue = items.entries();
  const take = async (): Promise<void> => {
    for (const [at, item] of queue) results[at] = await act(item);
  };
  await Promise.all(Array.from({ length: Math.min(most, items.length) }, take));
  return results;
}
