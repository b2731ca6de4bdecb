import { isObject } from "../../provider/base/json";
import { camelCase, slug, uniqueNames } from "./names";
import { NOUNS } from "../base/nouns";
import type { Surveyed } from "./survey";

/** An object, and what it is called in the program. */
export interface Declared {
  readonly object: Surveyed;
  /** Its name in Pulumi. */
  readonly name: string;
  readonly variable: string;
}

/** The names of all objects of a program: those in Pulumi are unique within a kind, the variables among all. */
export function declaredNames(objects: readonly Surveyed[]): Declared[] {
  return NOUNS.flatMap((noun) => {
    const ofKind = objects.filter((object) => object.noun === noun);
    const names = uniqueNames(ofKind, (name) => slug(name) || noun.file, "-");
    const nameOf = ({ id }: Surveyed): string => names.get(id) ?? id;
    const wishes = ofKind.map((object) => ({ id: object.id, name: nameOf(object) }));
    const variables = uniqueNames(wishes, (name) => camelCase(name), "_");
    return ofKind.map((object) => {
      return { object, name: nameOf(object), variable: `${variables.get(object.id) ?? ""}${noun.suffix}` };
    });
  });
}

/** The listener of a deployment, where the program declares it too. */
export function listenerOf({ object }: Declared, all: readonly Declared[]): Declared | undefined {
  const config = object.args["sourceConfig"];
  const id = object.noun.kind === "Deployment" && isObject(config) ? config["listenerId"] : undefined;
  return all.find(({ object: each }) => each.noun.kind === "Listener" && each.id === id);
}
