import { isObject, type Json, type JsonObject } from "../../base/json";

// The vocabulary of a resource's table, provider/resources/<type>/fields.ts. Nothing here loads zod: the SDK and the tools read the
// tables too. From a table come the schema of the inputs (schema.ts), the rules of the diff (fieldRules), the names on the wire
// (rename.ts), the SDK's types with their comments and its lists of properties (propertiesOf).

/**
 * One row: what is known about a field, by the questions that a new one raises. Where a row answers none of them, the field is an argument that a program
 * may leave out and a property of the class, a request sends it, an answer shows it, and an update can change it.
 */
export interface Field {
  // What is it?
  readonly type: Type<unknown>;
  /** Its meaning and unit, in whole sentences. The SDK's comments add sentences for the rest of the row ({@link consequencesOf}). */
  readonly description: string;
  /** What to use instead, in whole sentences. The SDK, the schema and the docs show it, and a check warns if the field is set; it still works. */
  readonly deprecationMessage?: string;

  // What if a program leaves it out?
  readonly required?: true;
  /** The platform's default: an absent field equals it, and removing the field sends it. */
  readonly default?: Json;
  /** `@default`, in words, where `default` does not say it. A required field with such words is filled in by the SDK. */
  readonly defaultText?: string;
  /** The same, where the SDK's class fills it in from another of its arguments; programs without the class have no such default. */
  readonly classDefault?: string;
  /** Where this other input is given, the field is not required, not the Pulumi name, and refused: the platform fills it in, or it has none. */
  readonly unlessGiven?: string;
  /** The SDK's class sets it to true, unless one of these properties holds a secret. */
  readonly unlessSecret?: readonly string[];
  /** A component's class needs it at once, with the names in it: it cannot be an output. */
  readonly isPlain?: true;

  // Whose is it, and who sees it?
  /** Only the platform fills it in: an output, not an input. */
  readonly computed?: true;
  /** An argument to the provider, not a property of the object: checked, never sent, never compared, and in outputs only if `kept`, for what a read needs. */
  readonly providerOnly?: true | "kept";
  /** What programs have of it, where not all: the `argument` without a property of the class, or `nothing`, as it is between the class and the provider. */
  readonly seenAs?: "argument" | "nothing";

  // How does a request send it?
  /** The platform's name; `*` if its entries are fields of the platform, false if it is none. @default the name in snake_case */
  readonly wire?: string | false;
  /** In place of a name of its own: the platform's field that carries this one together with others. */
  readonly carriedBy?: string;
  /** The POST does not take it: a PATCH sends it once the object is there. */
  readonly afterCreate?: true;

  // What does an answer show, and when is that the same?
  /**
   * Which answers lack it: all, those of older versions, which have null, or of a map the `values` on most platforms. What was declared then stays in state
   * and is no drift, and an adoption sends it unless it cannot be sent ({@link isWriteOnly}).
   */
  readonly notReturned?: "always" | "when-null" | "values";
  /** Equality by meaning instead of spelling. The field is then compared as a whole. */
  readonly equal?: (declared: Json, other: Json) => boolean;
  /** A map that the platform replaces as a whole: a live key that is not declared is drift too. */
  readonly authoritative?: true;
  /** Always written by `generate` and `import`, even if it has the default value. */
  readonly isStated?: true;

  // What does a change do?
  /** It replaces the object: always, or only if the contract cannot update it. */
  readonly replaceOn?: "always" | "documented";
  /** It takes effect without a new revision of a deployment, or the field itself says whether it needs one. */
  readonly withoutRevision?: true;
  /** If it is taken out of the program: it keeps its value on the platform and is no longer managed, or check refuses that. @default the update resets it */
  readonly onRemove?: "unmanage" | { readonly refuse: string };
  /** Of an output: the platform never changes it once the object is there. */
  readonly isStable?: true;

  // Is it secret?
  /** Encrypted in state as a whole: the engine shows it as "[secret]", changed or not. */
  readonly secret?: true;
  /** The inputs that the platform's value repeats, or is derived from: it is secret if one of them is. The engine sees that only of an output that is an input. */
  readonly repeats?: readonly string[];
}

/** The fields of a resource, or of an object in it, in the order of its documentation. */
export type Fields = Readonly<Record<string, Field>>;

/** A row as the diff needs it. Where it says nothing, a field is readable, updatable and compared as is. */
export type FieldRule = Partial<Field>;

/** Rules by path ("sourceConfig.resourceSpec"). A path without a row, as in a map, uses its nearest ancestor's. */
export type FieldRules = Readonly<Record<string, FieldRule>>;

/** Property names and array positions from the root of the inputs. */
export type Path = readonly (string | number)[];

/** One thing wrong with an argument: where, and a reason that stands alone. Never holds the argument's value. */
export interface Problem {
  readonly path: Path;
  readonly reason: string;
}

/** A verb that a contract may have no endpoint for. */
export type Verb = "list" | "create" | "read" | "update" | "delete";

export interface About {
  /** Its kind, which is also the name of the SDK's class. Its folder has the same name, `OAuthProvider` is in `oauth-provider`. */
  readonly kind: string;
  /** What one object is called: "sandbox template". */
  readonly one: string;
  /** What an object is and does, in whole sentences; for the schema of the native plugin. */
  readonly summary: string;
  /** Which base URL its requests go to. @default "control" */
  readonly api?: "sandbox";
  /** The input whose value only one object of the tenant can have. @default none */
  readonly naturalKey?: string;
  /** Verbs that contract `documented` has no endpoint for. @default none */
  readonly undocumented?: readonly Verb[];
  /** A PUT at its key makes an object and changes it. @default a POST makes it, and a PATCH changes it */
  readonly upserts?: true;
  /** The output that distinguishes an object from one created later under the same id. @default ids are not reused */
  readonly incarnation?: string;
  /** The output within whose value an id is unique. @default a UUID is unique everywhere */
  readonly scope?: string;
  /** Answers contain only what was sent, so an additional value shows that it is a different object. @default the platform adds values of its own */
  readonly echoes?: true;
  /** Several objects can have one name, so a new one is made before the old one is deleted. @default a name that is taken is refused */
  readonly namesRepeat?: true;
  /** It holds data that nothing can make again: the class has the old one deleted only once the new one is there. */
  readonly holdsData?: true;
  /** What is deleted together with an object, in words: "its address and all its revisions". @default nothing */
  readonly goesWith?: string;
  /** A kind without an object: what `up` does for it, in words ("waits until ..."), and the argument that limits how long. */
  readonly acts?: { readonly what: string; readonly limit: string };
  /** The comment of the SDK's interface of arguments. */
  readonly description: string;
  /** A kind with an object: how it is read. */
  readonly reading?: Reading;
  /** Rules across several fields, as of {@link ObjectShape}. */
  readonly rules?: ObjectShape["rules"];
  /** The name of that interface, if the class takes more arguments than the table has and so extends it. @default `<kind>Args` */
  readonly extendedArgs?: string;
}

/** How objects are read, for the SDK's functions and comments, beside what follows from the fields. */
interface Reading {
  /** What the id is, in a sentence. @default the platform's UUID */
  readonly id?: string;
  /** The id is the natural key: an object is found by that alone. */
  readonly idIsKey?: true;
  /** How the class's `get` finds an object, if not by its id alone: "its id or its name". */
  readonly foundBy?: string;
  /** The natural key as an argument, in a sentence. @default "Its <key>." */
  readonly key?: string;
  /** Follows "as it is on the platform": ", which never shows its client secret". */
  readonly result?: string;
  /** The document and the heading that describe an answer. */
  readonly place?: string;
  /** The most objects in one page of the list. @default one request lists all */
  readonly page?: number;
  /** The list pages by cursor, or on an older platform by offset. @default by offset alone */
  readonly cursor?: true;
  /** The fields that a read returns beyond the arguments and outputs. */
  readonly details?: Fields;
}

export interface Table<F extends Fields = Fields> extends About {
  readonly fields: F;
  /** The rules of the diff, by path. */
  readonly fieldRules: FieldRules;
}

export const table = <F extends Fields>(about: About, fields: F & KnownRules<F>): Table<F> => ({
  ...about,
  fields,
  fieldRules: rulesOf(fields),
});

/** Refuses a property of a row that {@link Field} does not have: a misspelled rule would be ignored. */
type KnownRules<F> = { readonly [Name in keyof F]: Readonly<Record<Exclude<keyof F[Name], keyof Field>, never>> };

/** Several of what a noun names: "listeners", "SandboxRegistries". */
export const pluralOf = (noun: string): string => `${noun.replace(/(?<=[^aeiou])y$/, "ie")}s`;

/** The reason to refuse a value; undefined for a valid one. Never repeats the value: it may be a secret. */
export type Check<T> = (value: T) => string | undefined;

/** Which values a field takes, as data; {@link Type} is the same with their TypeScript type. types.ts has a word for each. */
export type Shape =
  | {
      readonly kind: "text";
      readonly isNeverEmpty?: true;
      /** In characters. */
      readonly most?: number;
      /** Values that an editor offers. Others are taken too: a platform learns new ones. */
      readonly known?: readonly string[];
      /** The reason to refuse null, for a field that often gets another resource's output. */
      readonly ifNull?: string;
      /** The same where it is required and absent. @default that it is required */
      readonly ifAbsent?: string;
      readonly checks: readonly Check<string>[];
    }
  | { readonly kind: "number"; readonly checks: readonly Check<number>[] }
  | { readonly kind: "flag" | "json" }
  /** True, false, or a text: one of these, or an id. */
  | { readonly kind: "flagOr"; readonly choices: readonly string[] | "an id" }
  | { readonly kind: "choice"; readonly choices: readonly string[] }
  | { readonly kind: "nullable"; readonly of: Shape }
  | {
      readonly kind: "list";
      readonly of: Shape;
      /** The reason to refuse an empty list; undefined if it may be empty. */
      readonly empty?: string;
      readonly most?: number;
    }
  | { readonly kind: "map"; readonly of: Shape; readonly names?: NameRule }
  | ObjectShape;

/** An object whose fields are a table of their own. */
export interface ObjectShape {
  readonly kind: "object";
  /** The SDK's name of its interface; without one its type is written where it is used. */
  readonly name?: string;
  readonly description?: string;
  readonly fields: Fields;
  /** Rules across several fields, which no row can express. Runs even if a field is wrong, so it must not trust their types. */
  readonly rules?: (value: JsonObject) => Iterable<Problem>;
}

/** Which names the entries of a map may have; `rule` follows "the name". */
export interface NameRule {
  readonly pattern: RegExp;
  readonly rule: string;
}

/** A shape, and the TypeScript type of what it takes. `value` is never set: it only carries the type. */
export type Type<T> = Shape & { readonly value?: T };

type ValueOf<F extends Field> = F["type"] extends { readonly value?: infer T } ? T : never;
type Given<F extends Fields> = { [Name in keyof F as F[Name] extends { computed: true } ? never : Name]: F[Name] };

export type InputsOf<F extends Fields> = {
  [Name in keyof Given<F> as IsRequired<F[Name]> extends true ? Name : never]: ValueOf<F[Name]>;
} & {
  [Name in keyof Given<F> as IsRequired<F[Name]> extends true ? never : Name]?: ValueOf<F[Name]> | undefined;
};
type IsRequired<F extends Field> = F extends { unlessGiven: string }
  ? false
  : F extends { required: true }
    ? true
    : false;

/** The inputs that a PATCH sends once the object is there. */
export const sentAfterCreate = ({ fields }: Table): string[] =>
  inputRows(fields).flatMap(([name, { afterCreate }]) => (afterCreate ? [name] : []));

/** The rows that an author or the SDK's class can give. */
export const inputRows = (fields: Fields): (readonly [string, Field])[] =>
  Object.entries(fields).filter(([, { computed }]) => computed !== true);

/** The rows that an author can give. */
export const argumentRows = (fields: Fields): (readonly [string, Field])[] =>
  inputRows(fields).filter(([, { seenAs }]) => seenAs !== "nothing");

/** Whether null is a value; any JSON may be null. */
export const isNullable = ({ kind }: Shape): boolean => kind === "nullable" || kind === "json";

/** Whether another input stands for this one in these inputs ({@link Field.unlessGiven}). */
export const isFilledIn = ({ unlessGiven }: Pick<Field, "unlessGiven"> = {}, given: JsonObject): boolean =>
  unlessGiven !== undefined && given[unlessGiven] !== undefined;

/** Whether an adoption sends it, since it can be sent and not compared: what cannot change, and what the platform has no field for, stays as it is. */
export const isWriteOnly = ({ notReturned, replaceOn, wire }: FieldRule): boolean =>
  notReturned === "values" || (notReturned === "always" && replaceOn !== "always" && wire !== false);

/** What a program may leave out although it is required: an object that may be empty, and the name, which is then the Pulumi name. */
export const filledInputs = ({ fields, naturalKey }: Table, pulumiName?: string): JsonObject =>
  Object.fromEntries(
    inputRows(fields).flatMap(([name, { required, defaultText, type }]): [string, Json | undefined][] => {
      if (!required || defaultText === undefined) return [];
      return type.kind === "object" ? [[name, {}]] : name === naturalKey ? [[name, pulumiName]] : [];
    }),
  );

/**
 * Without the optional arguments that are null, at any depth: YAML writes an empty value so, and a secret output without a value arrives so. It means that
 * the argument is not given.
 */
export function givenOf(fields: Fields, values: JsonObject): JsonObject {
  const given = Object.entries(values).filter(([name, value]) => value !== null || !canBeLeftOut(fields[name]));
  return Object.fromEntries(given.map(([name, value]) => [name, givenIn(fields[name]?.type, value)]));
}

function canBeLeftOut({ type, required, defaultText, classDefault }: Partial<Field> = {}): boolean {
  const refusesNull = type?.kind === "text" && type.ifNull !== undefined;
  return (
    type !== undefined &&
    !isNullable(type) &&
    !refusesNull &&
    (required !== true || (defaultText ?? classDefault) !== undefined)
  );
}

function givenIn(shape: Shape | undefined, value: JsonObject[string]): JsonObject[string] {
  if (shape?.kind === "object" && isObject(value)) return givenOf(shape.fields, value);
  if (shape?.kind === "list" && Array.isArray(value)) return value.map((each) => givenIn(shape.of, each) ?? null);
  return value;
}

/** Sentences about a field for its user, derived from its row and added to its description; the same in every language. */
export function consequencesOf({
  type,
  replaceOn,
  withoutRevision,
  onRemove,
  notReturned,
  secret,
  wire,
}: Field): string[] {
  const isPlatforms = wire !== false && wire !== "*";
  return [
    ...(replaceOn === "always" ? ["Changing this replaces the resource."] : []),
    ...(replaceOn === "documented" ? ['Under contract "documented" it cannot change in place.'] : []),
    ...(withoutRevision && isPlatforms ? ["A change makes no new revision."] : []),
    ...(typeof onRemove === "object" ? ["Once set, it can be changed, but not removed."] : []),
    ...(onRemove === "unmanage" && isPlatforms && type.kind !== "object"
      ? ["Once removed, it keeps its value on the platform."]
      : []),
    ...(notReturned === "always" && isPlatforms ? ["The platform never returns it, so drift is not detected."] : []),
    ...(secret ? ["Encrypted in state as a whole, never shown."] : []),
  ];
}

/** What a row has from the object that it is in, unless it says otherwise. */
const INHERITED = ["providerOnly", "notReturned", "replaceOn", "withoutRevision", "onRemove", "secret"];

function rulesOf(fields: Fields, above = "", inherited: FieldRule = {}): FieldRules {
  const rules = Object.entries(fields).flatMap(([name, field]): (readonly [string, FieldRule])[] => {
    const [path, rule] = [above + name, { ...inherited, ...field }];
    if (field.type.kind !== "object") return [[path, rule]];
    const own = Object.fromEntries(Object.entries(rule).filter(([each]) => INHERITED.includes(each)));
    return [[path, rule], ...Object.entries(rulesOf(field.type.fields, `${path}.`, own))];
  });
  return Object.fromEntries(rules);
}

/** What a resource's class has from its table, above all the names of its properties. */
export interface Properties {
  /** The old object of a replacement has to go first, because only one can have its name: even if the engine does not call diff (`--target-replace`). */
  readonly deletesFirst: boolean;
  /** Those that are arguments too. */
  readonly inputs: readonly string[];
  readonly computed: readonly string[];
  readonly secretInputs: readonly string[];
  readonly secretOutputs: readonly string[];
  /** The outputs that are secret if one of these inputs is ({@link Field.repeats}). */
  readonly repeats?: Readonly<Record<string, readonly string[]>>;
}

/** The rows that are properties of the SDK's class, inputs first. */
export function outputRows(fields: Fields): (readonly [string, Field])[] {
  const shown = Object.entries(fields).filter(
    ([, { seenAs, providerOnly }]) => seenAs === undefined && providerOnly !== true,
  );
  return [...shown.filter(([, { computed }]) => !computed), ...shown.filter(([, { computed }]) => computed)];
}

export function propertiesOf({ fields, acts, namesRepeat, holdsData }: Table): Properties {
  const outputs = outputRows(fields);
  const names = (rows: readonly (readonly [string, Field])[]): string[] => rows.map(([name]) => name);
  const repeating = Object.entries(fields).flatMap(([name, { repeats }]) =>
    repeats ? [[name, repeats] as const] : [],
  );
  return {
    deletesFirst: acts === undefined && namesRepeat !== true && holdsData !== true,
    inputs: names(outputs.filter(([, { computed }]) => !computed)),
    computed: names(outputs.filter(([, { computed }]) => computed)),
    secretInputs: names(inputRows(fields).filter(([, { secret }]) => secret)),
    secretOutputs: names(outputs.filter(([, { secret }]) => secret)),
    ...(repeating.length > 0 && { repeats: Object.fromEntries(repeating) }),
  };
}
