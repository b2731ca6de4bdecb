import { execFile } from "node:child_process";
import { dirname, join } from "node:path";
import { z } from "zod";
import { objectsIn, rolledBackIn, type StateObject } from "../cli/base/stack-objects";
import { stateOf } from "../cli/base/stack-state";
import { shortText } from "../cli/base/printable";
import { nameInUrn } from "../provider/base/engine-format";
import { messageOf } from "../provider/base/errors";
import type { FleetStack } from "./plan";
import { LONGEST, type Serving } from "./runs";

/** A stack, and where its project is. */
export interface StackPlace {
  readonly stack: FleetStack;
  readonly root: string;
}

const targetOf = ({ stack, root }: StackPlace) => ({ folder: join(root, stack.folder), environment: process.env });

async function deploymentsOf(place: StackPlace) {
  const state = await stateOf(place.stack.stack, targetOf(place));
  return objectsIn(place.stack.stack, state).filter(({ spec, isRead }) => spec.kind === "Deployment" && !isRead);
}

/** The revision of each agent that its secrets were last changed with; empty where the state cannot be read. */
export async function secretRevisions(place: StackPlace): Promise<SecretRevisions> {
  const found = await deploymentsOf(place).catch(() => []);
  return found.map(({ urn, outputs }) => [urn, outputs["secretsRevisionId"]] as const);
}
export type SecretRevisions = readonly (readonly [urn: string, revision: unknown])[];

const Revisions = z.object({
  revisions: z.array(z.object({ id: z.string(), status: z.string(), isServing: z.boolean(), isLatest: z.boolean() })),
});

/** Who of a stack serves the new value: by the revisions that the platform shows, not by what the engine said. */
export async function servingOf(place: StackPlace, before: ReadonlyMap<string, unknown>): Promise<Serving[]> {
  const serving = async ({ id = "", urn, outputs }: StateObject): Promise<Omit<Serving, "agent">> => {
    const changed = outputs["secretsRevisionId"];
    if (changed === before.get(urn)) return { serves: "unchanged", reason: "its secrets did not change" };
    const said = await product(place, "revisions", id, "--limit", "1000", "--stack", place.stack.stack).catch(unknown);
    return typeof said === "string" ? standingOf(Revisions.parse(JSON.parse(said)).revisions, changed) : said;
  };
  const found = await deploymentsOf(place).catch(unknown);
  if ("serves" in found) return [{ agent: "*", ...found }];
  return Promise.all(found.map(async (each) => ({ agent: nameInUrn(each.urn), ...(await serving(each)) })));
}

const unknown = (error: unknown): Omit<Serving, "agent"> => ({
  serves: "unknown",
  reason: shortText(messageOf(error), LONGEST),
});

/** The newest revision comes first. */
export function standingOf(
  revisions: z.output<typeof Revisions>["revisions"],
  changed: unknown,
): Omit<Serving, "agent"> {
  const [wanted, serving] = [
    revisions.findIndex(({ id }) => id === changed),
    revisions.findIndex(({ isServing }) => isServing),
  ];
  const revision = revisions[wanted];
  if (revision === undefined)
    return { serves: "unknown", reason: "the platform does not show the revision with the new value" };
  if (serving >= 0 && serving <= wanted)
    return { serves: "new", reason: `serves revision ${revisions[serving]?.id ?? ""}` };
  return {
    serves: "old",
    reason: `revision ${revision.id} with the new value is ${revision.status}; ${revisions[serving]?.id ?? "none"} serves`,
  };
}

/** Runs the product's own command line for a project; what it prints as a report. Throws if it prints none. */
export function product({ stack, root }: StackPlace, ...args: string[]): Promise<string> {
  const main = join(dirname(require.resolve("pulumi-agent-platform/package.json")), "dist", "cli", "main.js");
  const all = [main, ...args, "--format", "json", "--cwd", join(root, stack.folder)];
  return new Promise((resolve, reject) => {
    execFile(process.execPath, all, { maxBuffer: 64 * 1024 * 1024 }, (error, stdout, stderr) =>
      stdout !== "" ? resolve(stdout) : reject(new Error(stderr.trim() || error?.message)),
    );
  });
}

/** A check of these stacks that rolled an agent back; undefined if there is none. */
export async function rolledBackOf(stacks: readonly FleetStack[], root: string): Promise<string | undefined> {
  for (const stack of stacks) {
    const [back] = rolledBackIn(await stateOf(stack.stack, targetOf({ stack, root })));
    if (back !== undefined) return `${stack.id}: RunCheck ${back.check}: ${back.problem}`;
  }
  return undefined;
}
