import type { JsonObject } from "../../base/json";
import { resourcePages } from "../../http/resource-pages";
import { segment } from "../../http/segment";
import { NO_BODY, type Answer, type Send } from "../../http/request";
import { ListenerWire } from "./wire";

const PATH = "/v2/listeners";

/** + POST (docs/internals/platform.md, Listeners). */
export const createListener = (send: Send, body: JsonObject): Promise<Answer<ListenerWire>> =>
  send({ method: "POST", path: PATH, body }, ListenerWire);

/** + GET list, page by page (docs/internals/platform.md, Lists). */
export const listenerPages = (send: Send): AsyncGenerator<Answer<readonly ListenerWire[]>> =>
  resourcePages(send, PATH, ListenerWire, ({ id }) => id);

/** + GET by id (docs/internals/platform.md, Listeners). */
export const readListener = (send: Send, id: string): Promise<Answer<ListenerWire>> =>
  send({ method: "GET", path: `${PATH}/${segment(id)}` }, ListenerWire);

/** + PATCH (docs/internals/platform.md, Listeners). It sets values: a second one sets the same. */
export const updateListener = (send: Send, id: string, body: JsonObject): Promise<Answer<ListenerWire>> =>
  send({ method: "PATCH", repeatable: true, path: `${PATH}/${segment(id)}`, body }, ListenerWire);

/** + DELETE (docs/internals/platform.md, Listeners). */
export const deleteListener = (send: Send, id: string): Promise<Answer<unknown>> =>
  send({ method: "DELETE", path: `${PATH}/${segment(id)}` }, NO_BODY);
