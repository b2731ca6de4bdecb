import type { ApiError } from "../base/api-error";
import { timestamp } from "../base/clock";
import type { Collection, StoredRecord } from "../store/collection";
import type { ResponseSettings } from "./options";
import { pageAnswer, type Paging } from "./pages";
import type { ApiRequest, Route } from "./route";

/** Makes an object, or changes one but for its time, without storing it. `find` gives the one that the path names, or throws the 404. */
type Make<T> = (request: ApiRequest, find: () => T) => T;

/** A plain collection of the API: what its endpoints have of their own. */
interface PlainCollection<T extends StoredRecord> {
  readonly all: Collection<T>;
  readonly responses: ResponseSettings;
  /** The path of one object, which ends with its key: "/v2/listeners/:listener_id". */
  readonly path: string;
  /** @default the object that has the key in the collection */
  readonly find?: (request: ApiRequest, key: string) => T | undefined;
  readonly unknown: (key: string) => ApiError;
  readonly show: (record: T, now: number) => unknown;
  /** @default the list is bare, and has no pages */
  readonly pages?: Paging;
  /** The objects that a query asks for. @default all of the tenant */
  readonly list?: (request: ApiRequest) => readonly T[];
  readonly create: Make<T>;
  /** The status of an answer to it. @default 201 */
  readonly created?: number;
  /** @default there is no PATCH */
  readonly update?: Make<T>;
  /** What a POST below an object makes, by the last step of its path. @default nothing */
  readonly actions?: Readonly<Record<string, Make<T>>>;
  readonly refuseRemoval?: (record: T, now: number) => void;
  /** What a DELETE answers. @default 204, without a body */
  readonly removed?: (record: T) => unknown;
  /** The endpoints that contract documented has. @default none */
  readonly documented?: readonly ("create" | "list")[];
}

/** The endpoints of a plain collection: POST and GET at its path; GET, PATCH and DELETE of one object below it. */
export function collectionRoutes<T extends StoredRecord>(own: PlainCollection<T>): readonly Route[] {
  const { all, path: one, show, pages, update, actions = {}, documented = [] } = own;
  const [path, key] = [one.slice(0, one.lastIndexOf("/")), one.slice(one.lastIndexOf(":") + 1)];
  const find = (request: ApiRequest): T => {
    const named = request.param(key);
    const found = own.find ? own.find(request, named) : all.having(request.tenant.tenantId, named).at(0);
    if (found === undefined) throw own.unknown(named);
    return found;
  };
  const storing =
    (make: Make<T>, status = 201) =>
    (request: ApiRequest): Response =>
      Response.json(show(all.put(make(request, () => find(request))), request.now), { status });
  const dated = (change: Make<T>): Make<T> => {
    return (request, found) => ({ ...change(request, found), updated_at: timestamp(request.now) });
  };
  const list = (request: ApiRequest): Response => {
    const found = own.list?.(request) ?? all.of(request.tenant.tenantId);
    const shown = (record: T): unknown => show(record, request.now);
    return pages ? pageAnswer(request, own.responses, pages, found, shown) : Response.json(found.map(shown));
  };
  const read = (request: ApiRequest): Response => Response.json(show(find(request), request.now));
  const remove = (request: ApiRequest): Response => {
    const found = find(request);
    own.refuseRemoval?.(found, request.now);
    all.remove(found.id);
    return own.removed ? Response.json(own.removed(found)) : new Response(null, { status: 204 });
  };
  const contractOf = (verb: "create" | "list") => (documented.includes(verb) ? "documented" : "extended");
  const extended = { path: one, contract: "extended" } as const;
  return [
    { method: "POST", path, contract: contractOf("create"), handle: storing(own.create, own.created) },
    { method: "GET", path, contract: contractOf("list"), handle: list },
    { ...extended, method: "GET", handle: read },
    ...(update ? [{ ...extended, method: "PATCH", handle: storing(dated(update), 200) } as const] : []),
    { ...extended, method: "DELETE", handle: remove },
    ...Object.entries(actions).map(
      ([step, make]) => ({ ...extended, method: "POST", path: `${one}/${step}`, handle: storing(make) }) as const,
    ),
  ];
}
