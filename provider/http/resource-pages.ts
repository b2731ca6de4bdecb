import { z } from "zod";
import { pages } from "./pages";
import type { Answer, Send } from "./request";

/** How a list is asked for. */
export interface ListQuery {
  /** The field of an answer that holds the objects. @default "resources" */
  readonly items?: string | undefined;
  readonly filters?: Readonly<Record<string, string>>;
  /** Objects of one page at most (docs/internals/platform.md, Lists). @default 100 */
  readonly limit?: number;
}

/** A list with answers like `{resources, offset}`, page by page on demand (docs/internals/platform.md, Lists). */
export function resourcePages<Item>(
  send: Send,
  path: string,
  item: z.ZodType<Item>,
  idOf: (item: Item) => string,
  { items = "resources", filters = {}, limit = 100 }: ListQuery = {},
): AsyncGenerator<Answer<readonly Item[]>> {
  const page = z.object({ [items]: z.array(item), offset: z.number().nullish() });
  const fetch = async (offset: number) => {
    const query = { limit, offset, ...filters };
    const { data, date } = await send({ method: "GET", path, query }, page);
    const listed = data[items];
    return {
      data: {
        items: Array.isArray(listed) ? listed : [],
        offset: typeof data.offset === "number" ? data.offset : undefined,
      },
      date,
    };
  };
  return pages(limit, fetch, idOf);
}
