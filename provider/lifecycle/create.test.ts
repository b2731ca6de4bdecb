import { connectionTo } from "../../tests/support/connection";
import { contextWith } from "../../tests/support/context";
import { ManualClock } from "../../emulator";
import { FakeClock } from "../../tests/support/fake-clock";
import { AnswerError, HttpError, TransportError } from "../base/errors";
import type { JsonObject } from "../base/json";
import { createObject, type Creation } from "./create";
import type { ResourceDefinition, Wanted } from "./definition";
import { table } from "./fields/table";
import { text } from "./fields/types";
import { ABSENT, found as foundAt, UNSUPPORTED, type Observation } from "./observe/observation";
import type { Context, Found, State } from "./observe/context";
import { SILENT } from "./session";

const TABLE = table(
  {
    kind: "Thing",
    one: "thing",
    summary: "A thing.",
    description: "Arguments of a {@link Thing}.",
    naturalKey: "name",
    echoes: true,
  },
  {
    name: { type: text(), description: "Its name.", required: true },
    image: { type: text(), description: "Its image." },
    hook: { type: text(), description: "A hook.", onRemove: { refuse: "stays" } },
    size: { type: text(), description: "Its size.", replaceOn: "always" },
    createdAt: { type: text(), description: "When it was made.", computed: true },
  },
);
interface Thing {
  readonly image: string;
  readonly created: string | null;
  readonly hook?: string;
  readonly size?: string;
}
type Inputs = JsonObject;

const NOW = Date.UTC(2030, 0, 1);
const MINUTE = 60_000;
const at = (offsetMs: number): string => new Date(NOW + offsetMs).toISOString();
const thing = (over: Partial<Thing> = {}): Thing => ({ image: "a", created: at(0), ...over });
const mine = thing();
const OLD = thing({ created: at(-16 * MINUTE) });

const timeout = new TransportError("POST", "/things", "timeout", true);
const refused = new TransportError("POST", "/things", "refused", false);
const status = (code: number, detail = "x") => new HttpError("POST", "/things", code, detail);
const nonsense = new AnswerError("POST", "/things", 200, "the body is empty");

/** What a look shows: things under the ids t-1, t-2 ...; nothing; no such look-up; or an error. */
type Look = readonly Thing[] | typeof UNSUPPORTED | Error;

interface Given {
  readonly posts?: readonly (Error | Thing)[];
  readonly looks?: readonly Look[];
  /** The type's names repeat. */
  readonly own?: true | { readonly canTakeOver: (live: Thing) => boolean };
  readonly held?: readonly string[];
  readonly replaced?: readonly string[];
  readonly isCancelled?: true;
  readonly declares?: JsonObject;
}

/** Plays a creation against scripted answers. */
async function play({ posts = [mine], looks = [], own, held = [], replaced = [], isCancelled, declares }: Given) {
  const clock = new FakeClock(new ManualClock(NOW));
  const [keys, deleted, warned, claimed]: [string[], string[], string[], string[]] = [[], [], [], []];
  const askedAt: number[] = [];
  let [posted, looked] = [0, 0];
  const type: ResourceDefinition<Inputs, Thing> = {
    table: TABLE,
    toInputs: ({ image, hook, size }) => ({ name: "t", image, hook, size }),
    toComputed: ({ created }) => ({ createdAt: created }),
    create: () => Promise.reject(new Error("not asked")),
    update: () => Promise.reject(new Error("not asked")),
    delete: (_context: Context, { id }: State) => Promise.resolve(void deleted.push(id)).then(() => "deleted" as const),
  };
  const look = (): Promise<Observation<readonly Found<Thing>[]>> => {
    askedAt.push(clock.now() - NOW);
    const next = looks[looked++] ?? [];
    if (next instanceof Error) return Promise.reject(next);
    if ("state" in next) return Promise.resolve(next);
    if (next.length === 0) return Promise.resolve(ABSENT);
    return Promise.resolve(
      foundAt(
        next.map((live, index) => ({ id: `t-${index + 1}`, live })),
        clock.now(),
      ),
    );
  };
  const creation: Creation<Thing> = {
    post(key) {
      keys.push(key);
      const next = posts[posted++];
      if (!next) throw new Error("one POST too many");
      if (next instanceof Error) return Promise.reject(next);
      return Promise.resolve({ data: { id: "made", live: next }, date: clock.now() });
    },
    find: look,
    ...(own && { own: { of: (seed: string) => seed, ...(own !== true && own) } }),
  };
  const context = contextWith({
    connection: connectionTo("https://platform.example"),
    clock,
    log: { ...SILENT, warn: (line) => warned.push(line) },
    call: { urn: "urn:it" },
    signal: isCancelled ? AbortSignal.abort() : undefined,
  });
  const wanted: Wanted<Inputs, Thing> = {
    type,
    inputs: { name: "t", image: "a" },
    declared: { name: "t", image: "a", ...declares },
    what: 'Thing "t"',
    begunId: undefined,
    isBeingReplaced: ({ id }) => replaced.includes(id),
    isHeld: ({ id }) => held.includes(id),
    claim: ({ id }) => void claimed.push(id),
  };
  const outcome: unknown = await createObject(context, wanted, creation).then(
    ({ id, origin }) => (origin === undefined ? id : `${id}, ${origin}`),
    (error: unknown) => (error instanceof Error ? error.message : error),
  );
  return { outcome, posted, looked, keys, deleted, warned, claimed, askedAt };
}

describe("a POST that answers", () => {
  test("is not looked up", async () => expect(await play({})).toMatchObject({ outcome: "made", posted: 1, looked: 0 }));

  test.each([status(400), status(401), status(422), status(429), refused])(
    "with $message ends the creation, without a second one",
    async (error) => {
      expect(await play({ posts: [error] })).toMatchObject({ outcome: error.message, posted: 1, looked: 0 });
    },
  );

  test("with a Conflict says what is there, since when, and whether it is equal", async () => {
    const there = thing({ image: "b", created: at(-86_400_000) });
    const { outcome, posted, askedAt } = await play({ posts: [status(409)], looks: [[there]] });
    expect([posted, askedAt]).toEqual([1, [0]]);
    expect(outcome).toMatch(
      /^Thing "t" already exists on the platform \(created 2029-12-31.*\) and differs from this declaration in image\. If another stack has it \(`npx pulumi-agent-platform inventory` shows which\), declare another name\. Otherwise take it over with `adopt: true`.*set the option `deleteBeforeReplace: true`/,
    );
  });

  test("with a Conflict advises no adoption that would be refused", async () => {
    const looks = [[thing({ size: "1" })]];
    const { outcome } = await play({ posts: [status(409)], looks, declares: { size: "2" } });
    expect(outcome).toMatch(
      /differs from this declaration in size\. If another stack has it .*, declare another name\. Otherwise delete it on the platform, or take it over with `adopt: true` .* and declare its size, which no update can change, as it is there\. /,
    );
  });

  test("with a Conflict with the object that it replaces, says which option keeps that", async () => {
    const { outcome } = await play({ posts: [status(409)], looks: [[mine]], replaced: ["t-1"] });
    expect(outcome).toMatch(
      /^Thing "t" already exists on the platform: it is the object that the new one replaces, and `retainOnDelete: true` .* keeps it\. Declare another name for the new one/,
    );
    expect(outcome).not.toMatch(/adopt|forced/);
  });

  test("with a Conflict never takes the object for its own, however equal and young it is", async () => {
    const { outcome } = await play({ posts: [status(409)], looks: [[mine]] });
    expect(outcome).toMatch(/already exists.*equals this declaration/);
  });
});

describe("a POST whose outcome is unknown", () => {
  test.each([timeout, status(500), status(502), status(503), status(504), nonsense])(
    "$message: not there after three looks, with growing pauses = POST again",
    async (error) => {
      const { outcome, posted, askedAt } = await play({ posts: [error, mine] });
      expect([outcome, posted]).toEqual(["made", 2]);
      // The last look is for what the first POST may have made after all.
      expect(askedAt).toEqual([1000, 3000, 7000, 9000]);
    },
  );

  // A Ctrl-C ends every pause at once, while a platform may carry the request out late.
  test("is never sent again by a run that was cancelled", async () => {
    const { outcome, posted } = await play({ posts: [status(504), mine], isCancelled: true });
    expect(outcome).toMatch(/it is not known whether it was created .* the run was cancelled before/);
    expect(posted).toBe(1);
  });

  test.each([
    ["2.5 s later", [[], [mine]]],
    ["2.5 s later, and shown 1.5 s after that", [[], [], [mine]]],
  ])("carried out %s = ours, without a second POST", async (_when, looks) => {
    expect(await play({ posts: [timeout], looks })).toMatchObject({ outcome: "t-1", posted: 1 });
  });

  test.each<[string, Thing]>([
    ["made before we began", thing({ created: at(-MINUTE) })],
    ["different", thing({ image: "b" })],
    ["with a value more", thing({ hook: "x" })],
    ["of unknown age", thing({ created: null })],
    ["made before we began, by a time without a zone", thing({ created: at(-MINUTE).replace("Z", "") })],
  ])("there, but %s = an error, without a second POST", async (_why, there) => {
    const { outcome, posted } = await play({ posts: [timeout], looks: [[there]] });
    expect(outcome).toMatch(/already exists/);
    expect(posted).toBe(1);
  });

  test("there, of unknown age, in place of one of its name = an error that calls it neither", async () => {
    const looks = [[thing({ created: null })]];
    const { outcome, posted } = await play({ posts: [timeout], looks, replaced: ["t-1"] });
    expect(outcome).toMatch(
      /not known whether it was created .*may be the new one, or the one that it replaces\. .*adopt/,
    );
    expect([outcome, posted]).toEqual([expect.not.stringContaining("retainOnDelete"), 1]);
  });

  test("there, equal and made since we began by a time without a zone = ours", async () => {
    const there = thing({ created: at(0).replace("Z", "") });
    expect(await play({ posts: [timeout], looks: [[there]] })).toMatchObject({ outcome: "t-1", posted: 1 });
  });

  test("a second POST that conflicts with the first one, late = ours", async () => {
    const result = await play({ posts: [timeout, status(409)], looks: [[], [], [], [mine]] });
    expect(result).toMatchObject({ outcome: "t-1", posted: 2 });
  });

  test("no way to look = an error that says the outcome is unknown and what to check", async () => {
    const { outcome, posted } = await play({ posts: [timeout], looks: [UNSUPPORTED] });
    expect(outcome).toMatch(/not known whether it was created.*cannot look it up\. Look for it on the platform/);
    expect(posted).toBe(1);
  });

  test("a name that is taken, and no way to look = advice without adopt, which needs a look", async () => {
    const { outcome, posted } = await play({ posts: [status(409)], looks: [UNSUPPORTED] });
    expect(outcome).toMatch(/^Thing "t" already exists on the platform, which cannot look it up .*Give it a new name/);
    expect(outcome).not.toContain("adopt");
    expect(posted).toBe(1);
  });

  test("a look-up that fails = the same, with both reasons", async () => {
    const { outcome, posted } = await play({ posts: [timeout], looks: [status(503, "down")] });
    expect(outcome).toMatch(/not known whether.*timeout.*look-up failed: .*503: down/);
    expect(posted).toBe(1);
  });

  test("never there = an error after three attempts that says so", async () => {
    const { outcome, posted } = await play({ posts: [timeout, timeout, status(503)] });
    expect(outcome).toMatch(/not created: 3 attempts failed, the last one with: .*503/);
    expect(posted).toBe(3);
  });
});

describe("what the first POST has made after a second one", () => {
  const none: readonly Look[] = [[], [], []];

  test("with our key is deleted, and the line names it", async () => {
    const { outcome, deleted, warned } = await play({
      posts: [timeout, mine],
      own: true,
      looks: [[], ...none, [mine]],
    });
    expect([outcome, deleted]).toEqual(["made", ["t-1"]]);
    expect(warned).toEqual([
      expect.stringMatching(/without an answer was carried out after all, and made t-1, too; it has been deleted/),
    ]);
  });

  test("under a name is somebody's, perhaps: it is named, and stays", async () => {
    const { outcome, deleted, warned } = await play({ posts: [timeout, mine], looks: [...none, [mine]] });
    expect([outcome, deleted]).toEqual(["made", []]);
    expect(warned).toEqual([expect.stringMatching(/made t-1, too; no stack holds it: delete it on the platform/)]);
  });

  test("cannot be looked for: what was made is not lost", async () => {
    const { outcome, warned } = await play({ posts: [timeout, mine], looks: [...none, status(503)] });
    expect(outcome).toBe("made");
    expect(warned).toEqual([expect.stringMatching(/not known whether it made a second one/)]);
  });
});

describe("an object with the resource's own key", () => {
  test.each<[string, Thing]>([
    ["older", OLD],
    ["of unknown age", thing({ created: null })],
    ["different", thing({ image: "b" })],
    ["with something that no update can take out, as before a forced replacement", thing({ hook: "x" })],
  ])("that is %s may be another stack's: the error names its id", async (_why, there) => {
    const { outcome, posted } = await play({ own: true, looks: [[there]] });
    expect(outcome).toMatch(
      /already exists .*another stack or resource has it by now\. .*Otherwise take it over with `adopt: "t-1"`/,
    );
    expect(posted).toBe(0);
  });

  test.each<[string, Given]>([
    ["another resource of the program has", { held: ["t-1"] }],
    ["is about to be replaced", { replaced: ["t-1"] }],
    ["is of no use", { own: { canTakeOver: () => false } }],
  ])("that %s stays, and the new one gets the next key", async (_why, given) => {
    const { outcome, keys } = await play({ own: true, looks: [[mine]], ...given });
    expect([outcome, keys]).toEqual(["made", ["urn:it\n1"]]);
  });

  test("beside one that is about to be replaced was made by a run that was cut off", async () => {
    const { outcome, posted, claimed } = await play({ own: true, replaced: ["t-1"], looks: [[OLD], [OLD, mine]] });
    expect([outcome, posted]).toEqual(["t-2, cut off", 0]);
    // No other resource of this run can adopt it, or has done so.
    expect(claimed).toEqual(["t-2"]);
  });

  test("under every key ends the creation: no key tells what is its own", async () => {
    const { outcome, posted } = await play({ own: true, held: ["t-1"], looks: [[mine], [mine]] });
    expect(outcome).toMatch(/^Thing "t" was not created: look-ups by different keys show the same object \(t-1\)/);
    expect(posted).toBe(0);
  });

  test("that a Conflict speaks of is not taken: the look before the POST did not show it", async () => {
    const { outcome } = await play({ own: true, posts: [status(409)], looks: [[], [mine]] });
    expect(outcome).toMatch(/adopt: "t-1"/);
  });
});
