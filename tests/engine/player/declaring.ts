import { CASES } from "../../conformance/cases";
import {
  argsOf,
  argumentOf,
  canBeLater,
  CONNECTIONS,
  fieldsOf,
  find,
  fresh,
  HOST,
  HANDLES,
  isKept,
  nameOf,
  partOf,
  put,
  SOURCES,
  typeOfHandle,
  urnOf,
  without,
  type Declaration,
  type Handle,
  type Program,
} from "./program";

// The steps that change a program. A row that does not apply to a declaration returns nothing.

type Change = (declared: Declaration, n: number, program: Program) => Partial<Declaration> | undefined;

const nth = <T>(choices: readonly T[], n: number): T | undefined => choices[n % Math.max(1, choices.length)];
const next = (value: number | undefined): number => (value ?? 0) + 1;

/** How often a resource was renamed in Pulumi, its name says. */
function renamed({ pulumiName, handle }: Declaration): string {
  const [, count] = pulumiName.split("-");
  return `${handle.toLowerCase()}-${Number(count ?? 1) + 1}`;
}
const earlier = (program: Program, { handle }: Declaration): Program =>
  program.slice(
    0,
    program.findIndex((each) => each.handle === handle),
  );

const use =
  (whole: boolean): Change =>
  (declared, n, program) => {
    const { type, fixed } = declared;
    const fields = [...fieldsOf(declared), ...(fixed === 0 ? ["fixed"] : [])].filter((name) => canBeLater(type, name));
    const [from, field] = [nth(earlier(program, declared), n), nth(fields, n >> 2)];
    if (from === undefined || field === undefined || declared.use !== undefined) return undefined;
    const { [field]: _number, ...rest } = declared.fields;
    return { use: { from: from.handle, field, whole }, fields: rest };
  };
const ofDeployment =
  (change: Change): Change =>
  (declared, n, program) =>
    declared.type === "Deployment" ? change(declared, n, program) : undefined;
const another = ({ connection }: Declaration, n: number): Declaration["connection"] =>
  nth(
    CONNECTIONS.filter((each) => each !== connection),
    n,
  ) ?? "stack";

/** A transformation replaces a whole argument: only of a field that is alone in one. */
const isAlone = (declared: Declaration, field: string): boolean => {
  const part = partOf(declared.type, field, 500);
  const args = argsOf({ ...declared, fields: { ...declared.fields, [field]: 500 } });
  return Object.entries(part).every(([name, value]) => JSON.stringify(args[name]) === JSON.stringify(value));
};

const CHANGES = {
  "change a field": (declared, n) => {
    const field = nth(
      fieldsOf(declared).filter((name) => name !== declared.use?.field),
      n,
    );
    return field === undefined ? undefined : { fields: { ...declared.fields, [field]: next(declared.fields[field]) } };
  },
  "take a field out": ({ fields }, n) => {
    const field = nth(Object.keys(fields), n);
    if (field === undefined) return undefined;
    const { [field]: _out, ...rest } = fields;
    return { fields: rest };
  },
  "change what replaces": ({ type, fixed }) =>
    Object.keys(partOf(type, "fixed", 1)).length === 0 ? undefined : { fixed: next(fixed) },
  "rename the object": ({ named }) => ({ named: named + 10 }),
  respell: (declared) =>
    declared.type in CASES && declared.source === "external_docker" ? { respelled: !declared.respelled } : undefined,
  "take a value from another": use(false),
  "take a whole argument from another": use(true),
  "take nothing from another": (declared) => (declared.use === undefined ? undefined : { use: undefined }),
  "rename in Pulumi, with aliases": (declared) => ({
    pulumiName: renamed(declared),
    aliases: [...declared.aliases, urnOf(declared)],
  }),
  "rename in Pulumi, with adopt": (declared) => ({ pulumiName: renamed(declared), aliases: [], adopt: true }),
  "rename in Pulumi, with adopt, through another provider": (declared, n) =>
    isKept(declared.type) || declared.handle === HOST
      ? undefined
      : { pulumiName: renamed(declared), aliases: [], adopt: true, connection: another(declared, n) },
  "rename in Pulumi, with import": (declared) =>
    CASES_WITH_A_NAME.has(declared.type)
      ? { pulumiName: renamed(declared), aliases: [], imports: nameOf(declared) }
      : undefined,
  "into a component, or out of it": (declared) => ({
    inComponent: !declared.inComponent,
    aliases: [...declared.aliases, urnOf(declared)],
  }),
  "into a component, or out of it, with adopt": (declared) => ({
    inComponent: !declared.inComponent,
    aliases: [],
    adopt: true,
  }),
  // One that names the tenant counts as another platform: only by another name does a resource get there, or away. What an agent keeps goes
  // through the provider of its deployment.
  "move to another provider": ({ connection, handle }) =>
    connection === "tenant" || handle === HOST ? undefined : { connection: connection === "own" ? "stack" : "own" },
  // An agent's objects take the address from the class.
  "declare as YAML does, or no longer": ({ raw, handle }) => (handle === HOST ? undefined : { raw: !raw }),
  "set adopt, or no longer": ({ adopt }) => ({ adopt: !adopt }),
  protect: ({ protect }) => ({ protect: !protect }),
  retainOnDelete: ({ retainOnDelete }) => ({ retainOnDelete: !retainOnDelete }),
  deletedWith: (declared, n, program) => {
    const other = nth(
      earlier(program, declared).filter(({ retainOnDelete }) => !retainOnDelete),
      n,
    );
    return other === undefined
      ? undefined
      : { deletedWith: declared.deletedWith === undefined ? other.handle : undefined };
  },
  deleteBeforeReplace: ({ deleteBeforeReplace }) => ({ deleteBeforeReplace: !deleteBeforeReplace }),
  ignoreChanges: (declared, n) => {
    const field = nth(
      [...fieldsOf(declared), "fixed"].filter((name) => argumentOf(declared.type, name) !== ""),
      n,
    );
    return { ignores: declared.ignores === undefined ? field : undefined };
  },
  replaceOnChanges: (declared, n) => ({
    replacesOn: declared.replacesOn === undefined ? nth(fieldsOf(declared), n) : undefined,
  }),
  "have a transformation set a field": (declared, n) => {
    const free = fieldsOf(declared).filter((name) => isAlone(declared, name) && name !== declared.use?.field);
    const field = nth(free, n);
    return declared.transformed === undefined && field === undefined
      ? undefined
      : { transformed: declared.transformed === undefined ? field : undefined };
  },
  "change the source": ofDeployment(({ source }) => ({
    source: SOURCES[(SOURCES.indexOf(source) + 1) % SOURCES.length] ?? "external_docker",
    fields: {},
    use: undefined,
    fails: false,
    respelled: false,
  })),
  "declare an image that does not build": ofDeployment(({ fails, source }) =>
    fails || source !== "external_docker" ? undefined : { fails: true },
  ),
  "declare an image that builds": ofDeployment(({ fails }) => (fails ? { fails: false } : undefined)),
  "switch awaitRollout": ofDeployment(({ awaits, handle }) => (handle === HOST ? undefined : { awaits: !awaits })),
  "check the deployment": ofDeployment(({ check, handle, source }) =>
    handle === "Deployment2" && source !== "github"
      ? { check: check ? undefined : { passes: true, asks: 1 } }
      : undefined,
  ),
  "expect what the agent does not show, or no longer": ofDeployment(
    ({ check }) => check && { check: { ...check, passes: !check.passes } },
  ),
  "ask another question": ofDeployment(({ check }) => check && { check: { ...check, asks: check.asks + 1 } }),
} as const satisfies Record<string, Change>;

/** An import by a name needs one that the platform looks up. */
const CASES_WITH_A_NAME: ReadonlySet<string> = new Set(
  Object.entries(CASES).flatMap(([type, { naturalKey }]) => (naturalKey === undefined ? [] : [type])),
);

export type Declaring = keyof typeof CHANGES | "declare" | "drop" | "upgrade the package";
const isChange = (word: string): word is keyof typeof CHANGES => word in CHANGES;
export const DECLARING: readonly Declaring[] = [
  "declare",
  "drop",
  "upgrade the package",
  ...Object.keys(CHANGES).filter(isChange),
];

/** The program after the step; undefined where it has nothing to change. */
export function declaring(program: Program, word: Declaring, handle: Handle, n: number): Program | undefined {
  const declared = find(program, handle);
  if (word === "declare") return declared === undefined ? declare(program, handle, n) : undefined;
  if (declared === undefined) return undefined;
  if (word === "drop") return without(program, handle);
  // A program has one release of the package.
  if (word === "upgrade the package") return program.map((each) => ({ ...each, release: next(declared.release) }));
  const change: Change = CHANGES[word];
  const changed = change(declared, n, program);
  return changed && put(program, { ...declared, ...changed });
}

/** Half of them take a value from one that is there already. What an agent keeps brings its deployment along. */
function declare(program: Program, handle: Handle, n: number): Program {
  const host = isKept(typeOfHandle(handle)) && find(program, HOST) === undefined ? [fresh(HOST, program)] : [];
  const all = [...host, ...program, fresh(handle, program)].sort(
    (one, other) => HANDLES.indexOf(one.handle) - HANDLES.indexOf(other.handle),
  );
  return n % 2 === 0 ? all : (declaring(all, "take a value from another", handle, n >> 1) ?? all);
}
