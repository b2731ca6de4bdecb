import { defaultTenantIds } from "../../../emulator";
import { isObject, type Json, type JsonObject } from "../../../provider/base/json";
import { RESOURCES } from "../../../provider/resources/registry";
import { MANAGED_TYPES, objectPlaceOf, type ResourceType } from "../../../provider/resources/resource-types";
import { CASES, differences, merged, PLAYED, type Case, type ObjectType } from "../../conformance/cases";
import { typeInState } from "../../support/cli-stack";

/** A table of rows, each under the word that a story says. */
export const tableOf =
  <Row>() =>
  <Word extends string>(rows: Readonly<Record<Word, Row>>): Readonly<Record<Word, Row>> =>
    rows;
/** The words of a table, in its order. */
export const wordsOf = <Word extends string>(table: Readonly<Record<Word, unknown>>): Word[] =>
  Object.keys(table).filter((word): word is Word => word in table);

/** All types that have objects, in the order in which a program declares them. */
export const TYPES: readonly ObjectType[] = [...MANAGED_TYPES, ...wordsOf(PLAYED).filter((type) => !(type in CASES))];
const OF_THE_PLATFORM: Readonly<Partial<Record<ObjectType, Case>>> = CASES;
/** What is known of a type of the platform besides; undefined for one that an agent keeps. */
export const caseOf = (type: ObjectType): Case | undefined => OF_THE_PLATFORM[type];
/** A resource of a program, whatever its names become: "Deployment1". */
export type Handle = `${ObjectType}${number}`;
/** A deployment with an address of its own, as the case has it: nobody asks its agent. */
const ELSEWHERE: Handle = "Deployment3";
export const HANDLES: readonly Handle[] = [...TYPES.flatMap((type): Handle[] => [`${type}1`, `${type}2`]), ELSEWHERE];
export const typeOfHandle = (handle: Handle): ObjectType =>
  TYPES.find((type) => handle.startsWith(type) && /^\d+$/.test(handle.slice(type.length))) ?? "Deployment";
const numberOf = (handle: Handle): number => Number(/\d+$/.exec(handle)?.[0]);

/** The deployment whose agent keeps what the program's assistants and crons declare. */
export const HOST: Handle = "Deployment1";
export const isKept = (type: ObjectType): boolean => objectPlaceOf(type) === "agent";

/** A value that is only known at `up` stands in the arguments as this number; the id of a resource takes its place. */
const LATER = 7777;
export interface Use {
  readonly field: string;
  readonly from: Handle;
  /** The whole argument comes from an `apply`. */
  readonly whole: boolean;
}

/** The connections of a program, all to one address: that of the stack, one that repeats it, and one that names the tenant, too. */
export const CONNECTIONS = ["stack", "own", "tenant"] as const;
export type Connection = (typeof CONNECTIONS)[number];
export const SOURCES = ["external_docker", "github", "internal_docker"] as const;

/** One resource of a program. Another number is another value; a field that is not there is as the case has it. */
export interface Declaration {
  readonly handle: Handle;
  readonly type: ObjectType;
  /** The name in Pulumi. */
  readonly pulumiName: string;
  readonly named: number;
  readonly fixed: number;
  readonly fields: Readonly<Record<string, number>>;
  readonly respelled?: boolean;
  readonly use?: Use;
  /** A transformation sets this field. */
  readonly transformed?: string;
  readonly inComponent?: boolean;
  /** How often the component has got another type. */
  readonly team: number;
  /** Whole URNs. */
  readonly aliases: readonly string[];
  readonly adopt?: boolean;
  /** What no name tells apart is adopted by its id. */
  readonly adoptId?: string;
  /** The object that the option `import` names. */
  readonly imports?: string;
  /** Any but that of the stack is an explicit provider. */
  readonly connection: Connection;
  /** The release of the package that the program names; 0: none. Each has a default provider of its own. */
  readonly release: number;
  /** As YAML declares it: without the SDK's class. */
  readonly raw?: boolean;
  readonly protect?: boolean;
  readonly retainOnDelete?: boolean;
  readonly deleteBeforeReplace?: boolean;
  readonly deletedWith?: Handle;
  /** Of these fields, the argument that they are in. */
  readonly ignores?: string;
  readonly replacesOn?: string;
  /** Of a deployment alone, whose class makes its Rollout. */
  readonly source: (typeof SOURCES)[number];
  readonly awaits: boolean;
  /** The declared image does not build. */
  readonly fails?: boolean;
  /** A RunCheck asks the deployment; another number asks another question. */
  readonly check?: { readonly passes: boolean; readonly asks: number };
}
export type Program = readonly Declaration[];

/** As the case has it, under a name of its own. */
export function fresh(handle: Handle, program: Program = []): Declaration {
  return {
    handle,
    type: typeOfHandle(handle),
    pulumiName: handle.toLowerCase(),
    named: numberOf(handle),
    fixed: 0,
    fields: {},
    aliases: [],
    connection: "stack",
    release: program[0]?.release ?? 0,
    team: program[0]?.team ?? 0,
    source: "external_docker",
    awaits: true,
  };
}

export const find = (program: Program, handle: string): Declaration | undefined =>
  program.find((each) => each.handle === handle);
export const put = (program: Program, declaration: Declaration): Program =>
  program.map((each) => (each.handle === declaration.handle ? declaration : each));

/** The program without the resource: what hangs on it goes with it, what only takes its id is then as the case has it. */
export const without = (program: Program, handle: Handle): Program =>
  program
    .filter((each) => each.handle !== handle && !(handle === HOST && isKept(each.type)))
    .map(({ use, deletedWith, ...rest }) => ({
      ...rest,
      use: use?.from === handle ? undefined : use,
      deletedWith: deletedWith === handle ? undefined : deletedWith,
    }));

const EXTERNAL_ONLY = ["sourceConfig", "sourceRevisionConfig"];
/** Of a source that is not the case's (docs/internals/platform.md, Source). */
const OTHER_SOURCES = {
  github: (fixed: number) => ({
    source: "github",
    sourceConfig: {
      integrationId: "integration",
      repoUrl: `https://git.example/repository-${fixed}`,
      deploymentType: "dev",
      buildOnPush: fixed % 2 === 1,
    },
    sourceRevisionConfig: { repoRef: "main", langgraphConfigPath: "langgraph.json" },
  }),
  internal_docker: (fixed: number) => ({
    source: "internal_docker",
    sourceConfig: { deploymentType: fixed % 2 === 1 ? "prod" : "dev" },
  }),
};

const reached = (handle: Handle, args: JsonObject): JsonObject => {
  const config = args["sourceConfig"];
  if (typeOfHandle(handle) !== "Deployment" || handle === ELSEWHERE || !isObject(config)) return args;
  const { customUrl: _elsewhere, ...rest } = config;
  return { ...args, sourceConfig: rest };
};

/** The fields that the declaration can have a value of. */
export function fieldsOf({ handle, type, source }: Declaration): string[] {
  const parts = Object.entries(PLAYED[type].fields).filter(([name]) => name !== "customUrl" || handle === ELSEWHERE);
  if (source === "external_docker") return parts.map(([name]) => name);
  return parts.filter(([, part]) => !EXTERNAL_ONLY.some((name) => name in part(1))).map(([name]) => name);
}

/** The field's part of the arguments; "fixed" is that which replaces. */
export const partOf = (type: ObjectType, field: string, n: number): JsonObject =>
  (field === "fixed" ? PLAYED[type].fixed?.(n) : PLAYED[type].fields[field]?.(n)) ?? {};

export type IdOf = (handle: Handle) => string | undefined;
/** A number of a part that no step counts up to. */
const TRANSFORMED = 500;
/** What a transformation sets. */
export const transformedPart = (type: ObjectType, field: string): JsonObject => partOf(type, field, TRANSFORMED);

/** The arguments. `idOf` knows the ids that they take from others; where it knows none, they have the number that stands for it. */
export function argsOf(declaration: Declaration, idOf: IdOf = () => undefined): JsonObject {
  const { handle, type, named, fixed, fields, respelled, source, use, transformed, fails } = declaration;
  const base = reached(handle, (respelled && caseOf(type)?.respelled) || PLAYED[type].program);
  const { sourceRevisionConfig: _image, ...unbuilt } = base;
  const imageUri = `registry.example/emulator-fail-build:${Object.keys(fields).length}`;
  const all = merged(
    // The source's own fields are all that its objects have.
    {
      ...(source === "internal_docker" ? unbuilt : base),
      ...(source !== "external_docker" && OTHER_SOURCES[source](fixed)),
    },
    PLAYED[type].named(named),
    source === "external_docker" && fixed > 0 ? partOf(type, "fixed", fixed) : {},
    ...Object.entries(fields).map(([name, n]) => partOf(type, name, n)),
    use === undefined ? {} : partOf(type, use.field, LATER),
    transformed === undefined ? {} : transformedPart(type, transformed),
    fails ? { sourceRevisionConfig: { imageUri } } : {},
  );
  const id = use && idOf(use.from);
  return id === undefined ? all : withTexts(all, (text) => text.replace(String(LATER), id));
}

/** A copy in which each text is what it is changed to. */
export function withTexts(value: object, changed: (text: string) => string): JsonObject {
  const copy: unknown = JSON.parse(JSON.stringify(value), (_name, each: unknown) =>
    typeof each === "string" ? changed(each) : each,
  );
  return isObject(copy) ? copy : {};
}

/** Whether a value that only `up` knows can stand in this field: in a text, not a number. */
export const canBeLater = (type: ObjectType, field: string): boolean =>
  new RegExp(`"[^"]*${LATER}[^"]*"`).test(JSON.stringify(partOf(type, field, LATER)));

/** What the platform is to hold, in the terms of a request that makes it. */
export const bodyOf = (declaration: Declaration, idOf?: IdOf): JsonObject =>
  PLAYED[declaration.type].body(argsOf(declaration, idOf));

/** The part of the body that differs with this part of the arguments. */
export function changedBy(declaration: Declaration, part: JsonObject, idOf?: IdOf): JsonObject {
  const args = argsOf(declaration, idOf);
  const { body } = PLAYED[declaration.type];
  const [before, after] = [body(args), body(merged(args, part))];
  const isChanged = (name: string): boolean => JSON.stringify(after[name]) !== JSON.stringify(before[name]);
  return Object.fromEntries(Object.entries(after).filter(([name]) => isChanged(name)));
}
/** Whether the body has no value for any of this. */
export const isSilentOn = (body: JsonObject, part: JsonObject): boolean =>
  differences(part, body).every((text) => text.endsWith(" is null"));

/** The natural key, or of a type that has none its name. */
export const nameOf = ({ type, named }: Pick<Declaration, "type" | "named">): string =>
  textIn(PLAYED[type].named(named));
export function textIn(value: Json | undefined): string {
  if (typeof value === "string") return value;
  return isObject(value) ? Object.values(value).map(textIn).join("") : "";
}

export const TEAM = "example:index:Team";
const URN = "urn:pulumi:test::test::";
const teamType = (team = 0): string => (team === 0 ? TEAM : `${TEAM}${team}`);
type Named = Pick<Declaration, "type" | "pulumiName"> & Partial<Pick<Declaration, "inComponent" | "team">>;
const urnWith = ({ pulumiName, inComponent, team }: Named, types: readonly ResourceType[]): string =>
  `${URN}${[...(inComponent ? [teamType(team)] : []), ...types.map(typeInState)].join("$")}::${pulumiName}`;
export const urnOf = (declaration: Named): string => urnWith(declaration, [declaration.type]);
export const rolloutUrnOf = (declaration: Named): string => urnWith(declaration, ["Deployment", "Rollout"]);
export const checkUrnOf = ({ handle }: Declaration): string =>
  `${URN}${typeInState("RunCheck")}::${checkNameOf(handle)}`;
const checkNameOf = (handle: Handle): string => `${handle.toLowerCase()}-check`;

/** What a contract offers of a type; under `documented`, some have no endpoint at all. */
export const isOffered = (type: ObjectType): boolean => {
  const undocumented: readonly string[] = RESOURCES[isKept(type) ? "Deployment" : type].table.undocumented ?? [];
  return !undocumented.includes("create");
};

/** Long enough for a busy machine; a stuck revision takes all of it. */
const ROLLOUT_TIMEOUT = "6s";

/** The program as its author would write it: the body of a CommonJS module. */
export function programText(program: Program): string {
  const used = CONNECTIONS.filter((each) => program.some(({ connection }) => connection === each));
  return [
    ...used.flatMap((each) => providerText(each, program[0]?.release ?? 0)),
    ...program.flatMap(transformationText),
    ...(program.some(({ inComponent }) => inComponent) ? [teamText(program[0]?.team ?? 0)] : []),
    ...program.flatMap((declaration) => [resourceText(declaration), ...checkText(declaration)]),
    "",
  ].join("\n");
}

function teamText(team: number): string {
  const aliases = Array.from({ length: team }, (_, n) => ({ type: teamType(n) }));
  return `const team = new pulumi.ComponentResource("${teamType(team)}", "team", {}, { aliases: ${JSON.stringify(aliases)} });`;
}

const versionText = (release: number): string[] => (release === 0 ? [] : [`version: "0.1.${release}"`]);

/** What an explicit provider leaves out comes from the stack. */
function providerText(connection: Connection, release: number): string[] {
  if (connection === "stack") return [];
  const settings = connection === "tenant" ? `{ tenantId: "${defaultTenantIds.tenantId}" }` : "{}";
  const options = versionText(release).join("");
  return [`const ${connection} = new platform.Platform("${connection}", ${settings}, { ${options} });`];
}

function transformationText({ type, pulumiName, transformed }: Declaration): string[] {
  if (transformed === undefined) return [];
  const set = JSON.stringify(transformedPart(type, transformed));
  return [
    `pulumi.runtime.registerStackTransformation(({ type, name, props, opts }) =>`,
    `  type.endsWith(":${type}") && name === "${pulumiName}" ? { props: { ...props, ...${set} }, opts } : undefined);`,
  ];
}

function resourceText(declaration: Declaration): string {
  const { handle, type, pulumiName, raw, adopt, adoptId, awaits } = declaration;
  const args = withLater(argsOf({ ...declaration, transformed: undefined }), declaration.use);
  const more = [
    ...(adopt ? [`adopt: ${JSON.stringify(adoptId ?? true)}`] : []),
    ...(isKept(type) ? [raw ? `deploymentId: ${HOST}.id, url: ${HOST}.url` : `deployment: ${HOST}`] : []),
    ...(type !== "Deployment" || raw ? [] : [awaits ? `rolloutTimeout: "${ROLLOUT_TIMEOUT}"` : "awaitRollout: false"]),
  ];
  const options = optionTexts(declaration);
  const tail = options.length > 0 ? `, { ${options.join(", ")} }` : "";
  const made = raw
    ? `pulumi.CustomResource("${typeInState(type)}", "${pulumiName}"`
    : `platform.${type}("${pulumiName}"`;
  const given = more.length > 0 ? `Object.assign(${args}, { ${more.join(", ")} })` : args;
  return `const ${handle} = new ${made}, ${given}${tail});`;
}

/** Puts the output where its number stands. */
function withLater(args: JsonObject, use: Use | undefined): string {
  const replaced = (text: string, as: string): string =>
    text.replaceAll(new RegExp(`"([^"]*)${LATER}([^"]*)"`, "g"), as);
  if (use?.whole !== true) return replaced(JSON.stringify(args), `pulumi.interpolate\`$1\${${use?.from ?? ""}.id}$2\``);
  const texts = Object.entries(args).map(([name, value]) => {
    const text = JSON.stringify(value);
    const known = replaced(text, '"$1" + id + "$2"');
    return `${name}: ${known === text ? text : `${use.from}.id.apply((id) => (${known}))`}`;
  });
  return `{ ${texts.join(", ")} }`;
}

/** The argument that a field is in. */
export const argumentOf = (type: ObjectType, field: string): string => Object.keys(partOf(type, field, 1))[0] ?? "";

function optionTexts(declaration: Declaration): string[] {
  const { type, connection, release, imports, deletedWith, ignores, replacesOn } = declaration;
  const flags = ["protect", "retainOnDelete", "deleteBeforeReplace"] as const;
  // The aliases of the component count for its children.
  const inAnyTeam = (urn: string): string => urn.replace(/Team\d+/, "Team");
  const aliases = declaration.aliases.filter((each) => inAnyTeam(each) !== inAnyTeam(urnOf(declaration)));
  return [
    ...(declaration.inComponent ? ["parent: team"] : []),
    ...(aliases.length > 0 ? [`aliases: ${JSON.stringify(aliases)}`] : []),
    ...flags.filter((name) => declaration[name]).map((name) => `${name}: true`),
    ...(deletedWith === undefined ? [] : [`deletedWith: ${deletedWith}`]),
    ...(ignores === undefined ? [] : [`ignoreChanges: ["${argumentOf(type, ignores)}"]`]),
    ...(replacesOn === undefined ? [] : [`replaceOnChanges: ["${argumentOf(type, replacesOn)}"]`]),
    ...(connection === "stack" ? [] : [`provider: ${connection}`]),
    ...versionText(release),
    ...(imports === undefined ? [] : [`import: "${imports}"`]),
  ];
}

function checkText(declaration: Declaration): string[] {
  const { handle, check, awaits, raw } = declaration;
  if (check === undefined || !awaits || raw) return [];
  const expected = check.passes ? `{ modes: ["values"] }` : `{ nodes: ["nowhere"] }`;
  const args = `deployment: ${handle}, assistantId: "agent", interval: "1s", input: { topic: "number ${check.asks}" }`;
  return [`new platform.RunCheck("${checkNameOf(handle)}", { ${args}, expect: ${expected}, runTimeout: "20s" });`];
}
