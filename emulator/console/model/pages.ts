import type { Section } from "../views";

/** A query of a page, by name. */
export type Query = (name: string) => string | undefined;

/** Rows of a page: enough for the browser's own search, few enough to be drawn and sent at once. */
const PAGE_ROWS = 50;

/** One page of a list; a page beyond the end is the last one. */
export function pageOf<T, R>(all: readonly T[], wanted: string | undefined, rowOf: (item: T) => R): Section<R> {
  const pages = Math.max(1, Math.ceil(all.length / PAGE_ROWS));
  const number = /^\d{1,9}$/.test(wanted ?? "") ? Number(wanted) : 1;
  const page = Math.min(Math.max(1, number), pages);
  const rows = all.slice((page - 1) * PAGE_ROWS, page * PAGE_ROWS).map(rowOf);
  return { rows, total: all.length, page, pages };
}
