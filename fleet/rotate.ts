import { join } from "node:path";
import { connectionsOf, type Connections } from "../cli/base/connection";
import { findDeployment } from "../cli/base/deployment";
import { rolledBackIn } from "../cli/base/stack-objects";
import { stateOf, type StackState, type StateResource } from "../cli/base/stack-state";
import { inParallel, PARALLEL } from "../cli/base/stacks";
import { nameInUrn, SIGNATURE } from "../provider/base/engine-format";
import { textIn } from "../provider/base/json";
import { openPlatform, type Revision } from "../provider/functions/reading";
import { supersededBy } from "../provider/resources/deployment/revision";
import { resourceTypeOf } from "../provider/resources/resource-types";
import type { FleetStack } from "./plan";
import { environmentOfPrograms } from "./process";
import { reasonOf, type Serving } from "./runs";

const stateIn = (root: string, { stack, folder }: FleetStack): Promise<StackState> =>
  stateOf(stack, { folder: join(root, folder), environment: environmentOfPrograms() });

/**
 * Which agents of a stack serve their newest secrets: by the revisions that the platform shows, not by what the engine said. Each one is asked each
 * time: what an earlier rotation has changed may not serve yet.
 */
export async function servingOf(stack: FleetStack, root: string): Promise<Serving[]> {
  let opened: Promise<Connections> | undefined;
  const standing = async (id: string, changed: string): Promise<Standing> => {
    opened ??= connectionsOf({ stack: stack.stack, cwd: join(root, stack.folder) }, environmentOfPrograms());
    const { platform, deployment } = await findDeployment(await opened, id, openPlatform);
    const revisions: Revision[] = [];
    // What is older than the revision with the new value serves the old one.
    const last = supersededBy(changed) ?? changed;
    for await (const revision of platform.revisions(deployment.id))
      if (revisions.push(revision) && revision.id === last) break;
    return standingOf(revisions, deployment.activeRevisionId, changed);
  };
  try {
    const { resources } = await stateIn(root, stack);
    const asked = await inParallel(resources, PARALLEL, async ({ type, urn, id = "", external, outputs }) => {
      if (resourceTypeOf(type) !== "Deployment" || external === true || outputs == null) return [];
      try {
        const changed = newestSecretsIn(outputs, resources);
        return changed === "" ? [] : [{ agent: nameInUrn(urn), ...(await standing(id, changed)) }];
      } catch (error) {
        return [{ agent: nameInUrn(urn), ...unknown(error) }];
      }
    });
    return asked.flat();
  } catch (error) {
    return [{ agent: "*", ...unknown(error) }];
  }
}

/**
 * The revision with which a deployment got its newest secrets; empty if its program has never set one. An agent gets a new value of a
 * shared secret with its next revision; throws if the rotation made none.
 */
export function newestSecretsIn(outputs: Readonly<Record<string, unknown>>, resources: readonly Held[]): string {
  const references = JSON.stringify(outputs["secretReferences"] ?? []);
  const trigger = JSON.stringify(outputs["redeployTrigger"] ?? null);
  const shared = resources.filter(({ type }) => resourceTypeOf(type) === "WorkspaceSecret");
  // An encrypted list may name any.
  const used = shared.filter(
    ({ outputs: its }) => references.includes(JSON.stringify(its?.["key"])) || references.includes(SIGNATURE),
  );
  const [without] = used.filter(({ outputs: its }) => !trigger.includes(JSON.stringify(its?.["rotatedAt"])));
  if (without !== undefined)
    throw new Error(
      `WorkspaceSecret ${String(without.outputs?.["key"])} makes no revision when it rotates: set redeployTrigger to its rotatedAt`,
    );
  return textIn(outputs, used.length > 0 ? "latestRevisionId" : "secretsRevisionId") ?? "";
}

type Held = Pick<StateResource, "type" | "outputs">;

type Standing = Omit<Serving, "agent">;
const unknown = (error: unknown): Standing => ({ serves: "unknown", reason: reasonOf(error) });

/** Whether what serves has the secrets of the revision that changed them ("after <id>" while it has no name). The newest revision comes first. */
export function standingOf(
  revisions: readonly Pick<Revision, "id" | "status">[],
  active: string | null,
  changed: string,
): Standing {
  const before = supersededBy(changed);
  const placeOf = (id: string | null): number => revisions.findIndex((each) => each.id === id);
  const wanted = before === undefined ? placeOf(changed) : placeOf(before) - 1;
  const serving = placeOf(active);
  const revision = revisions[wanted];
  if (revision === undefined)
    return { serves: "unknown", reason: "the platform does not show the revision with the new value" };
  if (serving >= 0 && serving <= wanted) return { serves: "new", reason: `serves revision ${active ?? ""}` };
  return {
    serves: "old",
    reason: `revision ${revision.id} with the new value is ${revision.status}; ${active ?? "none"} serves`,
  };
}

/** The agents that may not serve the new value, a line each. */
export const lateOf = (serving: readonly Serving[] = []): string[] =>
  serving.flatMap(({ agent, serves, reason }) =>
    serves === "new" ? [] : `${agent}: ${serves === "old" ? "serves the old value" : "not known"}: ${reason}`,
  );

/** A check of these stacks that rolled an agent back; undefined if there is none. */
export async function rolledBackOf(stacks: readonly FleetStack[], root: string): Promise<string | undefined> {
  const found = await inParallel(stacks, PARALLEL, async (stack) => {
    const [back] = rolledBackIn(await stateIn(root, stack));
    return back && `${stack.id}: RunCheck ${back.check}: ${back.problem}`;
  });
  return found.find((each) => each !== undefined);
}
