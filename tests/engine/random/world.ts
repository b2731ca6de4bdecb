import type { ManagedType } from "../../../provider/resources/resource-types";
import { typeInState } from "../../support/cli-stack";

/** The resources that a program may declare: two of each resource type. Each uses only outputs of earlier ones, so that there are no circles. */
export const SLOTS = ["t1", "p1", "d1", "t2", "p2", "d2"] as const;
export type Slot = (typeof SLOTS)[number];

/** An output of an earlier resource that a declaration takes. */
export interface Use {
  readonly slot: Slot;
  readonly output: "id" | "name" | "url";
}

/** Options of the engine that a resource carries. */
export type Option = "deleteBeforeReplace" | "replaceOnChanges" | "ignoreChanges";

/** The connections of a program, all to one address: that of the stack, one that repeats it, and one that names the tenant, too. */
export const CONNECTIONS = ["stack", "own", "tenant"] as const;
export type Connection = (typeof CONNECTIONS)[number];

/** The part that only a deployment has. Numbers are variants: another number is another value, 0 is "not declared". */
export interface Agent {
  readonly source: "external_docker" | "internal_docker" | "github";
  readonly fails: boolean;
  readonly environment: number;
  readonly spec: number;
  readonly extra: number;
  readonly orchestrators: number;
  readonly display: number;
  readonly trigger: number;
  readonly awaits: boolean;
  readonly buildOnPush: boolean;
  /** Its whole sourceConfig comes from an `apply` of this resource's id. */
  readonly configFrom: Slot | undefined;
}

/** One resource of the program. */
export interface Declared {
  readonly slot: Slot;
  /** The name in Pulumi. */
  readonly pulumiName: string;
  /** The natural key on the platform. */
  readonly name: string;
  /** Names in Pulumi, or whole URNs. */
  readonly aliases: readonly string[];
  readonly adopt: boolean;
  /** The fields that an update changes. */
  readonly version: number;
  /** The fields that cannot change in place. */
  readonly shape: number;
  readonly uses: readonly Use[];
  readonly options: readonly Option[];
  /** Any but that of the stack is an explicit provider. */
  readonly connection: Connection;
  /** The release of the package that the program names; 0 where it names none. Each has a default provider of its own. */
  readonly release: number;
  /** As programs in YAML and Python declare it: without the SDK's class. */
  readonly raw: boolean;
  /** The object that the option `import` names. */
  readonly imports: string | undefined;
  readonly agent: Agent;
}

/** A program: its resources, in the order of SLOTS. */
export type World = readonly Declared[];

/** The resource types that random programs have. */
export type Played = Extract<ManagedType, "SandboxTemplate" | "OAuthProvider" | "Deployment">;

export function typeOfSlot(slot: Slot): Played {
  if (slot.startsWith("t")) return "SandboxTemplate";
  return slot.startsWith("p") ? "OAuthProvider" : "Deployment";
}

/** The first natural key of a slot. */
export const firstName = (slot: Slot): string =>
  ({ SandboxTemplate: "code", OAuthProvider: "oauth", Deployment: "agent" })[typeOfSlot(slot)] + `-${slot}`;

/** A plain declaration. */
export function plain(slot: Slot): Declared {
  return {
    slot,
    pulumiName: slot,
    name: firstName(slot),
    aliases: [],
    adopt: false,
    version: 1,
    shape: 1,
    uses: [],
    options: [],
    connection: "stack",
    release: 0,
    raw: false,
    imports: undefined,
    agent: {
      source: "external_docker",
      fails: false,
      environment: 1,
      spec: 0,
      extra: 0,
      orchestrators: 0,
      display: 0,
      trigger: 0,
      awaits: true,
      buildOnPush: false,
      configFrom: undefined,
    },
  };
}

/** The world with this declaration in its place. */
export function put(world: World, declared: Declared): World {
  const others = world.filter(({ slot }) => slot !== declared.slot);
  return [...others, declared].sort((one, other) => SLOTS.indexOf(one.slot) - SLOTS.indexOf(other.slot));
}

export const urnOf = ({ slot, pulumiName }: Pick<Declared, "slot" | "pulumiName">): string =>
  `urn:pulumi:test::test::${typeInState(typeOfSlot(slot))}::${pulumiName}`;

export const rolloutUrnOf = ({ pulumiName }: Declared): string =>
  `urn:pulumi:test::test::${typeInState("Deployment")}$${typeInState("Rollout")}::${pulumiName}`;
