import { z } from "zod";
import { cursorPages, pages } from "./pages";
import type { Answer, Send } from "./request";

interface ListQuery {
  /** The field of an answer that holds the objects. @default "resources" */
  readonly items?: string | undefined;
  readonly filters?: Readonly<Record<string, string>>;
  /** Objects of one page at most (docs/internals/platform.md, Lists). @default 100 */
  readonly limit?: number;
  /** The platform pages by cursor; an older one, which does not, is asked by offset. @default false */
  readonly cursor?: boolean | undefined;
}

/** A list with answers like `{resources, offset}` or `{items, next_cursor}`, page by page on demand (docs/internals/platform.md, Lists). */
export async function* resourcePages<Item>(
  send: Send,
  path: string,
  item: z.ZodType<Item>,
  idOf: (item: Item) => string,
  { items = "resources", filters = {}, limit = 100, cursor: byCursor = false }: ListQuery = {},
): AsyncGenerator<Answer<readonly Item[]>> {
  const cursorPage = z.object({ items: z.array(item), next_cursor: z.string().nullish() });
  // Any other first answer is that of an older platform, which ignores page_size.
  const firstPage = z.union([cursorPage.required(), whole(item), z.looseObject({}).transform(() => undefined)]);
  const fetchAt = async (cursor: string | undefined) => {
    const query = { page_size: limit, ...(cursor !== undefined && { cursor }), ...filters };
    const { data, date } = await send({ method: "GET", path, query }, cursor === undefined ? firstPage : cursorPage);
    return { data: data && { items: data.items, next: data.next_cursor || undefined }, date };
  };
  if (byCursor && (yield* cursorPages(limit, fetchAt, idOf))) return;
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
  yield* pages(limit, fetch, idOf);
}

/** An answer that is no page: all objects at once. */
const whole = <Item>(item: z.ZodType<Item>) => z.array(item).transform((items) => ({ items, next_cursor: undefined }));
