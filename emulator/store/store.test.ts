import { z } from "zod";
import { Store } from "./store";
import { defineCollection, storedRecord } from "./define-collection";
import { outOfBand } from "./out-of-band";

const things = defineCollection("things", storedRecord.extend({}), (record) => [`key of ${record.id}`]);
const thing = (id: string, tenant = "t") => ({ id, tenant_id: tenant, created_at: "then", updated_at: "then" });

describe("a collection", () => {
  test("keeps tenants apart, and the order of creation also when an object changes", () => {
    const collection = things.in(new Store());
    for (const record of [thing("a"), thing("b", "other"), thing("c")]) collection.put(record);
    collection.put({ ...thing("a"), updated_at: "now" });
    expect(collection.of("t").map(({ id, updated_at }) => [id, updated_at])).toEqual([
      ["a", "now"],
      ["c", "then"],
    ]);
    expect(collection.of("t").length).toBe(2);
    expect(collection.get("t", "a")?.updated_at).toBe("now");
    expect(collection.get("t", "b")).toBeUndefined();
    expect(collection.having("t", "key of b")).toEqual([]);
  });

  test("finds by the keys that an object has now", () => {
    const named = defineCollection("named", storedRecord.extend({ name: z.string() }), ({ name }) => [name]);
    const collection = named.in(new Store({ named: [{ ...thing("a"), name: "one" }] }));
    const idsOf = (key: string) => collection.having("t", key).map(({ id }) => id);
    collection.put({ ...thing("b"), name: "one" });
    expect(idsOf("one")).toEqual(["a", "b"]);
    collection.put({ ...thing("a"), name: "one", updated_at: "now" });
    expect(idsOf("one")).toEqual(["a", "b"]);
    collection.put({ ...thing("a"), name: "two" });
    expect([idsOf("one"), idsOf("two")]).toEqual([["b"], ["a"]]);
    collection.remove("b");
    expect(idsOf("one")).toEqual([]);
    collection.clear();
    expect([idsOf("two"), collection.of("t").length]).toEqual([[], 0]);
  });

  test("counts as changed after a change, and after nothing else", () => {
    const store = new Store();
    const collection = things.in(store);
    const versions = [
      () => collection.all(),
      () => collection.put(thing("a")),
      () => collection.get("t", "a"),
      () => collection.remove("no such"),
      () => collection.remove("a"),
      () => collection.clear(),
    ].map((act) => {
      act();
      return store.version;
    });
    expect(versions).toEqual([0, 1, 1, 1, 2, 3]);
  });

  test("tells of each change, after it was made, until nobody listens any more", () => {
    const store = new Store();
    const collection = things.in(store);
    const heard: number[] = [];
    const stop = store.onChange(() => void heard.push(collection.of("t").length));
    collection.put(thing("a"));
    collection.get("t", "a");
    collection.put(thing("b"));
    collection.remove("a");
    stop();
    collection.clear();
    expect(heard).toEqual([1, 2, 1]);
  });

  test("refuses stored objects that it cannot read, and says where", () => {
    const store = new Store({ things: [thing("a"), { id: 5 }] });
    expect(() => things.in(store)).toThrow('the collection "things" is not readable (at 1.tenant_id)');
  });

  test("that was never opened is kept in the snapshot", () => {
    const store = new Store({ of_a_later_version: [{ id: "x" }] });
    things.in(store).put(thing("a"));
    expect(store.snapshot()).toEqual({ of_a_later_version: [{ id: "x" }], things: [thing("a")] });
  });
});

describe("out of band", () => {
  const opened = () => {
    const store = new Store();
    things.in(store).put(thing("a"));
    things.in(store).put(thing("b", "other"));
    return outOfBand(things, store, () => "now");
  };

  test("sees the objects of all tenants", () => {
    expect(
      opened()
        .list()
        .map(({ id }) => id),
    ).toEqual(["a", "b"]);
  });

  test.each(["a", "key of a"])("finds by id and by natural key: %s", (key) => {
    expect(opened().get(key)).toEqual(thing("a"));
  });

  test("a change touches updated_at unless it sets updated_at itself", () => {
    const objects = opened();
    expect(objects.change("a", { created_at: "earlier" })).toEqual({
      ...thing("a"),
      created_at: "earlier",
      updated_at: "now",
    });
    expect(objects.change("a", { updated_at: "never" }).updated_at).toBe("never");
    expect(objects.get("a")).toEqual({ ...thing("a"), created_at: "earlier", updated_at: "never" });
  });

  test("a missing object is an error that names it, for each operation", () => {
    const objects = opened();
    objects.remove("a");
    for (const act of [() => objects.get("a"), () => objects.change("a", {}), () => objects.remove("a")]) {
      expect(act).toThrow('The emulator holds no "a" in things.');
    }
    expect(objects.list()).toHaveLength(1);
  });
});
