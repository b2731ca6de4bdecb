import { groupedBy } from "../base/groups";
import { ConnectionPlace } from "../base/place";
import type { StateObject } from "../base/stack-objects";
import { inParallel } from "../base/stacks";
import type { Asked } from "./report";
import { messageOf } from "../../provider/base/errors";
import type { PlatformReader } from "../../provider/functions/reading";
import { textIn } from "../../provider/lifecycle/rest/addressed";
import { objectPlaceOf } from "../../provider/resources/resource-types";

/** A platform that was asked, and the reader that asks its agents. */
export interface AskedReader extends Asked {
  readonly reader: PlatformReader["reader"];
}

/** Asks the agents of these platforms for what states have of them. Returns what is wrong, of the objects with which something is. */
export async function agentProblems(
  objects: readonly StateObject[],
  asked: readonly AskedReader[],
  parallel: number,
): Promise<ReadonlyMap<StateObject, string>> {
  const places = asked.map(({ connection, live, reader }) => ({ reader, place: new ConnectionPlace(connection, live) }));
  const kept = objects.filter(({ spec }) => objectPlaceOf(spec.kind) === "agent");
  const problems = new Map<StateObject, string>();
  await inParallel(groupedBy(kept, deploymentOf), parallel, async (ofAgent) => {
    const reader = places.find(({ place }) => place.has(ofAgent[0]))?.reader;
    // An agent that gives no answer is asked once.
    let silence = reader === undefined ? "its agent was not asked" : undefined;
    for (const object of ofAgent) {
      const problem: string | undefined =
        silence ??
        (await look(reader, object).catch((error: unknown) => {
          return (silence = `its agent could not be asked: ${messageOf(error)}`);
        }));
      if (problem !== undefined) problems.set(object, problem);
    }
  });
  return problems;
}

const deploymentOf = ({ stack, outputs }: StateObject) => [stack, textIn(outputs, "deploymentId")];

/** Throws if the agent gives no answer. */
async function look(reader: PlatformReader["reader"] | undefined, { spec, id = "", outputs }: StateObject) {
  const found = await reader?.(spec.kind).find({ id: `${textIn(outputs, "deploymentId") ?? ""}/${id}` });
  return found === undefined ? "is not on its agent" : undefined;
}
