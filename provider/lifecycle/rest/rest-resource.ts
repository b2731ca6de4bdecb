import { z } from "zod";
import { type Json, type JsonObject, textIn } from "../../base/json";
import { ANY_JSON, type Answer, type Send } from "../../http/request";
import { resourcePages } from "../../http/resource-pages";
import { createObject, type Creation } from "../create";
import { defineResource, type Defined } from "../defined";
import type { ResourceDefinition, Wanted } from "../definition";
import type { Change } from "../fields/diff";
import { changedExtra, toComputedNames, toInputNames, toRequest, wireName } from "../fields/rename";
import { sentAfterCreate, inputRows, type Fields, type Shape, type Table } from "../fields/table";
import type { Context } from "../observe/context";
import { KeptList } from "../observe/kept-list";
import type { Workspace } from "../observe/workspace";
import { keyNameOf, type Live, RestCollection } from "./collection";
import { ById } from "./by-id";
import { ByName } from "./by-name";

/** A type whose objects are a plain collection: POST and GET at its path; GET, PATCH and DELETE below it, by id or by name. */
interface Rest<Inputs>
  extends
    Pick<
      ResourceDefinition<Inputs, Live>,
      | ("patch" | "refuse" | "expectedRefusals" | "isSameObject" | "workspaceOf" | "references" | "filledIn")
      | ("isBeingDeleted" | "toProblem" | "toDetails")
    >,
    Partial<Pick<ResourceDefinition<Inputs, Live>, "toInputs" | "toComputed">> {
  /** Its `reading` says whether the id is the natural key, and whether the list comes in pages. */
  readonly table: Table;
  /** The path of the collection: "/v2/listeners". */
  readonly path: string;
  /** The path of an object contains its name, which may change, and not its id. @default false */
  readonly byName?: boolean;
  /** As in {@link ByName}. */
  readonly platformId?: string;
  /** As in {@link ById}. */
  readonly alias?: (name: string, inputs: JsonObject | undefined) => string;
  /** As in {@link RestCollection}. */
  readonly isDeleted?: (answer: Answer<unknown>) => boolean;
  /** The path of the POST. @default that of the collection */
  readonly postTo?: (inputs: Inputs) => string;
  /** The field of a page that holds the objects. @default "resources" */
  readonly items?: string;
  /** What is checked of an answer beyond {@link answered}, under the platform's names. */
  readonly answer?: z.ZodRawShape;
  /** The body of the POST. @param key The resource's own key, where the type has one. @default the inputs */
  readonly body?: (inputs: Inputs, key: string) => JsonObject;
}

/** A plain collection as a type; other types can be built on it. */
interface RestType<Inputs> extends ResourceDefinition<Inputs, Live> {
  readonly observe: ById["observe"];
  readonly collection: RestCollection;
  /** How an object is made: for {@link createObject}. */
  readonly posting: (context: Context, wanted: Wanted<Inputs, Live>) => Creation<Live>;
}

/** Defines a type that is no more than its table, its path and the shape of its answers. */
export const restResource = <Inputs extends JsonObject>(rest: Rest<Inputs>): Defined =>
  defineResource<Inputs, Live>(restType(rest));

/** The same, not closed: for a type with something of its own. */
export function restType<Inputs extends JsonObject>(rest: Rest<Inputs>): RestType<Inputs> {
  const { table, path } = rest;
  const { fields, naturalKey = "" } = table;
  const collection = collectionOf(rest);
  const list = listOf(collection, rest.workspaceOf);
  const objects = rest.byName ? new ByName(collection, list, rest.platformId) : new ById(collection, rest.alias);
  const patch = rest.patch ?? ((inputs, changes, before) => changedOnly(table, inputs, changes, before));
  const body = rest.body ?? ((inputs: Inputs) => requestOf(table, inputs, false));
  const posting: RestType<Inputs>["posting"] = (context, { inputs }) => ({
    async post(key) {
      const request = { method: "POST", path: rest.postTo?.(inputs) ?? path, body: body(inputs, key) } as const;
      const made = await context.send(request, collection.live);
      return { ...made, data: collection.foundIn(made.data) };
    },
    complete({ id }) {
      const state = { id, outputs: { [naturalKey]: inputs[naturalKey] ?? null } };
      return objects.update(context, state, requestOf(table, inputs, true));
    },
  });
  return {
    ...rest,
    list,
    collection,
    posting,
    patch,
    creation: (inputs, key) => [body(inputs, key), requestOf(table, inputs, true)],
    create: (context, wanted) => createObject(context, wanted, posting(context, wanted)),
    observe: (context, key, listed) => objects.observe(context, key, listed),
    update: (context, state, inputs, changes) => objects.update(context, state, patch(inputs, changes, state.outputs)),
    delete: (context, state) => objects.delete(context, state),
    toInputs: rest.toInputs ?? ((each) => toInputNames(fields, each)),
    toComputed: rest.toComputed ?? ((each) => toComputedNames(fields, each)),
  };
}

function collectionOf<Inputs>({ table, path, answer, byName, items, isDeleted }: Rest<Inputs>): RestCollection {
  const { fields, reading: { idIsKey, page: limit, cursor } = {} } = table;
  // The field that every answer has. By name, that is the name: an answer of an earlier platform may lack the id, and the state then has the name.
  const idName = idIsKey || byName ? keyNameOf(table) : "id";
  const live: z.ZodType<Live> = z.looseObject({ ...answered(fields), ...answer, [idName]: z.string().min(1) });
  const idOf = (each: Live): string => (byName ? textIn(each, "id") : undefined) ?? textIn(each, idName) ?? "";
  const pages: RestCollection["pages"] = (send, filters) =>
    limit === undefined
      ? whole(send, path, live)
      : resourcePages(send, path, live, idOf, { items, limit, cursor, filters });
  return new RestCollection(table, path, live, idOf, pages, isDeleted);
}

/** All objects, kept. An item that lacks what every answer has is a summary. */
function listOf(all: RestCollection, workspaceOf?: (live: Live) => Workspace): KeptList<Live> {
  const always = inputRows(all.table.fields).flatMap(([name, field]) =>
    field.required && field.notReturned === undefined ? (wireName(name, field) ?? []) : [],
  );
  return new KeptList<Live>(
    async function* ({ send }) {
      for await (const { data } of all.pages(send)) yield data.map(all.foundIn);
    },
    ({ live: item }) => always.every((name) => item[name] !== undefined),
    workspaceOf,
  );
}

/** The body with the inputs of the POST, or with those that are sent after it. */
function requestOf(table: Table, inputs: JsonObject, isAfter: boolean): JsonObject {
  const later = sentAfterCreate(table);
  const sent = Object.entries(inputs).filter(([name]) => later.includes(name) === isAfter);
  return toRequest(table.fields, Object.fromEntries(sent));
}

/** The rows of a table in an answer. A value of another kind counts as left out, and so does null where the platform has to have one. */
function answered(fields: Fields): z.ZodRawShape {
  const rows = Object.entries(fields).flatMap(([name, field]) => {
    const wire = wireName(name, field);
    if (wire === undefined) return [];
    const kind = kindOf(field.type);
    const isNeverNull = field.required && field.type.kind !== "object";
    return [[wire, (isNeverNull ? kind.optional() : kind.nullish()).catch(undefined)] as const];
  });
  return Object.fromEntries(rows);
}

/** What an answer may have for a value of this shape. The platform's own values need not pass the checks of a program's. */
function kindOf(shape: Shape): z.ZodType {
  switch (shape.kind) {
    case "text":
    case "choice":
      // A quantity is documented as text; a number means the same as its text.
      return z.union([z.string(), z.number().transform(String)]);
    case "flag":
      return z.boolean();
    case "list":
      return z.array(kindOf(shape.of));
    case "map":
      return z.record(z.string(), ANY_JSON);
    case "object":
      return z.looseObject(answered(shape.fields));
    case "nullable":
      return kindOf(shape.of);
    default:
      return ANY_JSON;
  }
}

/** A list that is one plain array. */
async function* whole(send: Send, path: string, live: z.ZodType<Live>): AsyncGenerator<Answer<readonly Live[]>> {
  yield await send({ method: "GET", path }, z.array(live));
}

/** The body that sends only what changed: a removed field goes back to its default, or is cleared. */
export function changedOnly(
  { fields }: Table,
  inputs: JsonObject,
  changes: readonly Change[],
  before: JsonObject,
): JsonObject {
  const given: JsonObject = { ...inputs, extra: changedExtra(before["extra"], inputs["extra"]) };
  const names = [...new Set(changes.map(({ path }) => String(path[0])))];
  const changed = names.map((name): [string, Json] => [name, given[name] ?? fields[name]?.default ?? null]);
  return toRequest(fields, Object.fromEntries(changed));
}
