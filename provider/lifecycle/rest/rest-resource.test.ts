import { z } from "zod";
import { contextWith } from "../../../tests/support/context";
import { HttpError } from "../../base/errors";
import type { Json, JsonObject } from "../../base/json";
import type { Request, Send } from "../../http/request";
import { table, type InputsOf } from "../fields/table";
import { adoptField, extra, text } from "../fields/types";
import type { Context } from "../observe/context";
import { byId } from "./by-id";
import { restResource } from "./rest-resource";

const ABOUT = { kind: "Hook", one: "hook", summary: "A hook.", description: "Arguments of a hook." };
const FIELDS = {
  hookName: { type: text(), description: "Its name.", required: true, replaceOn: "always" },
  note: { type: text(), description: "A note." },
  retries: { type: text(), description: "How often.", default: "3" },
  extra,
  adopt: adoptField("hookName"),
} as const;
type Inputs = InputsOf<typeof FIELDS>;

const hooksWith = (reading: { readonly idIsKey?: true; readonly page?: number }) =>
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

const paths = (sent: readonly Request[]): string[] => sent.map(({ path }) => path);

describe("a look-up", () => {
  test("by the id asks for the object alone", async () => {
    const { send, sent } = platform({ "GET /v2/hooks/a%2Fb": { id: "a/b", anything: 1 } });
    expect(await hooksWith({}).observe(over(send), { id: "a/b" })).toMatchObject({
      state: "found",
      value: { live: { id: "a/b", anything: 1 } },
    });
    expect(paths(sent)).toEqual(["/v2/hooks/a%2Fb"]);
  });

  test("finds it in the list, where the platform does not answer by id", async () => {
    const { send } = platform({ "GET /v2/hooks": [{ hook_name: "other" }, { hook_name: "a" }] });
    expect(await hooksWith({ idIsKey: true }).observe(over(send), { id: "a" })).toMatchObject({ state: "found" });
  });

  test("says absent only if the list lacks it, too", async () => {
    const { send, sent } = platform({ "GET /v2/hooks": [{ id: "other" }] });
    expect(await hooksWith({}).observe(over(send), { id: "a" })).toEqual({ state: "absent" });
    expect(paths(sent)).toEqual(["/v2/hooks/a", "/v2/hooks"]);
  });

  test("says nothing of a platform without the endpoints", async () => {
    expect(await hooksWith({}).observe(over(platform({}).send), { id: "a" })).toMatchObject({ state: "unsupported" });
  });

  test("reads a list that comes in pages", async () => {
    const { send, sent } = platform({ "GET /v2/hooks": { resources: [{ id: "other" }] } });
    expect(await hooksWith({ page: 20 }).observe(over(send), { id: "a" })).toEqual({ state: "absent" });
    expect(sent[1]?.query).toEqual({ limit: 20, offset: 0 });
  });
});

describe("an update sends only what changed", () => {
  const { planner } = hooksWith({ idIsKey: true });
  const before = { hookName: "a", note: "old", retries: "5", extra: { one: 1 } };
  const sentFor = (after: Inputs) => planner.update(before, after, before).requests;
  const patched = (name: string) => [{ method: "PATCH", fields: [{ name, isCertain: true }], isCertain: true }];

  test.each<[what: string, after: Inputs, name: string]>([
    ["a new value", { ...before, note: "new" }, "note"],
    ["a removed field with a default", { hookName: "a", note: "old", extra: { one: 1 } }, "retries"],
    ["a removed field without one", { hookName: "a", retries: "5", extra: { one: 1 } }, "note"],
    ["a new field of extra", { ...before, extra: { one: 1, two: 2 } }, "two"],
  ])("%s", (_what, after, name) => expect(sentFor(after)).toEqual(patched(name)));
});

describe("an update of what is under a key that another object may have later", () => {
  const hooks = byId({
    table: ABOUT,
    path: "/v2/hooks",
    live: z.looseObject({}),
    key: { input: "hookName", wire: "hook_name" },
    idIsKey: true,
    incarnation: { input: "uuid", wire: "id" },
    idOf: () => "a",
    pages: () => {
      throw new Error("a list was read");
    },
    isDeleted: () => true,
  });
  const state = { id: "a", outputs: { uuid: "1" } };
  const at = "/v2/hooks/a";
  const requests = (sent: readonly Request[]): string[] => sent.map(({ method, path }) => `${method} ${path}`);

  test.each<[what: string, body: JsonObject, sends: string[]]>([
    ["a PATCH after a look", { note: "new" }, [`GET ${at}`, `PATCH ${at}`]],
    ["one read, where there is nothing to send", {}, [`GET ${at}`]],
  ])("sends %s", async (_what, body, sends) => {
    const { send, sent } = platform({ [`GET ${at}`]: { id: "1" }, [`PATCH ${at}`]: { id: "1", note: "new" } });
    expect(await hooks.update(over(send), state, body)).toMatchObject({ id: "1", ...body });
    expect(requests(sent)).toEqual(sends);
  });

  test.each<[what: string, body: JsonObject]>([
    ["something", { note: "new" }],
    ["nothing", {}],
  ])("refuses another object, with %s to send", async (_what, body) => {
    const { send, sent } = platform({ [`GET ${at}`]: { id: "2" } });
    await expect(hooks.update(over(send), state, body)).rejects.toThrow(/Hook "a" no longer exists/);
    expect(requests(sent)).toEqual([`GET ${at}`]);
  });
});
