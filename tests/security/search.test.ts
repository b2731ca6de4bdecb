import { canary } from "./canary-values";
import { Search, spellingsOf } from "./search";

describe("the search itself", () => {
  const value = 'Pl1 "2/+&<planted é\nsecond-line-Zz9';
  const planted = canary("planted", value);
  test.each([...spellingsOf(value)].map(([spelling, text]) => [spelling, text] as const))(
    "finds a planted canary, spelled %s",
    (spelling, text) => {
      const search = new Search([planted]);
      search.look("here", `before ${text} behind`);
      expect(search.hits.map((hit) => hit.spelling)).toContain(spelling);
    },
  );

  test.each([0, 1, 2, 3, 4])("finds it inside of a longer text in base64, %d bytes from its beginning", (offset) => {
    for (const encoding of ["base64", "base64url"] as const) {
      const search = new Search([planted]);
      search.look("here", Buffer.from(`${"-".repeat(offset)}${value}-behind`).toString(encoding));
      expect(search.hits).not.toEqual([]);
    }
  });

  test("finds one line of it, and looks for it only where it is told to", () => {
    const search = new Search([planted]);
    search.look("here", "  second-line-Zz9  ");
    search.look("there", value, ({ fromConfig }) => fromConfig);
    expect(search.hits.map(({ place }) => place)).toEqual(expect.arrayContaining(["here"]));
    expect(search.hits.filter(({ place }) => place === "there")).toEqual([]);
  });
});
