import { z } from "zod";
import { pages } from "./pages";
import type { Answer, Send } from "./request";

/** Objects of one page at most (docs/internals/platform.md, Lists). */
const PAGE = 100;

/** A list of the control plane, `{resources, offset}`, page by page as it is asked for (docs/internals/platform.md, Lists). */
export function resourcePages<Item>(
  send: Send,
  path: string,
  item: z.ZodType<Item>,
  idOf: (item: Item) => string,
  filters: Readonly<Record<string, string>> = {},
  limit = PAGE,
): AsyncGenerator<Answer<readonly Item[]>> {
  const page = z.object({ resources: z.array(item), offset: z.number().nullish() });
  const fetch = async (offset: number) => {
    const query = { limit, offset, ...filters };
    const { data, date } = await send({ method: "GET", path, query }, page);
    return { data: { items: data.resources, offset: data.offset ?? undefined }, date };
  };
  return pages(limit, fetch, idOf);
}
