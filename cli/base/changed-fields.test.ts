import { showPath } from "../../provider/lifecycle/fields/fields";
import { changedPaths, SECRET, secretsIn } from "./changed-fields";

interface ChangedField {
  readonly path: string;
  readonly before?: unknown;
  readonly after?: unknown;
}
const changedFields = (before: unknown, after: unknown): ChangedField[] =>
  changedPaths(before, after).map(({ steps, ...sides }) => ({ path: showPath(steps), ...sides }));

const secret = { "4dabf18193072939515e22adb298388d": "1b47061264138c4ac30d75fd1eb44270", ciphertext: "[secret]" };

describe("a changed input is split into the paths that changed", () => {
  test.each<[string, unknown, unknown, ChangedField[]]>([
    ["nothing, where only the order of keys differs", { a: 1, b: { c: 1, d: 2 } }, { b: { d: 2, c: 1 }, a: 1 }, []],
    ["a leaf deep in maps", { a: { b: 1, c: 2 } }, { a: { b: 1, c: 3 } }, [{ path: "a.c", before: 2, after: 3 }]],
    ["null is a value", { a: null }, { a: 0 }, [{ path: "a", before: null, after: 0 }]],
    ["a field that goes", { a: { b: 1, c: 2 } }, { a: { b: 1 } }, [{ path: "a.c", before: 2 }]],
    ["a field that comes", { a: {} }, { a: { b: [1] } }, [{ path: "a.b", after: [1] }]],
    [
      "a key of the name of what every object inherits",
      { a: { toString: "x" } },
      { a: { constructor: "y" } },
      [
        { path: "a.constructor", after: "y" },
        { path: "a.toString", before: "x" },
      ],
    ],
    ["an item", { a: [{ b: 1 }, 2] }, { a: [{ b: 3 }, 2] }, [{ path: "a[0].b", before: 1, after: 3 }]],
    ["an item more", { a: [1] }, { a: [1, 2] }, [{ path: "a[1]", after: 2 }]],
    ["another kind of value, whole", { a: [1] }, { a: "1" }, [{ path: "a", before: [1], after: "1" }]],
    ["a key with a hyphen", { a: { "b-c": 1 } }, { a: { "b-c": 2 } }, [{ path: "a.b-c", before: 1, after: 2 }]],
    ["a key that is no name", { a: { "b.c": 1 } }, { a: { "b.c": 2 } }, [{ path: 'a["b.c"]', before: 1, after: 2 }]],
  ])("%s", (_what, before, after, fields) => expect(changedFields(before, after)).toEqual(fields));
});

describe("a secret is masked on both sides, with everything that is under it or may be it", () => {
  test.each<[string, unknown, unknown, ChangedField[]]>([
    ["two secrets look alike", { a: secret }, { a: secret }, []],
    ["a text that the engine masked is as good as a secret", { a: "[secret]" }, { a: "[secret]" }, []],
    ["secret here, plain there", { a: secret }, { a: "canary" }, [{ path: "a", before: SECRET, after: SECRET }]],
    ["plain here, secret there", { a: { b: "canary" } }, { a: secret }, [{ path: "a", before: SECRET, after: SECRET }]],
    ["removed", { a: secret }, {}, [{ path: "a", before: SECRET }]],
    ["under a key that is new", {}, { a: { b: secret } }, [{ path: "a", after: SECRET }]],
    [
      "moved to another key of its map",
      { env: { a: secret, b: "x" } },
      { env: { a: secret, b: "y", c: "canary" } },
      [
        { path: "env.b", before: "x", after: "y" },
        { path: "env.c", after: SECRET },
      ],
    ],
    ["moved in a list", { a: [secret, 1] }, { a: [1, "canary"] }, [{ path: "a", before: SECRET, after: SECRET }]],
    ["in another kind of value", { a: { b: secret } }, { a: "canary" }, [{ path: "a", before: SECRET, after: SECRET }]],
  ])("%s", (_what, before, after, fields) => expect(changedFields(before, after)).toEqual(fields));

  test("a property beside a secret one is not secret: properties are the schema's", () => {
    expect(changedFields({ secrets: secret, name: "a" }, { secrets: secret })).toEqual([{ path: "name", before: "a" }]);
  });
});

test("the secrets of an object are found wherever they are", () => {
  const paths = secretsIn({ a: secret, b: { c: "[secret]", d: 1 }, e: [1, secret] }).map(showPath);
  expect(paths).toEqual(["a", "b.c", "e[1]"]);
});
