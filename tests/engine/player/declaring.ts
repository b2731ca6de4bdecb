import { canRepeat } from "../../player/declarations";
import {
  argsOf,
  argumentOf,
  canBeLater,
  caseOf,
  CONNECTIONS,
  fieldsOf,
  find,
  fresh,
  HOST,
  HANDLES,
  isKept,
  nameOf,
  put,
  SOURCES,
  tableOf,
  transformedPart,
  typeOfHandle,
  urnOf,
  without,
  wordsOf,
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
const earlier = (program: Program, { handle }: Declaration): Program => {
  const isIt = program.map((each) => each.handle === handle);
  return program.slice(0, isIt.indexOf(true));
};

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
/** With the URN that it has now. */
const aliased = (declared: Declaration): Pick<Declaration, "aliases"> => ({
  aliases: [...declared.aliases, urnOf(declared)],
});
/** An option that is there or not. */
const flag =
  (name: "adopt" | "protect" | "retainOnDelete" | "deleteBeforeReplace"): Change =>
  (declared) => ({ [name]: !declared[name] });

/** A transformation replaces a whole argument: only of a field that is alone in one. */
const isAlone = (declared: Declaration, field: string): boolean => {
  const args = argsOf({ ...declared, transformed: field });
  return Object.entries(transformedPart(declared.type, field)).every(
    ([name, value]) => JSON.stringify(args[name]) === JSON.stringify(value),
  );
};

const CHANGES = tableOf<Change>()({
  "change a field": (declared, n) => {
    const free = fieldsOf(declared).filter((name) => name !== declared.use?.field);
    const field = nth(free, n);
    return field === undefined ? undefined : { fields: { ...declared.fields, [field]: next(declared.fields[field]) } };
  },
  "take a field out": ({ fields }, n) => {
    const field = nth(Object.keys(fields), n);
    if (field === undefined) return undefined;
    const { [field]: _out, ...rest } = fields;
    return { fields: rest };
  },
  "change what replaces": ({ type, fixed }) => (argumentOf(type, "fixed") === "" ? undefined : { fixed: next(fixed) }),
  "rename the object": ({ named }) => ({ named: named + 10 }),
  respell: ({ type, source, respelled }) =>
    caseOf(type) && source === "external_docker" ? { respelled: !respelled } : undefined,
  "take a value from another": use(false),
  "take a whole argument from another": use(true),
  "take nothing from another": (declared) => (declared.use === undefined ? undefined : { use: undefined }),
  "rename in Pulumi, with aliases": (declared) => ({ pulumiName: renamed(declared), ...aliased(declared) }),
  "rename in Pulumi, with adopt": (declared) => ({ pulumiName: renamed(declared), aliases: [], adopt: true }),
  "rename in Pulumi, with adopt, through another provider": (declared, n) => {
    const connection = nth(CONNECTIONS.filter((each) => each !== declared.connection), n) ?? "stack"; // prettier-ignore
    if (isKept(declared.type) || declared.handle === HOST) return undefined;
    return { pulumiName: renamed(declared), aliases: [], adopt: true, connection };
  },
  // An import by a name needs one that the platform looks up.
  "rename in Pulumi, with import": (declared) =>
    canRepeat(declared.type) ? undefined : { pulumiName: renamed(declared), aliases: [], imports: nameOf(declared) },
  // Or the component gets another type.
  "into a component, or out of it": (declared) => ({ inComponent: !declared.inComponent, ...aliased(declared) }),
  "into a component, or out of it, with adopt": ({ inComponent }) => ({
    inComponent: !inComponent,
    aliases: [],
    adopt: true,
  }),
  // One that names the tenant counts as another platform: only by another name does a resource get there, or away. What an agent keeps goes
  // through the provider of its deployment.
  "move to another provider": ({ connection, handle }) =>
    connection === "tenant" || handle === HOST ? undefined : { connection: connection === "own" ? "stack" : "own" },
  // An agent's objects take the address from the class.
  "declare as YAML does, or no longer": ({ raw, handle }) => (handle === HOST ? undefined : { raw: !raw }),
  "set adopt, or no longer": flag("adopt"),
  protect: flag("protect"),
  retainOnDelete: flag("retainOnDelete"),
  deletedWith: (declared, n, program) => {
    const other = nth(earlier(program, declared).filter(({ retainOnDelete }) => !retainOnDelete), n); // prettier-ignore
    return other && { deletedWith: declared.deletedWith === undefined ? other.handle : undefined };
  },
  deleteBeforeReplace: flag("deleteBeforeReplace"),
  ignoreChanges: (declared, n) => {
    const fields = [...fieldsOf(declared), "fixed"].filter((name) => argumentOf(declared.type, name) !== "");
    return { ignores: declared.ignores === undefined ? nth(fields, n) : undefined };
  },
  replaceOnChanges: (declared, n) => ({
    replacesOn: declared.replacesOn === undefined ? nth(fieldsOf(declared), n) : undefined,
  }),
  "have a transformation set a field": (declared, n) => {
    if (declared.transformed !== undefined) return { transformed: undefined };
    const free = fieldsOf(declared).filter((name) => isAlone(declared, name) && name !== declared.use?.field);
    return free.length === 0 ? undefined : { transformed: nth(free, n) };
  },
  "change the source": ofDeployment(({ source }) => ({
    source: nth(SOURCES, SOURCES.indexOf(source) + 1) ?? source,
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
});

export type Declaring = keyof typeof CHANGES | "declare" | "drop" | "upgrade the package";
export const DECLARING: readonly Declaring[] = ["declare", "drop", "upgrade the package", ...wordsOf(CHANGES)];

/** The program after the step; undefined where it has nothing to change. */
export function declaring(program: Program, word: Declaring, handle: Handle, n: number): Program | undefined {
  const declared = find(program, handle);
  if (word === "declare") return declared === undefined ? declare(program, handle, n) : undefined;
  if (declared === undefined) return undefined;
  if (word === "drop") return without(program, handle);
  // A program has one release of the package.
  if (word === "upgrade the package") return program.map((each) => ({ ...each, release: next(declared.release) }));
  // A child takes no alias of its own: it has that of the component.
  if (word === "into a component, or out of it" && declared.inComponent && n % 2 === 1)
    return program.map((each) => ({ ...each, team: next(each.team), ...(each.inComponent && aliased(each)) }));
  const changed = CHANGES[word](declared, n, program);
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
