import { z } from "zod";
import { goneMeanwhile, isHttpError, notDeleted } from "../../base/errors";
import { type Json, type JsonObject, withoutNullKeys } from "../../base/json";
import { type Answer, NO_BODY, type Request } from "../../http/request";
import { resourcePages } from "../../http/resource-pages";
import { segment } from "../../http/segment";
import { createObject } from "../../lifecycle/create";
import { defineResource } from "../../lifecycle/defined";
import type { Change } from "../../lifecycle/fields/diff";
import { toInputNames, toRequest } from "../../lifecycle/fields/rename";
import type { Context, Found } from "../../lifecycle/observe/context";
import { KeptList, type Listing } from "../../lifecycle/observe/kept-list";
import { type Observation, requireSupported, valueOf } from "../../lifecycle/observe/observation";
import { lookUntil } from "../../lifecycle/rest/collection";
import { type WorkspaceSecretInputs, workspaceSecretTable } from "./fields";

const { fields, reading: { page: limit, cursor } = {} } = workspaceSecretTable;
const PATH = "/v1/workspaces/current/secrets";
const Config = z.looseObject({ source: z.string().nullish() });
const Secret = z.looseObject({ key: z.string().min(1), configs: z.array(Config).nullish() });
/** An answer, and when this process sent the value, to which workspace. */
type Live = z.output<typeof Secret> & { readonly sentAt?: string; readonly tenantId?: string | undefined };

const identified = (live: Live): Found<Live> => ({ id: live.key, live });
const list = new KeptList<Live>(async function* ({ send }) {
  const query = { limit, cursor, filters: { include_configs: "true" } };
  for await (const { data } of resourcePages(send, PATH, Secret, ({ key }) => key, query)) yield data.map(identified);
});

/** No endpoint reads a single secret, so it is absent only if several lists lack it: they may be late. A name is new, and two lists do. */
async function look(context: Context, key: string, listed = list.recent(context), isNew = false) {
  const next = (): Promise<Observation<Found<Live>>> => (listed = list.after(context, listed)).find(key);
  const first = await listed.find(key);
  return first.state === "absent" ? lookUntil(context, next, ({ state }) => isNew || state !== "absent") : first;
}

/** A PUT would make it, and a DELETE succeeds without it, in the workspace of another key too: so both look first. */
const there = async (context: Context, key: string, listed?: Listing<Live>): Promise<Live | undefined> =>
  valueOf(requireSupported(await look(context, key, listed), titleOf(key)))?.live;

const titleOf = (key: string): string => `WorkspaceSecret "${key}"`;

/** Without a value, the PUT keeps the one that is there; without hosts, the platform's own apply. */
const bodyOf = ({ value, allowedHosts = [], extra }: JsonObject): JsonObject =>
  toRequest(fields, { value, allowedHosts, extra });
const isAmong = (changes: readonly Change[], name: string): boolean => changes.some(({ path }) => path[0] === name);
/** Hosts that somebody has set, and that the program does not declare, stay. */
const patch = (inputs: WorkspaceSecretInputs, changes: readonly Change[], _before: JsonObject, live?: Live) =>
  bodyOf({
    ...(live && !isAmong(changes, "allowedHosts") && { allowedHosts: hostsOf(live) }),
    ...inputs,
    ...(!isAmong(changes, "value") && { value: undefined }),
  });

/** Without the platform's own, which are not the program's. */
function hostsOf(live: Live): Json | undefined {
  const configs = live.configs?.filter(({ source }) => source !== "DEFAULT");
  const { allowedHosts } = toInputNames(fields, { ...live, configs });
  return allowedHosts && withoutNullKeys(allowedHosts);
}

const put = async (context: Context, key: string, body: JsonObject): Promise<Live> =>
  (await asAdmin(context, key, { method: "PUT", repeatable: true, body }, Secret)).data;

const stamped = ({ clock }: Context, live: Live, tenantId: string | undefined): Live => ({
  ...live,
  sentAt: new Date(clock.now()).toISOString(),
  tenantId,
});

const asAdmin = <T>(
  { send }: Context,
  key: string,
  request: Omit<Request, "path">,
  answer: z.ZodType<T>,
): Promise<Answer<T>> =>
  send({ ...request, path: `${PATH}/${segment(key)}` }, answer).catch((error: unknown) => {
    if (isHttpError(error) && error.status === 403)
      error.message += "; only the key of a workspace admin may change workspace secrets";
    throw error;
  });

/** A secret of the workspace. An answer shows neither its value nor its age. All of its endpoints belong to contract `extended`. */
export const workspaceSecret = defineResource<WorkspaceSecretInputs, Live>({
  table: workspaceSecretTable,
  list,
  observe(context, wanted, listed = list.after(context, list.recent(context))) {
    return "id" in wanted ? look(context, wanted.id, listed) : look(context, wanted.name, listed, true);
  },
  isSameObject: () => false,

  creation: (inputs) => [bodyOf(inputs)],
  async create(context, wanted) {
    const { inputs } = wanted;
    const tenantId = await context.workspaces.current();
    // No answer about a secret names its workspace.
    const claim: typeof wanted.claim = ({ id, live }, what) => wanted.claim({ id, live: { ...live, tenantId } }, what);
    const made = await createObject(
      context,
      { ...wanted, claim },
      {
        post: async () => ({ data: identified(await put(context, inputs.key, bodyOf(inputs))), date: undefined }),
        // The PUT would overwrite the one that is there.
        releaseName: () => Promise.resolve(false),
      },
    );
    // The value was sent, even if the answer was lost.
    return { ...made, live: stamped(context, made.live, tenantId) };
  },
  patch,
  async update(context, { id, outputs }, inputs, changes) {
    const seen = await there(context, id);
    if (seen === undefined) throw goneMeanwhile(titleOf(id));
    const body = patch(inputs, changes, outputs, seen);
    if (!("value" in body)) return put(context, id, body);
    const tenantId = await context.workspaces.current();
    return stamped(context, await put(context, id, body), tenantId);
  },
  async delete(context, { id }) {
    if ((await there(context, id)) === undefined) return "absent";
    const { status } = await asAdmin(context, id, { method: "DELETE" }, NO_BODY);
    // Any other success may come from a gateway in between.
    if (status !== 204 && (await there(context, id, list.current(context)))) throw notDeleted(titleOf(id));
    return "deleted";
  },

  toInputs: (live) => ({ ...toInputNames(fields, live), allowedHosts: hostsOf(live) }),
  toComputed: ({ sentAt, tenantId }, before) => ({
    rotatedAt: sentAt ?? before["rotatedAt"] ?? null,
    tenantId: tenantId ?? before["tenantId"] ?? null,
  }),
  stableOutputs: ({ value }, _program, before) => (value === before["value"] ? ["rotatedAt"] : []),
});
