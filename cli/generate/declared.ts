import { isObject } from "../../provider/base/json";
import { camelCase, slug, uniqueNames } from "./names";
import { SPECS } from "../base/managed-types";
import type { Surveyed } from "./survey";

/** An object, and what it is called in the program. */
export interface DeclaredObject {
  readonly object: Surveyed;
  /** Its name in Pulumi. */
  readonly name: string;
  readonly variable: string;
}

/** The names of all objects of a program: those in Pulumi are unique within a kind, the variables among all. */
export function declaredNames(objects: readonly Surveyed[]): DeclaredObject[] {
  return SPECS.flatMap((spec) => {
    const ofKind = objects.filter((object) => object.spec === spec);
    const names = uniqueNames(ofKind, (name) => slug(name) || spec.file, "-");
    const nameOf = ({ id }: Surveyed): string => names.get(id) ?? id;
    const wishes = ofKind.map((object) => ({ id: object.id, name: nameOf(object) }));
    const variables = uniqueNames(wishes, (name) => camelCase(name), "_");
    return ofKind.map((object) => {
      return { object, name: nameOf(object), variable: `${variables.get(object.id) ?? ""}${spec.suffix}` };
    });
  });
}

/** The listener of a deployment, where the program declares it too. */
export function listenerOf({ object }: DeclaredObject, all: readonly DeclaredObject[]): DeclaredObject | undefined {
  const config = object.args["sourceConfig"];
  const id = object.spec.kind === "Deployment" && isObject(config) ? config["listenerId"] : undefined;
  return all.find(({ object: each }) => each.spec.kind === "Listener" && each.id === id);
}
