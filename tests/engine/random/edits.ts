import {
  CONNECTIONS,
  plain,
  put,
  typeOfSlot,
  SLOTS,
  type Agent,
  type Connection,
  type Declared,
  type Slot,
  type World,
} from "./world";

/** One change of the program. `pick` chooses where there is a choice. */
export interface Edit {
  readonly name: EditName;
  readonly slot: Slot;
  readonly pick: number;
}

type Change = (declared: Declared, pick: number, world: World) => Declared | undefined;

const next = (value: number): number => value + 1;
const onAgent =
  (change: (agent: Agent, declared: Declared) => Partial<Agent> | undefined): Change =>
  (declared) => {
    const changed = typeOfSlot(declared.slot) === "Deployment" ? change(declared.agent, declared) : undefined;
    return changed && { ...declared, agent: { ...declared.agent, ...changed } };
  };
const withOption =
  (option: Declared["options"][number]): Change =>
  (declared) => ({
    ...declared,
    options: declared.options.includes(option)
      ? declared.options.filter((other) => other !== option)
      : [...declared.options, option],
  });

/** A resource's name in Pulumi says how often it was renamed. */
function renamed(declared: Declared): string {
  const [, count] = declared.pulumiName.split("-");
  return `${declared.slot}-${Number(count ?? 1) + 1}`;
}

function another({ connection }: Declared, pick: number): Connection {
  const others = CONNECTIONS.filter((each) => each !== connection);
  return others[pick % others.length] ?? "stack";
}

const earlier = (slot: Slot): readonly Slot[] => SLOTS.slice(0, SLOTS.indexOf(slot));

/** The changes of one declared resource. Undefined: the change does not apply to it. */
const CHANGES = {
  "change a field": (declared) =>
    typeOfSlot(declared.slot) === "SandboxTemplate"
      ? { ...declared, name: `${declared.name}-v` }
      : { ...declared, version: next(declared.version) },
  "change a field that replaces": (declared) => ({ ...declared, shape: next(declared.shape) }),
  "rename the object": (declared) => ({ ...declared, name: `${declared.name}-r` }),
  "rename in Pulumi, with aliases": (declared) => ({
    ...declared,
    pulumiName: renamed(declared),
    aliases: [...declared.aliases, declared.pulumiName],
  }),
  "rename in Pulumi, with adopt": (declared) => ({
    ...declared,
    pulumiName: renamed(declared),
    aliases: [],
    adopt: true,
  }),
  "rename in Pulumi, with adopt, through another provider": (declared, pick) => ({
    ...declared,
    pulumiName: renamed(declared),
    aliases: [],
    adopt: true,
    connection: another(declared, pick),
  }),
  "rename in Pulumi, with import": (declared) => ({
    ...declared,
    pulumiName: renamed(declared),
    aliases: [],
    imports: declared.name,
  }),
  // One that names the tenant counts as another platform: only by another name does a resource get there, or away.
  "move to another provider": (declared) =>
    declared.connection === "tenant"
      ? undefined
      : { ...declared, connection: declared.connection === "own" ? "stack" : "own" },
  "declare as YAML does, or no longer": (declared) => ({ ...declared, raw: !declared.raw }),
  "set adopt": (declared) => ({ ...declared, adopt: !declared.adopt }),
  "use another resource's output": (declared, pick, world) => {
    const choices = earlier(declared.slot).filter((slot) => world.some((other) => other.slot === slot));
    const slot = choices[pick % Math.max(1, choices.length)];
    if (slot === undefined) return undefined;
    const outputs =
      typeOfSlot(slot) === "Deployment" ? (["id", "name", "url"] as const) : (["id", "id", "name"] as const);
    const output = outputs[pick % 3] ?? "id";
    return { ...declared, uses: [...declared.uses.filter((use) => use.slot !== slot), { slot, output }] };
  },
  "use no other resource": (declared) => (declared.uses.length > 0 ? { ...declared, uses: [] } : undefined),
  "take the whole sourceConfig from another": (declared, pick, world) => {
    const choices = earlier(declared.slot).filter((slot) => world.some((other) => other.slot === slot));
    const from = choices[pick % Math.max(1, choices.length)];
    if (from === undefined || declared.agent.source === "internal_docker") return undefined;
    return onAgent(({ configFrom }) => (configFrom === undefined ? { configFrom: from } : undefined))(
      declared,
      pick,
      world,
    );
  },
  "change the environment": onAgent(({ environment }) => ({ environment: next(environment) })),
  "change resourceSpec": onAgent(({ spec, source }) =>
    source === "external_docker" ? { spec: spec > 2 ? 0 : next(spec) } : undefined,
  ),
  // An argument since 0.2.0: before, only extra could name it.
  "change the orchestrators": onAgent(({ orchestrators, extra, source }) =>
    source === "external_docker"
      ? { orchestrators: next(orchestrators), extra: extra % 2 === 1 ? 0 : extra }
      : undefined,
  ),
  "change extra inside resource_spec": onAgent(({ extra, source, orchestrators }) =>
    source === "external_docker" && orchestrators === 0
      ? { extra: extra % 2 === 1 ? extra + 2 : next(extra) }
      : undefined,
  ),
  "change extra at the top": onAgent(({ extra }) => ({ extra: extra % 2 === 0 ? extra + 2 : next(extra) })),
  "change displayName": onAgent(({ display }) => ({ display: next(display) })),
  "change redeployTrigger": onAgent(({ trigger }) => ({ trigger: next(trigger) })),
  "switch awaitRollout": onAgent(({ awaits }) => ({ awaits: !awaits })),
  "switch buildOnPush": onAgent(({ source, buildOnPush }) =>
    source === "github" ? { buildOnPush: !buildOnPush } : undefined,
  ),
  "change source": onAgent(({ source }) => ({
    source: source === "external_docker" ? "github" : source === "github" ? "internal_docker" : "external_docker",
    configFrom: undefined,
    spec: 0,
    extra: 0,
    orchestrators: 0,
  })),
  "declare an image that does not build": onAgent(({ fails }) => (fails ? undefined : { fails: true })),
  "declare an image that builds": onAgent(({ fails }, { version }) =>
    fails && version > 0 ? { fails: false } : undefined,
  ),
  "set deleteBeforeReplace": withOption("deleteBeforeReplace"),
  "set replaceOnChanges": withOption("replaceOnChanges"),
  "set ignoreChanges": withOption("ignoreChanges"),
} as const satisfies Record<string, Change>;

export const EDITS = [...keysOf(CHANGES), "upgrade the package", "add", "remove"] as const;
export type EditName = (typeof EDITS)[number];

function keysOf<T extends object>(object: T): (keyof T & string)[] {
  const isKey = (key: string): key is keyof T & string => key in object;
  return Object.keys(object).filter(isKey);
}

/** The program after the edit; undefined where it has nothing to change. */
export function edited(world: World, { name, slot, pick }: Edit): World | undefined {
  const declared = world.find((other) => other.slot === slot);
  if (name === "add") return declared === undefined ? put(world, fresh(slot, pick, world)) : undefined;
  if (declared === undefined) return undefined;
  if (name === "remove") return world.length > 1 ? world.filter((other) => other !== declared) : undefined;
  // A program has one release of the package.
  if (name === "upgrade the package") return world.map((each) => ({ ...each, release: next(declared.release) }));
  const change: Change = CHANGES[name];
  const changed = change(declared, pick, world);
  return changed && put(world, changed);
}

/** A new resource: three in four use a resource that is there already. */
export function fresh(slot: Slot, pick: number, world: World): Declared {
  const source = (["external_docker", "github", "external_docker", "internal_docker"] as const)[(pick >> 2) % 4];
  const base = plain(slot);
  const declared = {
    ...base,
    release: world[0]?.release ?? 0,
    agent: { ...base.agent, source: source ?? "external_docker", spec: (pick >> 4) % 3, extra: (pick >> 6) % 4 },
  };
  if (pick % 4 === 0) return declared;
  const change: Change = CHANGES["use another resource's output"];
  const using = change(declared, pick >> 1, world) ?? declared;
  if (pick % 8 < 6) return using;
  const whole: Change = CHANGES["take the whole sourceConfig from another"];
  return whole(using, pick >> 2, world) ?? using;
}
