import { z } from "zod";
import type { Json, JsonObject } from "../base/json";
import { resourcePages } from "../http/resource-pages";
import { NO_BODY, type Answer, type Request, type Send } from "../http/request";
import { segment } from "../http/segment";
import { defineResource, type Defined } from "./defined";
import type { ResourceDefinition } from "./definition";
import type { Change } from "./fields/diff";
import { changedExtra, toComputedNames, toInputNames, toRequest, wireName } from "./fields/rename";
import { inputRows, type Table } from "./fields/table";
import { confirmAbsent, deleteAndVerify, updateAndVerify } from "./observe/confirm-absence";
import type { Found, State } from "./observe/context";
import { KeptList } from "./observe/kept-list";
import { mapFound, observe, observeInPages, type Observation } from "./observe/observation";

/** An answer: the fields that the table names, and any others. */
type Live = Readonly<Record<string, unknown>>;

/** A type whose objects are a plain collection: POST and GET at its path, GET, PATCH and DELETE below it, under the id. */
export interface Rest<Inputs>
  extends
    Pick<ResourceDefinition<Inputs, Live>, "undocumented" | "patch" | "incarnation" | "isSurely" | "workspaceOf">,
    Partial<Pick<ResourceDefinition<Inputs, Live>, "toInputs">> {
  /** Its `reading` says whether the id is the natural key, and whether the list comes in pages. */
  readonly table: Table;
  readonly naturalKey: keyof Inputs & string;
  /** The path of the collection: "/v2/listeners". */
  readonly path: string;
  /** The fields of an answer whose values are checked, under the platform's names. @default the id alone */
  readonly answer?: z.ZodRawShape;
  /** The body of a creation. @default the inputs */
  readonly body?: (inputs: Inputs) => JsonObject;
  /** Inputs that a creation does not take: a PATCH sends them once the object is there. @default none */
  readonly afterCreate?: readonly (keyof Inputs & string)[];
  /** Whether an answer to a DELETE is the platform's own; any other one may come from something in between. @default one with status 204 */
  readonly isDeleted?: (answer: Answer<unknown>) => boolean;
}

/** A plain REST type, closed, and its look-up for those that name its objects. */
export interface RestDefined extends Defined {
  /** The object, by its id and then in the list: absent only if both lack it, unsupported if the platform offers neither. */
  find(send: Send, id: string): Promise<Observation<unknown>>;
}

/** Defines a type that is no more than its table, its path and the shape of its answers. */
export function restResource<Inputs extends JsonObject>(rest: Rest<Inputs>): RestDefined {
  const { table, naturalKey, path, undocumented, incarnation, isSurely, workspaceOf } = rest;
  const { answer = {}, afterCreate = [], isDeleted = ({ status }) => status === 204 } = rest;
  const { kind, fields, reading = {} } = table;
  const later: readonly string[] = afterCreate;
  const keyField = fields[naturalKey];
  const keyName = (keyField && wireName(naturalKey, keyField)) ?? naturalKey;
  const idName = reading.idIsKey ? keyName : "id";
  const live: z.ZodType<Live> = z.looseObject({ ...answer, [idName]: z.string().min(1) });
  const idOf = (each: Live): string => textIn(each, idName) ?? "";
  const identified = (each: Live): Found<Live> => ({ id: idOf(each), live: each });
  const always = inputRows(fields).flatMap(([name, field]) =>
    field.required && !field.writeOnly && field.notReturned === undefined ? (wireName(name, field) ?? []) : [],
  );

  const one = (id: string): string => `${path}/${segment(id)}`;
  const get = (send: Send, id: string): Promise<Answer<Live>> => send({ method: "GET", path: one(id) }, live);
  const list = (send: Send): AsyncGenerator<Answer<readonly Live[]>> =>
    reading.page === undefined ? whole(send, path, live) : resourcePages(send, path, live, idOf, {}, reading.page);
  const find = async (send: Send, id: string, listed?: () => Promise<Observation<unknown>>) => {
    const byId = await observe(() => get(send, id));
    if (byId.state === "found") return byId;
    return confirmAbsent(byId, await listed?.(), () => observeInPages(list(send), (each) => idOf(each) === id));
  };
  const nameOf = ({ id, outputs }: State): string => {
    const name = textIn(outputs, naturalKey);
    return name === undefined || name === id ? `${kind} "${id}"` : `${kind} "${name}" (${id})`;
  };
  const patch = rest.patch ?? ((inputs, changes, before) => changedOnly(table, inputs, changes, before));
  /** A request with the inputs that a creation takes, or with those that come after it. */
  const requestOf = (inputs: Inputs, isAfter: boolean): JsonObject => {
    const sent = Object.entries(inputs).filter(([name]) => later.includes(name) === isAfter);
    return toRequest(fields, Object.fromEntries(sent));
  };
  const body = rest.body ?? ((inputs: Inputs) => requestOf(inputs, false));
  // It sets values: a second one sets the same.
  const change = (send: Send, id: string, inputs: Inputs, sent: JsonObject): Promise<Answer<Live>> =>
    send({ method: "PATCH", repeatable: true, path: one(id), body: sent, ...secretsIn(table, inputs) }, live);

  const defined = defineResource<Inputs, Live>({
    api: "control",
    table,
    naturalKey,
    undocumented,
    list: new KeptList<Live>(
      async function* ({ send }) {
        for await (const { data } of list(send)) yield data.map(identified);
      },
      ({ live: item }) => always.every((name) => item[name] !== undefined),
      workspaceOf,
    ),

    create: {
      body,
      post: ({ send }, inputs, sent) => send({ method: "POST", path, body: sent, ...secretsIn(table, inputs) }, live),
      createdAt: (made) => textIn(made, "created_at"),
      idOf,
      undeclared: "all",
      completion: {
        inputs: afterCreate,
        body: (inputs) => requestOf(inputs, true),
        send: async ({ send }, made, inputs, sent) => (await change(send, idOf(made), inputs, sent)).data,
      },
    },

    async observe({ send }, key, listed) {
      if ("name" in key && idName !== keyName) {
        // A POST of a name that is taken is refused, so one list is enough.
        return mapFound(await observeInPages(list(send), (each) => each[keyName] === key.name), identified);
      }
      const id = "id" in key ? key.id : key.name;
      return mapFound(await find(send, id, listed && (() => listed.find(id))), identified);
    },

    patch,
    update({ send }, state, inputs, changes) {
      const sent = patch(inputs, changes, state.outputs);
      const isEmpty = Object.keys(sent).length === 0;
      const update = () => (isEmpty ? get(send, state.id) : change(send, state.id, inputs, sent));
      return updateAndVerify(nameOf(state), update, () => find(send, state.id));
    },

    delete: ({ send }, state) =>
      deleteAndVerify(
        nameOf(state),
        () => send({ method: "DELETE", path: one(state.id) }, NO_BODY),
        isDeleted,
        () => find(send, state.id),
      ),

    incarnation,
    isSurely,
    workspaceOf,
    toInputs: rest.toInputs ?? ((each) => toInputNames(fields, each)),
    toComputed: (each) => toComputedNames(fields, each),
  });
  return { ...defined, find: (send, id) => find(send, id) };
}

/** A list that is one plain array. */
async function* whole(send: Send, path: string, live: z.ZodType<Live>): AsyncGenerator<Answer<readonly Live[]>> {
  yield await send({ method: "GET", path }, z.array(live));
}

/** Only what changed: a removed field goes back to its default, or is cleared. */
function changedOnly(
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

function textIn(values: Live, name: string): string | undefined {
  const value = values[name];
  return typeof value === "string" ? value : undefined;
}
