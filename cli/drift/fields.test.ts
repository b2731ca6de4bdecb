import { changedFields, secretFields, SECRET, type Field } from "./fields";

const secret = { "4dabf18193072939515e22adb298388d": "1b47061264138c4ac30d75fd1eb44270", ciphertext: "[secret]" };

describe("a changed input is split into the paths that changed", () => {
  test.each<[string, unknown, unknown, Field[]]>([
    ["nothing, where only the order of keys differs", { a: 1, b: { c: 1, d: 2 } }, { b: { d: 2, c: 1 }, a: 1 }, []],
    ["a leaf deep in maps", { a: { b: 1, c: 2 } }, { a: { b: 1, c: 3 } }, [{ path: "a.c", declared: 2, live: 3 }]],
    ["null is a value", { a: null }, { a: 0 }, [{ path: "a", declared: null, live: 0 }]],
    ["a field missing on the platform", { a: { b: 1, c: 2 } }, { a: { b: 1 } }, [{ path: "a.c", declared: 2 }]],
    ["a field missing in the program", { a: {} }, { a: { b: [1] } }, [{ path: "a.b", live: [1] }]],
    ["an item", { a: [{ b: 1 }, 2] }, { a: [{ b: 3 }, 2] }, [{ path: "a[0].b", declared: 1, live: 3 }]],
    ["an item more", { a: [1] }, { a: [1, 2] }, [{ path: "a[1]", live: 2 }]],
    ["another kind of value, whole", { a: [1] }, { a: "1" }, [{ path: "a", declared: [1], live: "1" }]],
    [
      "a key that is not an identifier",
      { a: { "b.c": 1 } },
      { a: { "b.c": 2 } },
      [{ path: 'a["b.c"]', declared: 1, live: 2 }],
    ],
  ])("%s", (_what, declared, live, fields) => expect(changedFields(declared, live)).toEqual(fields));
});

describe("a secret is masked on both sides, with everything that is under it or may be it", () => {
  test.each<[string, unknown, unknown, Field[]]>([
    ["two secrets look alike", { a: secret }, { a: secret }, []],
    ["a text that the engine masked is as good as a secret", { a: "[secret]" }, { a: "[secret]" }, []],
    ["secret here, plain there", { a: secret }, { a: "canary" }, [{ path: "a", declared: SECRET, live: SECRET }]],
    [
      "plain here, secret there",
      { a: { b: "canary" } },
      { a: secret },
      [{ path: "a", declared: SECRET, live: SECRET }],
    ],
    ["removed", { a: secret }, {}, [{ path: "a", declared: SECRET }]],
    ["under a key that is new on the platform", {}, { a: { b: secret } }, [{ path: "a", live: SECRET }]],
    [
      "moved to another key of its map",
      { env: { a: secret, b: "x" } },
      { env: { a: secret, b: "y", c: "canary" } },
      [
        { path: "env.b", declared: "x", live: "y" },
        { path: "env.c", live: SECRET },
      ],
    ],
    ["moved in a list", { a: [secret, 1] }, { a: [1, "canary"] }, [{ path: "a", declared: SECRET, live: SECRET }]],
    [
      "in another kind of value",
      { a: { b: secret } },
      { a: "canary" },
      [{ path: "a", declared: SECRET, live: SECRET }],
    ],
  ])("%s", (_what, declared, live, fields) => expect(changedFields(declared, live)).toEqual(fields));

  test("a property beside a secret one is not secret: properties are the schema's", () => {
    expect(changedFields({ secrets: secret, name: "a" }, { secrets: secret })).toEqual([
      { path: "name", declared: "a" },
    ]);
  });
});

test("the secrets of an object are found wherever they are", () => {
  const paths = secretFields({ a: secret, b: { c: "[secret]", d: 1 }, e: [1, secret] }).map(({ path }) => path);
  expect(paths).toEqual(["a", "b.c", "e[1]"]);
});
