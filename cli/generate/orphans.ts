import { CliError } from "../base/cli-error";
import { ConnectionPlace } from "../base/place";
import type { HeldInStates } from "../base/stack-objects";
import { span } from "./print";
import type { Survey } from "./survey";
import type { Connection } from "../../provider/base/connection";

/** A survey without what stacks hold. */
export interface OrphanSurvey {
  readonly read: Survey;
  /** The stacks that hold each object that was left out. */
  readonly held: readonly (readonly string[])[];
}

/**
 * Removes objects from a survey that a stack of the backend holds, and lists them as not in the program. Throws CliError if a state could not be
 * read, because its objects would be taken over a second time.
 */
export function orphansIn(
  survey: Survey,
  connection: Connection,
  { objects: states, failed }: HeldInStates,
): OrphanSurvey {
  if (failed.length > 0) {
    const reasons = failed.map(({ stack, reason }) => `\n${stack}: ${reason}`).join("");
    throw new CliError(
      `nothing was written, because a stack whose state cannot be read may hold some of the objects:${reasons}`,
    );
  }
  const place = new ConnectionPlace(connection, survey.objects);
  const all = survey.objects.map((object) => ({ object, stacks: place.stacksWith(object, states).holders }));
  const held = all.filter(({ stacks }) => stacks.length > 0);
  const sentences = held.map(
    ({ object: { spec, name, id }, stacks }) =>
      `The ${spec.one} ${span(name)} (${span(id)}): it is in the state of ${stacks.map(span).join(", ")}.`,
  );
  return {
    read: {
      ...survey,
      objects: all.filter(({ stacks }) => stacks.length === 0).map(({ object }) => object),
      unread: [...survey.unread, ...sentences],
    },
    held: held.map(({ stacks }) => stacks),
  };
}
