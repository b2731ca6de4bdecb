import { z } from "zod";
import { goneMeanwhile, isHttpError, notDeleted } from "../../base/errors";
import { type JsonObject, withoutNullKeys } from "../../base/json";
import { type Answer, NO_BODY, type Request } from "../../http/request";
import { cursorPages } from "../../http/pages";
import { segment } from "../../http/segment";
import { createObject } from "../../lifecycle/create";
import { defineResource } from "../../lifecycle/defined";
import type { Change } from "../../lifecycle/fields/diff";
import { toInputNames, toRequest } from "../../lifecycle/fields/rename";
import type { Context, Found } from "../../lifecycle/observe/context";
import { KeptList, type Listing } from "../../lifecycle/observe/kept-list";
import { type Observation, requireSupported } from "../../lifecycle/observe/observation";
import { type WorkspaceSecretInputs, workspaceSecretTable } from "./fields";

const { fields } = workspaceSecretTable;
const PATH = "/v1/workspaces/current/secrets";
const PAGE = 100;
const Secret = z.looseObject({
  key: z.string().min(1),
  configs: z.array(z.looseObject({ source: z.string().nullish() })).nullish(),
});
/** Older platforms answer with all of them at once. */
const Listed = z.union([
  z.array(Secret).transform((items) => ({ items, next: undefined })),
  z
    .object({ items: z.array(Secret), next_cursor: z.string().nullish() })
    .transform(({ items, next_cursor: next }) => ({ items, next: next || undefined })),
]);
/** An answer, and when this process sent the value. */
type Live = z.output<typeof Secret> & { readonly sentAt?: string };

const identified = (live: Live): Found<Live> => ({ id: live.key, live });
const list = new KeptList<Live>(async function* ({ send }) {
  const fetch = (cursor: string | undefined) => {
    const query = { include_configs: "true", page_size: PAGE, ...(cursor !== undefined && { cursor }) };
    return send({ method: "GET", path: PATH, query }, Listed);
  };
  for await (const { data } of cursorPages(PAGE, fetch, ({ key }) => key)) yield data.map(identified);
});

/** No endpoint reads a single secret, so it is absent only if two lists lack it. */
async function look(context: Context, key: string, listed: Listing<Live>): Promise<Observation<Found<Live>>> {
  const first = await listed.find(key);
  return first.state === "absent" ? list.after(context, listed).find(key) : first;
}

/** Whether it was there a moment ago: a PUT would make it, and a DELETE succeeds, even in the workspace of another key. */
async function isThere(context: Context, key: string): Promise<boolean> {
  return requireSupported(await look(context, key, list.recent(context)), titleOf(key)).state === "found";
}

/** The body of the PUT. Without the value it keeps the one that is there; without hosts it brings the platform's own back. */
const bodyOf = ({ value, allowedHosts = [], extra }: WorkspaceSecretInputs, sendsValue = true): JsonObject =>
  toRequest(fields, { value: sendsValue ? value : undefined, allowedHosts, extra });
const patch = (inputs: WorkspaceSecretInputs, changes: readonly Change[]): JsonObject =>
  bodyOf(
    inputs,
    changes.some(({ path }) => path[0] === "value"),
  );

async function put(context: Context, key: string, body: JsonObject): Promise<Live> {
  const { data } = await asAdmin(
    context,
    { method: "PUT", repeatable: true, path: `${PATH}/${segment(key)}`, body },
    Secret,
  );
  return "value" in body ? stamped(context, data) : data;
}

const stamped = ({ clock }: Context, live: Live): Live => ({ ...live, sentAt: new Date(clock.now()).toISOString() });

const titleOf = (key: string): string => `WorkspaceSecret "${key}"`;

/** Only an admin of the workspace may change its secrets. */
async function asAdmin<T>({ send }: Context, request: Request, answer: z.ZodType<T>): Promise<Answer<T>> {
  try {
    return await send(request, answer);
  } catch (error) {
    if (isHttpError(error) && error.status === 403)
      error.message += "; only the key of a workspace admin may change workspace secrets";
    throw error;
  }
}

/** A secret of the workspace. An answer shows neither its value nor its age. All of its endpoints belong to contract `extended`. */
export const workspaceSecret = defineResource<WorkspaceSecretInputs, Live>({
  table: workspaceSecretTable,
  list,
  observe: (context, wanted, listed) =>
    look(context, "id" in wanted ? wanted.id : wanted.name, listed ?? list.after(context, list.recent(context))),
  isSameObject: () => false,

  creation: (inputs) => [bodyOf(inputs)],
  async create(context, wanted) {
    const { inputs } = wanted;
    const made = await createObject(context, wanted, {
      post: async () => ({ data: identified(await put(context, inputs.key, bodyOf(inputs))), date: undefined }),
      // The PUT would overwrite the one that is there.
      releaseName: () => Promise.resolve(false),
    });
    // The value was sent, even if the answer was lost.
    return { ...made, live: stamped(context, made.live) };
  },
  patch,
  async update(context, { id }, inputs, changes) {
    if (!(await isThere(context, id))) throw goneMeanwhile(titleOf(id));
    return put(context, id, patch(inputs, changes));
  },
  async delete(context, { id }) {
    if (!(await isThere(context, id))) return "absent";
    const { status } = await asAdmin(context, { method: "DELETE", path: `${PATH}/${segment(id)}` }, NO_BODY);
    // Any other success may come from a gateway in between.
    if (status !== 204 && (await isThere(context, id))) throw notDeleted(titleOf(id));
    return "deleted";
  },

  toInputs(live) {
    // The platform's own hosts are not the program's.
    const configs = live.configs?.filter(({ source }) => source !== "DEFAULT");
    const { allowedHosts, ...inputs } = toInputNames(fields, { ...live, configs });
    return { ...inputs, allowedHosts: allowedHosts === undefined ? undefined : withoutNullKeys(allowedHosts) };
  },
  toComputed: ({ sentAt }, { rotatedAt }) => ({ rotatedAt: sentAt ?? rotatedAt ?? null }),
  stableOutputs: ({ value }, _declared, before) => (value === before["value"] ? ["rotatedAt"] : []),
});
