import { z } from "zod";
import type { Request, Send } from "./request";
import { pages, type Page } from "./pages";
import { resourcePages } from "./resource-pages";

const page = (items: number[], offset: number | undefined): Page<number> => ({ items, offset });
const UNASKED = page([], undefined);

/** Reads the whole list from a platform that answers `pageAt`. */
async function collect(limit: number, pageAt: (offset: number, nth: number) => Page<number>) {
  const offsets: number[] = [];
  const items: number[] = [];
  const fetch = (offset: number) => {
    offsets.push(offset);
    if (offsets.length > 20) throw new Error("it never ends");
    return Promise.resolve({ data: pageAt(offset, offsets.length - 1), date: undefined });
  };
  let problem = "";
  try {
    for await (const { data } of pages(limit, fetch, String)) {
      expect(data).not.toEqual([]);
      items.push(...data);
    }
  } catch (error) {
    problem = error instanceof Error ? `${error.name}: ${error.message}` : String(error);
  }
  return { items, offsets, problem };
}

const count = (from: number, to: number) => Array.from({ length: to - from }, (_, n) => from + n);
/** A page of 0, 1, 2, ... as the platform should answer it. */
const proper = (total: number, limit: number, offset: number): Page<number> => {
  const items = count(0, total).slice(offset, offset + limit);
  return { items, offset: offset + items.length };
};

describe("a paged list ends, whatever the platform answers", () => {
  test.each<[why: string, answers: Page<number>[], items: number[], offsets: number[]]>([
    ["an empty page", [page([], 0)], [], [0]],
    ["a short page may have left an item out: the next one is empty", [page([1], 1), page([], 1)], [1], [0, 1]],
    ["a full page, a short one, an empty one", [page([1, 2], 2), page([3], 3), page([], 3)], [1, 2, 3], [0, 2, 3]],
    ["a short page among others loses nothing", [page([1], 2), page([3, 4], 4), page([], 4)], [1, 3, 4], [0, 2, 4]],
    ["an offset that does not advance", [page([1, 2], 2), page([3, 4], 2)], [1, 2, 3, 4], [0, 2]],
    ["an offset that goes back", [page([1, 2], -1)], [1, 2], [0]],
    [
      "no offset at all: items are counted, and a short page is the last",
      [page([1, 2], undefined), page([3], undefined)],
      [1, 2, 3],
      [0, 2],
    ],
    ["no offset, and a full page is the last", [page([1, 2], undefined), page([], undefined)], [1, 2], [0, 2]],
    [
      "an item that comes again on the next page, since the pages have shifted, comes once",
      [page([1, 2], 2), page([2, 3], 4), page([], 4)],
      [1, 2, 3],
      [0, 2, 4],
    ],
  ])("%s", async (_why, answers, items, offsets) => {
    expect(await collect(2, (_offset, nth) => answers[nth] ?? UNASKED)).toEqual({ items, offsets, problem: "" });
  });

  test("a page is requested only when it is needed", async () => {
    let asked = 0;
    const fetch = (offset: number) =>
      Promise.resolve({ data: { items: [asked++], offset: offset + 1 }, date: undefined });
    await pages(1, fetch, String).next();
    expect(asked).toBe(1);
  });
});

describe("a page that comes again", () => {
  test.each<[what: string, repeated: readonly number[], offsets: readonly number[]]>([
    ["once is requested again, and nothing is lost", [1], [0, 2, 2, 4, 5]],
    ["twice is left for the end, and nothing is lost", [1, 2], [0, 2, 2, 4, 5, 2]],
    ["at two places loses nothing", [1, 3], [0, 2, 2, 4, 4, 5]],
  ])("%s", async (_what, repeated, offsets) => {
    const first = (offset: number): Page<number> => ({ items: [0, 1], offset: offset + 2 });
    const list = await collect(2, (offset, nth) => (repeated.includes(nth) ? first(offset) : proper(5, 2, offset)));
    expect({ ...list, items: list.items.sort() }).toEqual({ items: [0, 1, 2, 3, 4], offsets, problem: "" });
  });

  test("with an offset that is stuck once: it is requested again", async () => {
    const list = await collect(2, (offset, nth) => (nth === 1 ? { items: [0, 1], offset } : proper(3, 2, offset)));
    expect(list).toEqual({ items: [0, 1, 2], offsets: [0, 2, 2, 3], problem: "" });
  });

  test("on a platform that is always a page behind: nothing is lost", async () => {
    const behind = (offset: number): Page<number> => {
      const { items } = proper(5, 2, Math.max(0, offset - 2));
      return { items, offset: offset + items.length };
    };
    expect(await collect(2, behind)).toMatchObject({ items: [0, 1, 2, 3, 4], problem: "" });
  });

  test.each<[what: string, answer: (offset: number) => number | undefined]>([
    ["counts it up in its answer", (offset) => offset + 3],
    ["answers the requested offset", (offset) => (offset === 0 ? 3 : offset)],
    ["answers no offset", () => undefined],
  ])("for ever, and is full: the platform ignores offset and %s, so absence means nothing", async (_what, answer) => {
    const list = await collect(3, (offset) => ({ items: [0, 1, 2], offset: answer(offset) }));
    expect(list.items).toEqual([0, 1, 2]);
    expect(list.offsets.length).toBeLessThanOrEqual(4);
    expect(list.problem).toMatch(/^AnswerError: .*the list repeats itself: the platform ignores offset/);
  });

  test("never, in a list without end: after 1,000 pages nothing can be said of it", async () => {
    let asked = 0;
    const fetch = (offset: number) => {
      asked += 1;
      return Promise.resolve({ data: { items: [offset], offset: offset + 1 }, date: undefined });
    };
    const read = async () => {
      for await (const { data } of pages(1, fetch, String)) expect(data).toHaveLength(1);
    };
    await expect(read()).rejects.toThrow(
      /limit=1&offset=1000.*the list has no end: 1000 pages have brought something new/,
    );
    expect(asked).toBe(1000);
  });

  test("for ever, and is short: that was all", async () => {
    const list = await collect(3, (offset) => ({ items: [0, 1], offset: offset + 2 }));
    expect(list).toMatchObject({ items: [0, 1], problem: "" });
    expect(list.offsets.length).toBeLessThanOrEqual(5);
  });
});

describe("a list by cursor", () => {
  /** What is listed of a platform that answers these in turn, the last one for ever, and what it was asked. */
  async function listed(answers: readonly unknown[], most = 20) {
    const sent: Request["query"][] = [];
    const send: Send = ({ query }, schema) => {
      sent.push(query);
      if (sent.length > most) throw new Error("it never ends");
      return Promise.resolve({
        data: schema.parse(answers[Math.min(sent.length, answers.length) - 1]),
        date: undefined,
      });
    };
    const items: string[] = [];
    let problem = "";
    try {
      const list = resourcePages(send, "/all", z.string(), String, { items: "old", limit: 2, cursor: true, filters });
      for await (const { data } of list) {
        expect(data).not.toEqual([]);
        items.push(...data);
      }
    } catch (error) {
      problem = error instanceof Error ? `${error.name}: ${error.message}` : String(error);
    }
    return { items, sent, problem };
  }
  const filters = { label: "mine" };
  const by = (cursor?: string) => ({ page_size: 2, ...(cursor && { cursor }), ...filters });
  const from = (offset: number) => ({ limit: 2, offset, ...filters });

  test.each<[why: string, answers: unknown[], items: string[], sent: Request["query"][]]>([
    ["null is the end, after a full page", [{ items: ["a", "b"], next_cursor: null }], ["a", "b"], [by()]],
    ["null is the end of no items", [{ items: [], next_cursor: null }], [], [by()]],
    [
      "a short page, and an empty one, with a next cursor go on",
      [
        { items: ["a"], next_cursor: "1" },
        { items: [], next_cursor: "2" },
        { items: ["b", "a"], next_cursor: null },
      ],
      ["a", "b"],
      [by(), by("1"), by("2")],
    ],
    [
      "a later page without the key is the last",
      [{ items: ["a"], next_cursor: "1" }, { items: ["b"] }],
      ["a", "b"],
      [by(), by("1")],
    ],
    ["an older platform may answer with all at once", [["a", "b", "c"]], ["a", "b", "c"], [by()]],
    [
      "an older platform is asked by offset, from the beginning",
      [
        { old: ["b", "c"], offset: 2 },
        { old: ["a", "b"], offset: 2 },
        { old: ["c"], offset: 3 },
        { old: [], offset: 3 },
      ],
      ["a", "b", "c"],
      [by(), from(0), from(2), from(3)],
    ],
    ["nor a cursor beside items: there may be more", [{ items: ["a"], old: ["a"], offset: 0 }], ["a"], [by(), from(0)]],
  ])("%s", async (_why, answers, items, sent) => expect(await listed(answers)).toEqual({ items, sent, problem: "" }));

  test("a cursor that comes again: what is behind it cannot be read, so absence means nothing", async () => {
    const { items, problem } = await listed([{ items: ["a"], next_cursor: "1" }]);
    expect(items).toEqual(["a"]);
    expect(problem).toMatch(/^AnswerError: GET \?page_size=2 .*the list repeats itself: its cursor does not advance/);
  });

  test("later items that are none are no end", async () => {
    const { problem } = await listed([
      { items: ["a"], next_cursor: "1" },
      { old: ["b"], offset: 2 },
    ]);
    expect(problem).toMatch(/^ZodError/);
  });

  test("without end: after 1,000 pages nothing can be said of it", async () => {
    const endless = Array.from({ length: 1001 }, (_, n) => ({ items: [`${n}`], next_cursor: `${n}` }));
    const { sent, problem } = await listed(endless, 1000);
    expect(problem).toMatch(/^AnswerError: .*the list has no end: 1000 pages/);
    expect(sent).toHaveLength(1000);
  });
});
