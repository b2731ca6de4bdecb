import { z } from "zod";
import type { Json, JsonObject } from "../../base/json";
import type { Answer, Request, Send } from "../../http/request";
import { resourcePages } from "../../http/resource-pages";
import { defineResource, type Defined } from "../defined";
import type { ResourceDefinition } from "../definition";
import type { Creation, OwnKey } from "../identity/create";
import type { Change } from "../fields/diff";
import { changedExtra, toComputedNames, toInputNames, toRequest, wireName } from "../fields/rename";
import { inputRows, type Table } from "../fields/table";
import { KeptList } from "../observe/kept-list";
import { mapFound, observeInPages } from "../observe/observation";
import { textIn, type Addressed, type RestCollection, type Live } from "./addressed";
import { byId } from "./by-id";
import { byName } from "./by-name";

/** What a definition has as it is given here. */
type Passed =
  | "undocumented"
  | "patch"
  | "incarnation"
  | "isSurely"
  | "workspaceOf"
  | "references"
  | "isBeingDeleted"
  | "toProblem"
  | "toDetails"
  | "problemReplaces"
  | "settle";

/** A key that a POST gives an object ({@link OwnKey}), and how the list shows what has it. */
export interface RestOwnKey<Inputs>
  extends Omit<OwnKey<Inputs, Live>, "observe" | "has">, Required<Pick<OwnKey<Inputs, Live>, "has">> {
  /** The filters of the list. A platform that does not know them answers more. */
  filters(ownKey: string): Readonly<Record<string, string>>;
}

/** A type whose objects are a plain collection: POST and GET at its path, GET, PATCH and DELETE below it, under the id or the name. */
export interface Rest<Inputs>
  extends
    Pick<ResourceDefinition<Inputs, Live>, Passed>,
    Partial<Pick<ResourceDefinition<Inputs, Live>, "api" | "toInputs" | "toComputed">>,
    Partial<Pick<RestCollection, "isDeleted" | "platformId" | "alias">> {
  /** Its `reading` says whether the id is the natural key, and whether the list comes in pages. */
  readonly table: Table;
  readonly naturalKey: keyof Inputs & string;
  /** The path of the collection: "/v2/listeners". */
  readonly path: string;
  /** The objects are below it under their name, which may change, and not under their id. @default false */
  readonly byName?: boolean;
  /** The field of a page that holds the objects. @default "resources" */
  readonly items?: string;
  /** The fields of an answer whose values are checked, under the platform's names. @default the id alone */
  readonly answer?: z.ZodRawShape;
  /** The body of a creation. @default the inputs */
  readonly body?: Creation<Inputs, Live>["body"];
  readonly own?: RestOwnKey<Inputs>;
  /** Inputs that a creation does not take: a PATCH sends them once the object is there. @default none */
  readonly afterCreate?: readonly (keyof Inputs & string)[];
}

/** Defines a type that is no more than its table, its path and the shape of its answers. */
export function restResource<Inputs extends JsonObject>(rest: Rest<Inputs>): Defined {
  const { api = "control", table, naturalKey, path, workspaceOf, own } = rest;
  const { answer = {}, afterCreate = [], isDeleted = ({ status }) => status === 204 } = rest;
  const { kind, fields, reading: { idIsKey = false, page: limit } = {} } = table;
  const later: readonly string[] = afterCreate;
  const keyField = fields[naturalKey];
  const keyName = (keyField && wireName(naturalKey, keyField)) ?? naturalKey;
  const isByName = rest.byName === true;
  // What every answer has: where the id is the platform's, a row of an earlier version may lack it, and has its name in the state.
  const idName = idIsKey || isByName ? keyName : "id";
  const live: z.ZodType<Live> = z.looseObject({ ...answer, [idName]: z.string().min(1) });
  const idOf = (each: Live): string => (isByName ? textIn(each, "id") : undefined) ?? textIn(each, idName) ?? "";
  const always = inputRows(fields).flatMap(([name, field]) =>
    field.required && !field.writeOnly && field.notReturned === undefined ? (wireName(name, field) ?? []) : [],
  );

  const pages: RestCollection["pages"] = (send, filters) =>
    limit === undefined
      ? whole(send, path, live)
      : resourcePages(send, path, live, idOf, { items: rest.items, limit, filters });
  const list = new KeptList<Live>(
    async function* ({ send }) {
      for await (const { data } of pages(send)) yield data.map((each) => ({ id: idOf(each), live: each }));
    },
    ({ live: item }) => always.every((name) => item[name] !== undefined),
    workspaceOf,
  );
  const collection: RestCollection = {
    kind,
    path,
    live,
    key: { input: naturalKey, wire: keyName },
    idIsKey,
    incarnation: rest.incarnation,
    alias: rest.alias,
    idOf,
    pages,
    list,
    isDeleted,
    platformId: rest.platformId,
  };
  const addressed: Addressed = isByName ? byName(collection) : byId(collection);

  const patch = rest.patch ?? ((inputs, changes, before) => changedOnly(table, inputs, changes, before));
  /** A request with the inputs that a creation takes, or with those that come after it. */
  const requestOf = (inputs: Inputs, isAfter: boolean): JsonObject => {
    const sent = Object.entries(inputs).filter(([name]) => later.includes(name) === isAfter);
    return toRequest(fields, Object.fromEntries(sent));
  };
  const body = rest.body ?? ((inputs: Inputs) => requestOf(inputs, false));
  const ownKey: OwnKey<Inputs, Live> | undefined = own && {
    ...own,
    async observe({ send }, key, _inputs, isWanted) {
      const found = (each: Live) => ({ id: idOf(each), live: each });
      const fits = (each: Live) => own.has(each, key) && isWanted(found(each));
      return mapFound(await observeInPages(pages(send, own.filters(key)), fits), found);
    },
  };

  return defineResource<Inputs, Live>({
    ...rest,
    api,
    table,
    naturalKey,
    list,

    create: {
      body,
      post: ({ send }, inputs, sent) => send({ method: "POST", path, body: sent, ...secretsIn(table, inputs) }, live),
      createdAt: (made) => textIn(made, "created_at"),
      idOf,
      undeclared: "all",
      own: ownKey,
      observeFirst: own?.giveWay !== undefined,
      completion: {
        inputs: afterCreate,
        body: (inputs) => requestOf(inputs, true),
        send(context, made, inputs, sent) {
          const state = { id: idOf(made), outputs: { [naturalKey]: inputs[naturalKey] ?? null } };
          return addressed.update(context, state, { body: sent, ...secretsIn(table, inputs) });
        },
      },
    },

    observe: (context, key, listed) => addressed.observe(context, key, listed),
    patch,
    update: (context, state, inputs, changes) =>
      addressed.update(context, state, { body: patch(inputs, changes, state.outputs), ...secretsIn(table, inputs) }),
    delete: (context, state) => addressed.delete(context, state),

    toInputs: rest.toInputs ?? ((each) => toInputNames(fields, each)),
    toComputed: rest.toComputed ?? ((each) => toComputedNames(fields, each)),
  });
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

/** The secret values among the inputs, which no message may show. */
function secretsIn({ fields }: Table, inputs: JsonObject): Pick<Request, "secrets"> {
  const secrets = inputRows(fields).flatMap(([name, { secret }]) => (secret ? (textIn(inputs, name) ?? []) : []));
  return secrets.length === 0 ? {} : { secrets };
}
