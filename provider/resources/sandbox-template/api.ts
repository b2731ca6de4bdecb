import { z } from "zod";
import type { JsonObject } from "../../base/json";
import { segment } from "../../http/segment";
import { pages } from "../../http/pages";
import { renaming, SandboxTemplateWire } from "./wire";
import { NO_BODY, type Answer, type Send } from "../../http/request";

const PATH = "/v2/sandboxes/templates";
/** docs/internals/platform.md, Limits. */
const PAGE = 500;

const TemplatePage = z.object({ templates: z.array(SandboxTemplateWire), offset: z.number().nullish() });

/** POST /v2/sandboxes/templates (docs/internals/platform.md, Sandbox templates). */
export const createTemplate = (send: Send, body: JsonObject): Promise<Answer<SandboxTemplateWire>> =>
  send({ method: "POST", path: PATH, body }, SandboxTemplateWire);

/** GET /v2/sandboxes/templates, page by page (docs/internals/platform.md, Lists). */
export function listTemplates(send: Send): AsyncGenerator<Answer<readonly SandboxTemplateWire[]>> {
  const fetch = async (offset: number) => {
    const { data, date } = await send({ method: "GET", path: PATH, query: { limit: PAGE, offset } }, TemplatePage);
    return { data: { items: data.templates, offset: data.offset ?? undefined }, date };
  };
  return pages(PAGE, fetch, ({ id, name }) => id ?? name);
}

/** + GET by name (docs/internals/platform.md, Sandbox templates). */
export const getTemplate = (send: Send, name: string): Promise<Answer<SandboxTemplateWire>> =>
  send({ method: "GET", path: `${PATH}/${segment(name)}` }, SandboxTemplateWire);

/** + PATCH, which changes only the name (docs/internals/platform.md, Sandbox templates). A second one finds nothing under the old name. */
export const renameTemplate = (send: Send, from: string, to: string): Promise<Answer<SandboxTemplateWire>> =>
  send(
    { method: "PATCH", repeatable: true, path: `${PATH}/${segment(from)}`, body: renaming({ name: to }) },
    SandboxTemplateWire,
  );

/** + DELETE by name (docs/internals/platform.md, Sandbox templates). */
export const deleteTemplate = (send: Send, name: string): Promise<Answer<unknown>> =>
  send({ method: "DELETE", path: `${PATH}/${segment(name)}` }, NO_BODY);
