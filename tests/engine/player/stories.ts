import type { Word } from "./play";

// What belongs together: pure chance brings these words together too seldom. Each line is one of its words, for one resource.

/** Whom a line is about: any resource (a), a deployment (d), the one that can have a check (c), one that is not declared yet (z), or the one that (a) takes a value from. */
export type Who = "a" | "d" | "c" | "z" | "from";
export type Line = readonly [words: readonly Word[], who?: Who];

const APPLYING: Line = [["up", "up", "up --refresh", "up --plan", "up --continue-on-error"]];
const LOOKING: Line = [
  ["refresh", "refresh", "up --refresh", "up --refresh", "destroy --refresh", "drift", "preview: online"],
];
const FAILING = [
  "the next revision fails to build",
  "the next revision fails to start",
  "the next revision is stuck",
] as const;
const KILLING = [
  "up, killed at a POST",
  "up, killed at a PATCH",
  "up, killed at a DELETE",
  "up, killed while a revision builds",
] as const;
const CHANGING = ["change a field", "change a field", "take a field out", "respell"] as const;
const REPLACING = ["change what replaces", "rename the object", "change the source"] as const;

// prettier-ignore
export const SITUATIONS: Readonly<Record<string, readonly Line[]>> = {
  "a resource is replaced, while another takes its id and changes as well": [
    [["take a value from another"]], [REPLACING, "from"], [[...REPLACING, ...CHANGING]], APPLYING,
  ],
  "a resource goes that others use, and they go with it": [
    [["take a value from another"]], [["up"]], [["destroy --target --target-dependents", "up --target --target-dependents"], "from"],
  ],
  "a whole argument comes from a resource that is replaced": [
    [["take a whole argument from another"]], [["up"]], [["change what replaces"], "from"], APPLYING,
  ],
  "an object is changed by hand, and a command looks": [
    [["delete the object", "delete the object and make it again", "change a declared field", "change a declared field"]], LOOKING,
  ],
  "an object is changed by hand, and its declaration as well": [
    [["change a declared field", "set a field that nobody declares"]], [CHANGING], APPLYING,
  ],
  "a command looks while a deployment is being deleted": [
    [["begin to delete the deployment"], "d"], [["refresh", "up --refresh", "refresh", "up"]],
  ],
  "nothing can be read while a command looks": [
    [["the lists answer 501", "the lists answer 405", "the lists answer a gateway's 404", "all reads answer 501", "all reads answer 405", "all reads answer a gateway's 404", "everything answers 503", "the agent is down"]],
    LOOKING,
  ],
  "a revision does not serve": [
    [["change a field"], "d"], [FAILING, "d"], [["up", "up", "up, killed while a revision builds"]], [["refresh", "up --refresh"]],
  ],
  "one field of a deployment changes, and another was set by hand": [
    [["set a field that nobody declares"], "d"], [["change a field", "switch awaitRollout"], "d"], APPLYING,
  ],
  "somebody's push fails, and the program asks for a revision": [
    [["push a revision that fails", "push a revision that fails", "push a revision", "deploy another image"], "d"], [["change a field"], "d"],
    APPLYING,
  ],
  "an image does not build, and is corrected": [
    [["declare an image that does not build"], "d"], APPLYING, [["declare an image that builds"], "d"], APPLYING,
  ],
  "the key changes": [[["up"]], [["up and refresh with another tenant's key", "rotate the key, then up"]], LOOKING],
  "a rename by adopt does not end": [
    [["rename in Pulumi, with adopt"]], [["change a field"], "d"], [FAILING, "d"],
    [["up", "up", "up --target", "up, killed while a revision builds"]],
    [["up", "up --refresh", "refresh", "destroy --refresh", "destroy --run-program"]],
  ],
  "an object of the name is there before the program declares it": [[["make an object of its name"], "z"], [["declare"], "z"], APPLYING],
  "an object of the name is adopted": [
    [["make an object of its name"], "z"], [["declare"], "z"], [["set adopt, or no longer"], "z"], [["up"]], LOOKING,
  ],
  "resources get another provider, and most of them another name": [
    [["rename in Pulumi, with adopt, through another provider", "move to another provider"]],
    [["rename in Pulumi, with adopt, through another provider", "rename in Pulumi, with import"], "d"], [["up", "up", "up", "up --target"]],
  ],
  "the package is upgraded, while something else changes": [
    [["upgrade the package"]],
    [["rename in Pulumi, with adopt", "rename in Pulumi, with aliases", "change what replaces", "rename the object"]], APPLYING,
  ],
  "an object that the state has lost is imported": [
    [["state delete"]], [["inventory"]], [["import"]],
    [["up", "up --plan", "destroy --refresh", "destroy --run-program", "destroy --target --target-dependents"]],
  ],
  "an object that was made by hand is imported": [[["make an object of its name"], "z"], [["import"], "z"], [["declare"], "z"], APPLYING],
  "what YAML declares is replaced for an option": [
    [["declare as YAML does, or no longer"]], [["replaceOnChanges"]], [["up"]], [["change a field"]], APPLYING,
  ],
  "a run is killed, and the program changes before the next": [
    [["declare"], "z"], [CHANGING], [KILLING], [["drop", "change what replaces", "rename the object", "change a field"], "z"], APPLYING,
  ],
  "a replacement is killed, and goes": [[REPLACING], [KILLING], [["drop", "change what replaces", "rename the object"]], APPLYING],
  "a POST is carried out when nobody waits any more": [
    [["declare"], "z"], [["a POST is carried out late", "lists lag", "an answer is lost", "502 behind the request"]], APPLYING,
  ],
  "into a component and out of it": [
    [["into a component, or out of it", "into a component, or out of it, with adopt"]], APPLYING,
    [["into a component, or out of it", "into a component, or out of it, with adopt"]], APPLYING,
  ],
  "what is protected leaves the program": [[["protect"]], [["up"]], [["drop"]], APPLYING],
  "what stays on the platform is declared again": [
    [["retainOnDelete"]], [["up"]], [["drop"]], [["up", "destroy"]], [["declare"]], APPLYING,
  ],
  "what goes with another goes with it": [[["deletedWith"]], [["up"]], [["destroy", "destroy --run-program", "up --exclude"]]],
  "changes are ignored, and somebody makes some": [
    [["ignoreChanges"]], [["up"]], [["change a declared field"]], [CHANGING], [["up --refresh", "up"]],
  ],
  "a transformation sets a field": [[["have a transformation set a field"]], APPLYING, [CHANGING], APPLYING],
  "a check's expectation changes": [
    [["check the deployment"], "c"], [["up"]], [["expect what the agent does not show, or no longer", "ask another question"], "c"], [["up"]],
    [["expect what the agent does not show, or no longer", "check the deployment"], "c"], [["change a field"], "c"], [["up"]],
  ],
  "drift is found, and its advice followed": [
    [["change a declared field", "delete the object"]], [["deploy another image", "push a revision that fails"], "d"], [["drift"]],
  ],
  "a row goes to another stack": [[["state move"]], [["inventory"]], [["declare"]], APPLYING],
  "another backend has a stack of the same name": [[["up, in another backend"]], [["up", "drift"]]],
};
