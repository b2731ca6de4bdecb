import { z } from "zod";
import { contextWith } from "../../../tests/support/context";
import { HttpError } from "../../base/errors";
import type { Json } from "../../base/json";
import type { Request, Send } from "../../http/request";
import { table, type InputsOf } from "../fields/table";
import { adoptField, text } from "../fields/types";
import type { Context } from "../observe/context";
import { RestCollection } from "./collection";
import { ById } from "./by-id";
import { restResource, restType } from "./rest-resource";

const ABOUT = { kind: "Hook", one: "hook", summary: "A hook.", description: "Arguments of a hook." };
const FIELDS = {
  hookName: { type: text(), description: "Its name.", required: true, replaceOn: "always" },
  note: { type: text(), description: "A note." },
  adopt: adoptField("hookName"),
} as const;
type Inputs = InputsOf<typeof FIELDS>;

const hooksWith = (reading: { readonly idIsKey?: true }) =>
  restResource<Inputs>({
    table: table({ ...ABOUT, naturalKey: "hookName", echoes: true, reading }, FIELDS),
    path: "/v2/hooks",
  });

/** A platform that answers these, by method and path, and 404 to the rest. */
function platform(answers: Readonly<Record<string, Json>>): { readonly send: Send; readonly sent: Request[] } {
  const sent: Request[] = [];
  const send: Send = (request, schema) => {
    sent.push(request);
    const answer = answers[`${request.method} ${request.path}`];
    if (answer === undefined) return Promise.reject(new HttpError(request.method, request.path, 404, "no such hook"));
    return Promise.resolve({ data: schema.parse(answer), date: undefined });
  };
  return { send, sent };
}

/** What a look-up works with. */
const over = (send: Send): Context => contextWith({ send });

describe("a look-up", () => {
  test("finds it in the list, where the platform does not answer by id", async () => {
    const { send } = platform({ "GET /v2/hooks": [{ hook_name: "other" }, { hook_name: "a" }] });
    expect(await hooksWith({ idIsKey: true }).observe(over(send), { id: "a" })).toMatchObject({ state: "found" });
  });
});

describe.each([true, false])("a delete of what is gone, where lists still show it (by name: %s)", (byName) => {
  /** @param late How many lists show it. */
  async function removed(late: number) {
    let lists = 0;
    const send: Send = ({ method, path }, schema) => {
      if (path !== "/v2/hooks") return Promise.reject(new HttpError(method, path, 404, "no such hook"));
      const listed = lists++ < late ? [{ id: "1", hook_name: "a" }] : [];
      return Promise.resolve({ data: schema.parse(listed), date: undefined });
    };
    const naturalKey = "hookName";
    const hooks = restType<Inputs>({ table: table({ ...ABOUT, naturalKey }, FIELDS), path: "/v2/hooks", byName });
    return hooks.delete(over(send), { id: "1", outputs: { hookName: "a" } });
  }

  test("looks again after pauses", async () => expect(await removed(3)).toBe("absent"));

  test("says in the end that it stays", async () => expect(await removed(100)).toEqual({ left: 'Hook "a" (1)' }));
});

test.each<[reason: string, given: Json, seen: Json | undefined]>([
  ["a text is as it is", "new", "new"],
  ["a number means its text", 5, "5"],
  ["null is no value", null, null],
  ["a value of another kind counts as left out", { text: "new" }, undefined],
])("in an answer, %s", async (_reason, note, seen) => {
  const { send } = platform({ "GET /v2/hooks/a": { id: "a", note } });
  const found = await hooksWith({}).observe(over(send), { id: "a" });
  expect(found).toEqual(expect.objectContaining({ value: { id: "a", live: { id: "a", note: seen } } }));
});

test("an update that takes out a field without a default sends it", () => {
  const before = { hookName: "a", note: "old" };
  expect(hooksWith({ idIsKey: true }).planner.update(before, { hookName: "a" }, before).requests).toEqual([
    { method: "PATCH", fields: [{ name: "note", isCertain: true }], isCertain: true },
  ]);
});

describe("an update of what is under a key that another object may have later", () => {
  const hooks = new ById(
    new RestCollection(
      table(
        { ...ABOUT, naturalKey: "hookName", incarnation: "uuid" },
        { ...FIELDS, uuid: { type: text(), description: "Its own id.", computed: true, wire: "id" } },
      ),
      "/v2/hooks",
      z.looseObject({}),
      () => "a",
      () => {
        throw new Error("a list was read");
      },
    ),
  );
  const state = { id: "a", outputs: { hookName: "a", uuid: "1" } };
  const at = "/v2/hooks/a";
  const requests = (sent: readonly Request[]): string[] => sent.map(({ method, path }) => `${method} ${path}`);

  test("reads once, where there is nothing to send", async () => {
    const { send, sent } = platform({ [`GET ${at}`]: { id: "1" } });
    expect(await hooks.update(over(send), state, {})).toMatchObject({ id: "1" });
    expect(requests(sent)).toEqual([`GET ${at}`]);
  });

  test("refuses another object, where there is nothing to send", async () => {
    const { send } = platform({ [`GET ${at}`]: { id: "2" } });
    await expect(hooks.update(over(send), state, {})).rejects.toThrow(/Hook "a" no longer exists/);
  });
});
