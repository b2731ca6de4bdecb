import { textIn } from "../../provider/base/json";
import { groupedBy } from "../base/printable";
import type { StateObject } from "../base/stack-objects";
import { inParallel } from "../base/stacks";
import type { Asked, States } from "./report";
import { messageOf } from "../../provider/base/errors";
import { objectPlaceOf } from "../../provider/resources/resource-types";

/** Asks the agents of these platforms for what the listed stacks have of them, and adds the problems that this shows. */
export async function withAgents(states: States, asked: readonly Asked[], parallel: number): Promise<States> {
  const { objects, listed } = states;
  const kept = objects.filter(({ spec, stack }) => objectPlaceOf(spec.kind) === "agent" && listed.includes(stack));
  const problems = new Map<StateObject, string>();
  const deploymentOf = ({ outputs }: StateObject): string => textIn(outputs, "deploymentId") ?? "";
  await inParallel(groupedBy(kept, deploymentOf), parallel, async (ofAgent) => {
    const reader = asked.find(({ place }) => place.has(ofAgent[0]))?.reader;
    // An agent that gives no answer is asked once.
    let silence = reader === undefined ? "its agent was not asked" : undefined;
    for (const object of ofAgent) {
      if (object.hasOwnKey) {
        problems.set(object, "its agent was not asked: it takes a key of its own");
        continue;
      }
      const key = { id: `${deploymentOf(object)}/${object.id ?? ""}` };
      try {
        const isGone = silence === undefined && (await reader?.(object.spec.kind).find(key)) === undefined;
        if (isGone) problems.set(object, "is not on its agent");
      } catch (error) {
        silence = `its agent could not be asked: ${messageOf(error)}`;
      }
      if (silence !== undefined) problems.set(object, silence);
    }
  });
  return { ...states, objects: objects.map((object) => ({ ...object, problem: problems.get(object) })) };
}
