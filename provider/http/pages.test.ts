import { pages, type Page } from "./pages";

async function collect(limit: number, answers: Page<number>[]): Promise<{ items: number[]; offsets: number[] }> {
  const offsets: number[] = [];
  const items: number[] = [];
  const list = pages(limit, (offset) => {
    offsets.push(offset);
    const data = answers[offsets.length - 1];
    if (!data) throw new Error("one page too many");
    return Promise.resolve({ data, date: undefined });
  });
  for await (const { data } of list) items.push(...data);
  return { items, offsets };
}

describe("a paged list ends, whatever the platform answers", () => {
  test.each<{ why: string; answers: Page<number>[]; items: number[]; offsets: number[] }>([
    { why: "an empty page", answers: [{ items: [], offset: 0 }], items: [], offsets: [0] },
    { why: "a short page", answers: [{ items: [1], offset: 1 }], items: [1], offsets: [0] },
    {
      why: "a full page, then a short one",
      answers: [
        { items: [1, 2], offset: 2 },
        { items: [3], offset: 3 },
      ],
      items: [1, 2, 3],
      offsets: [0, 2],
    },
    {
      why: "a full page, then an empty one",
      answers: [
        { items: [1, 2], offset: 2 },
        { items: [], offset: 2 },
      ],
      items: [1, 2],
      offsets: [0, 2],
    },
    {
      why: "an offset that does not advance",
      answers: [
        { items: [1, 2], offset: 2 },
        { items: [3, 4], offset: 2 },
      ],
      items: [1, 2, 3, 4],
      offsets: [0, 2],
    },
    { why: "an offset that goes back", answers: [{ items: [1, 2], offset: -1 }], items: [1, 2], offsets: [0] },
    {
      why: "no offset at all: pages are counted",
      answers: [
        { items: [1, 2], offset: undefined },
        { items: [3], offset: undefined },
      ],
      items: [1, 2, 3],
      offsets: [0, 2],
    },
  ])("$why", async ({ answers, items, offsets }) => expect(await collect(2, answers)).toEqual({ items, offsets }));

  test("a page is asked for only when it is needed", async () => {
    let asked = 0;
    const list = pages(1, (offset) =>
      Promise.resolve({ data: { items: [asked++], offset: offset + 1 }, date: undefined }),
    );
    await list.next();
    expect(asked).toBe(1);
  });
});
