import type { ResourceType, ManagedType } from "../../../provider/resources/resource-types";
import type { JsonObject } from "../../../provider/base/json";
import type { Declared } from "../subjects";
import { DEGRADED, DOCUMENTED, EXTENDED, subjectOf, type Stage, type World } from "./stage";

/** The purpose of an act, which decides what must hold after it. */
export type Verb = "create" | "adopt" | "read" | "get" | "update" | "replace" | "delete" | "roll out";

/** One verb of one kind in one world, as the engine calls it. */
export interface Story {
  readonly name: string;
  readonly world: World;
  readonly kind: ResourceType;
  /** The kind of the object that it is about. */
  readonly managedType: ManagedType;
  readonly verb: Verb;
  /** The values that the platform holds after a success. */
  readonly declared: Declared;
  /** Without faults, before each trial. */
  readonly prepare: (stage: Stage) => Promise<void>;
  readonly act: (stage: Stage, over?: JsonObject) => Promise<void>;
}

const FIRST: Declared = { name: 7, fixed: 1, values: {} };
const values = (changed: Readonly<Record<string, number>>): Declared => ({ ...FIRST, values: changed });

/** The values that an update of that kind changes. */
const CHANGED = {
  SandboxTemplate: { ...FIRST, name: 8 },
  OAuthProvider: values({ clientId: 1, clientSecret: 1 }),
  Deployment: values({ image: 1 }),
} satisfies Partial<Record<ManagedType, Declared>>;
const changedOf = (kind: ManagedType): Declared =>
  Object.entries(CHANGED).find(([name]) => name === kind)?.[1] ?? FIRST;

const nothing = () => Promise.resolve();
const refreshed = async (stage: Stage, kind: ResourceType) => {
  await stage.model(kind).refresh();
};

interface Row {
  readonly verb: Verb;
  readonly label?: string;
  readonly declared?: Declared;
  readonly prepare: Story["prepare"];
  readonly act: Story["act"];
}

function rowsOf(kind: ManagedType): Record<string, Row> {
  const { program } = subjectOf(kind);
  const up =
    (declared: Declared) =>
    async (stage: Stage, over: JsonObject = {}) => {
      await stage.model(kind).up({ ...program(declared), ...over });
    };
  const made = up(FIRST);
  const updating = (declared: Declared): Row => ({ verb: "update", declared, prepare: made, act: up(declared) });
  const by =
    (key: (stage: Stage) => string, again = false) =>
    async (stage: Stage) => {
      stage.platform.newProcess();
      const props = again ? (stage.got?.props ?? {}) : {};
      stage.got = await stage.model(kind).handler.read(key(stage), { ...props, __provider: "x" });
    };
  const idOf = (stage: Stage) => stage.model(kind).current.id;
  const found = (stage: Stage) =>
    stage.objects(kind).find(({ name }) => name === subjectOf(kind).nameOf(FIRST))?.id ?? "";
  // An equal template, since only its name can change; of the other kinds, an object that an update makes equal.
  const others = kind === "SandboxTemplate" ? FIRST : { ...changedOf(kind), fixed: FIRST.fixed };
  const there = async (stage: Stage) => {
    await stage.make(kind, others);
  };
  return {
    create: { verb: "create", prepare: nothing, act: made },
    adopt: { verb: "adopt", prepare: there, act: (stage, over) => made(stage, { adopt: true, ...over }) },
    "adopt by id": {
      verb: "adopt",
      prepare: there,
      act: (stage, over) => made(stage, { adopt: found(stage), ...over }),
    },
    read: { verb: "read", prepare: made, act: (stage) => refreshed(stage, kind) },
    get: { verb: "get", prepare: made, act: by(idOf) },
    "get by name": { verb: "get", prepare: made, act: by(() => subjectOf(kind).nameOf(FIRST)) },
    "get again": {
      verb: "get",
      prepare: async (stage) => {
        await made(stage);
        await by(idOf)(stage);
      },
      act: by(idOf, true),
    },
    update: updating(changedOf(kind)),
    "update of a secret": updating(values({ secret: 1 })),
    "update without a revision": updating(values({ displayName: 1 })),
    replace: { verb: "replace", declared: { ...FIRST, fixed: 2 }, prepare: made, act: up({ ...FIRST, fixed: 2 }) },
    delete: { verb: "delete", prepare: made, act: (stage) => stage.model(kind).destroy() },
  };
}

const { program, nameOf } = subjectOf("Deployment");
const deploy = async (stage: Stage, declared = FIRST) => {
  await stage.model("Deployment").up(program(declared));
};
const rollOut = async (stage: Stage) => {
  const { id, outputs } = stage.model("Deployment").current;
  await stage.model("Rollout").up({
    deploymentId: id,
    revisionId: outputs["latestRevisionId"],
    deploymentName: nameOf(FIRST),
    followsPushes: false,
    rolloutTimeout: "90s",
  });
};
const rolledOut = async (stage: Stage) => {
  await deploy(stage);
  await rollOut(stage);
};

const ROLLOUT: Record<string, Row> = {
  create: { verb: "roll out", prepare: (stage) => deploy(stage), act: rollOut },
  update: {
    verb: "roll out",
    declared: CHANGED.Deployment,
    prepare: async (stage) => {
      await rolledOut(stage);
      await deploy(stage, CHANGED.Deployment);
    },
    act: rollOut,
  },
  read: { verb: "read", prepare: rolledOut, act: (stage) => refreshed(stage, "Rollout") },
};

/** The rows of each kind in each world. A world lacks rows that send nothing, or that it refuses even without a fault. */
const PLAYED: readonly (readonly [World, ManagedType | "Rollout", readonly string[]])[] = [
  [
    EXTENDED,
    "SandboxTemplate",
    ["create", "adopt", "adopt by id", "read", "get", "get by name", "get again", "update", "replace", "delete"],
  ],
  [EXTENDED, "OAuthProvider", ["create", "adopt", "read", "get", "get again", "update", "replace", "delete"]],
  [
    EXTENDED,
    "Deployment",
    [
      "create",
      "adopt",
      "adopt by id",
      "read",
      "get",
      "get again",
      "update",
      "update of a secret",
      "update without a revision",
      "delete",
    ],
  ],
  [EXTENDED, "Rollout", ["create", "update", "read"]],
  [DOCUMENTED, "SandboxTemplate", ["create", "adopt", "adopt by id", "read", "get", "get by name", "get again"]],
  [DOCUMENTED, "OAuthProvider", ["create"]],
  [
    DOCUMENTED,
    "Deployment",
    ["create", "adopt by id", "read", "get", "get again", "update", "update without a revision"],
  ],
  [DOCUMENTED, "Rollout", ["create", "update", "read"]],
  [
    DEGRADED,
    "SandboxTemplate",
    ["create", "adopt", "adopt by id", "read", "get", "get by name", "get again", "delete"],
  ],
  [DEGRADED, "OAuthProvider", ["create", "read", "delete"]],
  [DEGRADED, "Deployment", ["create", "adopt by id", "read", "get", "get again", "update", "delete"]],
  [DEGRADED, "Rollout", ["create", "read"]],
];

/** Every verb of every kind, in every world that has it. */
export const STORIES: readonly Story[] = PLAYED.flatMap(([world, kind, rows]) => {
  const managedType = kind === "Rollout" ? "Deployment" : kind;
  const all = kind === "Rollout" ? ROLLOUT : rowsOf(managedType);
  return rows.flatMap((label) => {
    const row = all[label];
    if (row === undefined) throw new Error(`${kind} has no row "${label}"`);
    const { verb, declared = FIRST, prepare, act } = row;
    return [{ name: `${kind}, ${label}`, world, kind, managedType, verb, declared, prepare, act }];
  });
});
