import { FakeClock } from "../../../tests/support/fake-clock";

import { createOnce } from "./create-once";
import { AnswerError, HttpError, TransportError } from "../../base/errors";
import { ABSENT, found as foundAt, UNSUPPORTED } from "../observe/observation";
import type { Answer } from "../../http/request";

interface Thing {
  differing: readonly string[];
  created: string | null;
}

const NOW = Date.UTC(2030, 0, 1);
const at = (offsetMs: number): string => new Date(NOW + offsetMs).toISOString();
const mine: Thing = { differing: [], created: at(0) };

const timeout = new TransportError("POST", "/things", "timeout", true);
const refused = new TransportError("POST", "/things", "refused", false);
const status = (code: number, detail = "x") => new HttpError("POST", "/things", code, detail);
const nonsense = new AnswerError("POST", "/things", 200, "the body is empty");
const answer = <T>(data: T): Answer<T> => ({ data, date: NOW });

async function run(
  posts: (Error | Thing)[],
  finds: (Error | Thing | undefined | typeof UNSUPPORTED)[],
  own?: { isOfInputs: boolean },
) {
  let posted = 0;
  let found = 0;
  const result = createOnce<Thing>({
    kind: "Thing",
    what: 'Thing "t"',
    clock: new FakeClock(NOW),
    post: () => {
      const next = posts[posted++];
      if (!next) throw new Error("one POST too many");
      return next instanceof Error ? Promise.reject(next) : Promise.resolve(answer(next));
    },
    find: () => {
      const next = finds[found++];
      if (next instanceof Error) return Promise.reject(next);
      if (next === undefined) return Promise.resolve(ABSENT);
      return Promise.resolve("state" in next ? next : foundAt(next, NOW));
    },
    differing: (thing) => thing.differing,
    createdAt: (thing) => thing.created,
    own: own && { ...own, idOf: () => "t-1" },
  });
  const outcome: unknown = await result.then(
    (thing) => thing,
    (error: unknown) => (error instanceof Error ? error.message : error),
  );
  return { outcome, posted, found };
}

describe("a POST that answers", () => {
  test("is not looked up", async () => expect(await run([mine], [])).toEqual({ outcome: mine, posted: 1, found: 0 }));

  test.each([status(400), status(401), status(422), status(429), refused])(
    "with $message ends the creation, without a second one",
    async (error) => {
      expect(await run([error], [])).toEqual({ outcome: error.message, posted: 1, found: 0 });
    },
  );

  test("with a Conflict says what is there, since when, and whether it is equal", async () => {
    const { outcome, posted } = await run(
      [status(409)],
      [{ differing: ["image", "resources.cpu"], created: at(-86_400_000) }],
    );
    expect(posted).toBe(1);
    expect(outcome).toMatch(
      /^Thing "t" already exists on the platform \(created 2029-12-31.*\) and differs from this declaration in image, resources\.cpu\. Take it over with `adopt: true`.*set the option `deleteBeforeReplace: true`/,
    );
  });

  test("with a Conflict never takes the object for its own, however equal and young it is", async () => {
    const { outcome } = await run([status(409)], [mine]);
    expect(outcome).toMatch(/already exists.*equals this declaration/);
  });
});

describe("a POST whose outcome is unknown", () => {
  test.each([timeout, status(500), status(502), status(503), status(504), nonsense])(
    "$message: not there = POST again",
    async (error) => {
      expect(await run([error, mine], [undefined])).toEqual({ outcome: mine, posted: 2, found: 1 });
    },
  );

  test("there, equal and made since we began = ours, without a second POST", async () => {
    expect(await run([timeout], [mine])).toEqual({ outcome: mine, posted: 1, found: 1 });
  });

  test.each<[string, Thing]>([
    ["made before we began", { differing: [], created: at(-60_000) }],
    ["different", { differing: ["image"], created: at(0) }],
    ["of unknown age", { differing: [], created: null }],
    ["made before we began, by a time without a zone", { differing: [], created: at(-60_000).replace("Z", "") }],
  ])("there, but %s = an error, without a second POST", async (_why, thing) => {
    const { outcome, posted } = await run([timeout], [thing]);
    expect(outcome).toMatch(/already exists/);
    expect(posted).toBe(1);
  });

  test("there, equal and made since we began by a time without a zone = ours", async () => {
    const thing = { differing: [], created: at(0).replace("Z", "") };
    expect(await run([timeout], [thing])).toEqual({ outcome: thing, posted: 1, found: 1 });
  });

  test.each<[string, boolean, Thing, string]>([
    ["equal = ours, however old", false, { differing: [], created: at(-60_000) }, "ours"],
    [
      "different = an error that names its id: it may be of an earlier declaration",
      false,
      { differing: ["schedule"], created: at(0) },
      "its id",
    ],
    [
      "different, but the key tells what it was made with = ours: it has changed since",
      true,
      { differing: ["tag"], created: at(0) },
      "ours",
    ],
  ])("there, with a key of ours, and %s", async (_why, isOfInputs, thing, expected) => {
    const { outcome, posted } = await run([timeout], [thing], { isOfInputs });
    const said = outcome === thing ? "ours" : /adopt: "t-1"/.test(String(outcome)) ? "its id" : outcome;
    expect(said).toBe(expected);
    expect(posted).toBe(1);
  });

  test("a second POST that conflicts with the first one, late = ours", async () => {
    expect(await run([timeout, status(409)], [undefined, mine])).toEqual({ outcome: mine, posted: 2, found: 2 });
  });

  test("no way to look = an error that says the outcome is unknown and what to check", async () => {
    const { outcome, posted } = await run([timeout], [UNSUPPORTED]);
    expect(outcome).toMatch(/not known whether it was created.*cannot look it up\. Look for it on the platform/);
    expect(posted).toBe(1);
  });

  test("a look-up that fails = the same, with both reasons", async () => {
    const { outcome, posted } = await run([timeout], [status(503, "down")]);
    expect(outcome).toMatch(/not known whether.*timeout.*look-up failed: .*503: down/);
    expect(posted).toBe(1);
  });

  test("never there = an error after three attempts that says so", async () => {
    const { outcome, posted } = await run([timeout, timeout, status(503)], [undefined, undefined, undefined]);
    expect(outcome).toMatch(/not created: 3 attempts failed, the last one with: .*503/);
    expect(posted).toBe(3);
  });
});
