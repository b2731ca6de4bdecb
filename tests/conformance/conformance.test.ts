import type { JsonObject } from "../../provider/base/json";
import { UNREAD } from "../../provider/lifecycle/state";
import type { Emulator, Layer } from "../../emulator";
import { RESOURCE_TYPES, MANAGED_TYPES, type ManagedType } from "../../provider/resources/resource-types";
import { RESOURCES } from "../../provider/resources/registry";

import { CheckFailed, type EngineModel } from "../support/engine-model";
import { CASES, isItsName, making, merged, methodsOf, type Case } from "./cases";
import { failureOf, PlatformUnderTest } from "../support/platform-under-test";
import type { Contract } from "../../provider/base/connection";

/** The contract that the provider is told, and the one that the platform really serves. */
interface Pair {
  readonly provider: Contract;
  readonly platform: Contract;
}

let platformUnderTest: PlatformUnderTest;
let emulator: Emulator;
/** The status with which the platform refuses every request; undefined: none. */
let refusing: number | undefined;
/** The platform is away from the next request that changes something on: before it, or after it has carried it out. */
let leaving: "before" | "after" | undefined;
/** Garbles the answer to the next request that makes an object, after the platform has carried it out. */
let garbling: ((response: Response) => Response) | undefined;

async function start(contract: Contract): Promise<void> {
  const layer: Layer = {
    beforeRoute: ({ request }) => {
      if (leaving === "before" && request.method !== "GET") refusing = 503;
      return Promise.resolve(
        refusing === undefined ? undefined : new Response('{"detail":"not now"}', { status: refusing }),
      );
    },
    afterCommit: ({ request }, response) => {
      if (leaving === "after" && request.method !== "GET") refusing = 503;
      if (refusing !== undefined) return Promise.resolve(new Response("", { status: refusing }));
      if (!["POST", "PUT"].includes(request.method) || garbling === undefined) return Promise.resolve(response);
      const garbled = garbling(response);
      garbling = undefined;
      return Promise.resolve(garbled);
    },
  };
  platformUnderTest = await PlatformUnderTest.start({ contract, layers: [layer] });
  ({ emulator } = platformUnderTest);
}

const removeByHand = ({ objects, remove }: Case): void => {
  for (const { id } of objects({ emulator })) remove({ emulator }, id);
};

const changing = (): string[] => platformUnderTest.changing();

test("every kind of the registry has a case, or a test of its own", () => {
  expect([...Object.keys(CASES), "Rollout", "RunCheck", "Assistant", "Cron"].sort()).toEqual(
    [...RESOURCE_TYPES].sort(),
  );
});

const kinds = MANAGED_TYPES.map((kind) => ({ kind, subject: CASES[kind] }));

describe.each<Pair>([
  { provider: "extended", platform: "extended" },
  { provider: "documented", platform: "documented" },
  { provider: "extended", platform: "documented" },
])("provider $provider, platform $platform", ({ provider, platform }) => {
  beforeAll(() => start(platform));
  afterAll(() => platformUnderTest.close());
  beforeEach(() => {
    platformUnderTest.reset();
    [refusing, leaving, garbling] = [undefined, undefined, undefined];
  });

  describe.each(kinds)("$kind", ({ kind, subject }) => {
    const model = (over: Record<string, string> = {}): Promise<EngineModel> =>
      platformUnderTest.resource(kind, { contract: provider, ...over });
    const made = async (over?: Record<string, string>): Promise<EngineModel> => {
      const resource = await model(over);
      expect(await resource.up(subject.program)).toBe("create");
      return resource;
    };
    const is = (contract: Contract) => provider === contract && platform === contract;
    const { table } = RESOURCES[kind];
    const { undocumented = [] } = table;
    if (undocumented.includes("create") && !is("extended")) {
      notOffered(kind, subject, model, provider);
      return;
    }
    const readable = !(undocumented.includes("read") && platform === "documented");
    const mark = readable ? {} : { [UNREAD]: null };

    test("create makes exactly one object, with one request", async () => {
      const resource = await made();
      expect(subject.objects({ emulator })).toHaveLength(1);
      expect(changing()).toHaveLength(1);
      expect(resource.state?.outputs).toMatchObject(subject.program);
    });

    test("a second up is a no-op without a request, also with the same meaning in other words", async () => {
      const resource = await made();
      emulator.clearLog();
      expect(await resource.up(subject.program)).toBe("same");
      expect(await resource.up(subject.respelled)).toBe("same");
      expect(emulator.requests).toEqual([]);
    });

    test("refresh right after up shows no drift, keeps every declared value, and up after it is a no-op", async () => {
      const resource = await made();
      const before = resource.state?.outputs;
      expect(await resource.refresh()).toBe(false);
      expect(resource.state?.outputs).toEqual({ ...before, ...mark });
      expect(await resource.up(subject.program)).toBe("same");
      expect(await resource.up(subject.respelled)).toBe("same");
      expect(await resource.refresh()).toBe(false);
    });

    if (is("extended") || undocumented.length === 0) extendedOnly(kind, subject, made);
    else degraded(kind, subject, made, provider);

    if (subject.drift && readable) {
      test("drift of a declared field is seen, named, and undone by the next up", async () => {
        const resource = await made();
        const property = subject.drift?.(emulator) ?? "";
        expect(await resource.refresh()).toBe(true);
        expect(resource.state?.inputs[property]).not.toEqual(subject.program[property]);
        const isReplaced = table.fields[property]?.replaceOn === "always";
        // Cannot be replaced (see "refused in check"), nor deleted first.
        if (platform === "documented" && undocumented.includes("delete") && isReplaced) return;
        expect(["update", "replace"]).toContain(await resource.up(subject.program));
        expect(await resource.refresh()).toBe(false);
      });
    }

    test("a field that is not declared, or not readable, is not drift", async () => {
      const resource = await made();
      subject.noDrift?.(emulator);
      expect(await resource.refresh()).toBe(false);
      expect(await resource.up(subject.program)).toBe("same");
    });

    if (readable && !isItsName(kind)) {
      test("a destroy leaves what somebody has made anew under its name", async () => {
        const resource = await made();
        removeByHand(subject);
        platformUnderTest.clock.advance(5_000);
        await platformUnderTest.ask(...making(kind, subject.body(subject.program)));
        await resource.destroy().catch(() => undefined);
        expect(subject.objects({ emulator })).toHaveLength(1);
      });
    }

    if (readable) {
      test("an object deleted outside is dropped by refresh, and made again by the next up", async () => {
        const resource = await made();
        removeByHand(subject);
        await resource.refresh();
        expect(resource.state).toBeUndefined();
        expect(await resource.up(subject.program)).toBe("create");
        expect(subject.objects({ emulator })).toHaveLength(1);
      });
    } else {
      test("an object that cannot be read is never dropped", async () => {
        const resource = await made();
        removeByHand(subject);
        await resource.refresh();
        expect(resource.state).toBeDefined();
      });
    }

    test.each([401, 403, 500, 502, 503])("a refresh that meets %d fails, and drops nothing", async (status) => {
      const resource = await made();
      const { current } = resource;
      refusing = status;
      emulator.clearLog();
      const outcome = await failureOf(resource.refresh());
      // Contract documented has no read of an OAuth provider: the state is kept without a request.
      const hasAsked = emulator.requests.length > 0;
      expect(outcome).toMatch(hasAsked ? new RegExp(`answered ${status}`) : "it succeeded");
      expect(resource.current.id).toBe(current.id);
      expect(resource.current.outputs).toEqual({ ...current.outputs, ...(hasAsked ? {} : mark) });
    });

    test("a connection that points elsewhere is refused, for read, update, diff and delete", async () => {
      const resource = await made();
      const moved = await platformUnderTest.handler(kind, { contract: provider, tenantId: "another-tenant" });
      const { id, outputs } = resource.current;
      emulator.clearLog();
      for (const verb of [
        () => moved.read(id, outputs),
        () => moved.delete(id, outputs),
        () => moved.update(id, outputs, subject.program),
        async () => moved.diff(id, outputs, subject.program),
      ]) {
        const failure = await failureOf((async () => verb())());
        expect(failure).toMatch(/was created at another address or tenant/);
        // A stack has many of its type.
        expect(failure).toContain(id);
      }
      expect(emulator.requests).toEqual([]);
    });

    test("a second resource with the same natural key is an error that says what exists, and changes nothing", async () => {
      await made();
      const second = await model();
      emulator.clearLog();
      if (kind === "Deployment" && platform === "documented") return; // it cannot be looked for, and only the platform refuses the name
      expect(await failureOf(second.up(subject.program))).toMatch(/already exists/);
      expect(subject.objects({ emulator })).toHaveLength(1);
      expect(second.state).toBeUndefined();
    });
  });
});

type Made = (over?: Record<string, string>) => Promise<EngineModel>;

function extendedOnly(kind: ManagedType, subject: Case, made: Made): void {
  const { updated, replacing, renamed } = subject;
  const [makes, changes] = methodsOf(kind);
  test.each(["before-route", "after-commit"] as const)(
    "a create goes on for a minute while the platform answers nothing but 503 (%s), and makes one object",
    async (phase) => {
      emulator.faults.add({ kind: "status", status: 503, phase, forMs: 30_000 });
      await made();
      expect(subject.objects({ emulator })).toHaveLength(1);
    },
  );

  if (updated !== undefined) {
    test("a change in place keeps the id, and is one request", async () => {
      const resource = await made();
      const id = resource.state?.id;
      emulator.clearLog();
      expect(await resource.up(updated)).toBe("update");
      expect(changing()).toEqual([changes]);
      expect(resource.state?.id).toBe(id);
      expect(await resource.refresh()).toBe(false);
      expect(await resource.up(updated)).toBe("same");
    });
  }

  for (const name of Object.keys(subject.fields))
    describe(`an update of ${name} whose end is not known`, () => {
      const declared = (n: number) => merged(subject.program, subject.fields[name]?.(n) ?? {});
      /** What is there after these programs, and after the last one again. */
      async function played(programs: readonly JsonObject[], lost?: number, when?: "before" | "after") {
        platformUnderTest.reset();
        const resource = await made();
        for (const [at, program] of programs.entries()) {
          leaving = at === lost ? when : undefined;
          if (at === lost) await failureOf(resource.up(program));
          else await resource.up(program);
          [leaving, refusing] = [undefined, undefined];
        }
        expect(await resource.up(programs.at(-1) ?? {})).toBe("same");
        expect(await resource.refresh()).toBe(false);
        return subject.objects({ emulator }).map(({ body }) => body);
      }

      test.each<[how: string, programs: JsonObject[], lost: number, when: "before" | "after"]>([
        ["was carried out, and is taken back", [declared(1), declared(2), declared(1)], 1, "after"],
        ["was carried out, and goes on", [declared(1), declared(2), declared(2)], 1, "after"],
        ["was not carried out, and goes on", [declared(1), declared(2), declared(2)], 1, "before"],
        ["was carried out, and what it added is taken out", [declared(1), subject.program], 0, "after"],
        ["was not carried out, and removes the field", [declared(1), subject.program, subject.program], 1, "before"],
      ])("%s", async (_how, programs, lost, when) => {
        const wanted = await played(programs.filter((_, at) => when === "after" || at !== lost)).catch(String);
        // What a type refuses, it refuses.
        if (typeof wanted === "string") return;
        expect(await played(programs, lost, when)).toEqual(wanted);
      });
    });

  if (replacing !== undefined) {
    test("a change that the platform cannot make replaces, deleting first where the name is taken", async () => {
      const resource = await made();
      emulator.clearLog();
      expect(await resource.up(replacing)).toBe("replace");
      const { namesRepeat } = RESOURCES[kind].table;
      expect(changing()).toEqual(namesRepeat ? [makes, "DELETE"] : ["DELETE", makes]);
      expect(subject.objects({ emulator })).toHaveLength(1);
      expect(await resource.up(replacing)).toBe("same");
    });
  }

  if (renamed !== undefined) {
    test("a replacement under another name leaves nothing of the old object", async () => {
      const resource = await made();
      expect(await resource.up(renamed)).toBe("replace");
      expect(subject.objects({ emulator })).toHaveLength(1);
    });
  }

  test.each<[string, (response: Response) => Response]>([
    ["504", () => new Response("", { status: 504 })],
    ["500", () => new Response('{"detail":"oops"}', { status: 500 })],
    ["a proxy's HTML", () => new Response("<html>Welcome</html>", { status: 200 })],
    ["an empty body", ({ status }) => new Response("", { status })],
    ["no id", ({ status }) => new Response("{}", { status })],
    ["cut-off JSON", ({ status }) => new Response('{"id": "1', { status })],
  ])("a creation that was carried out, but answers %s, is found again: one object, in state", async (_what, garble) => {
    garbling = garble;
    const resource = await made();
    // A PUT may be repeated.
    expect(changing().filter((method) => method !== "PUT")).toEqual(makes === "PUT" ? [] : ["POST"]);
    expect(subject.objects({ emulator })).toHaveLength(1);
    expect(await resource.refresh()).toBe(false);
    await resource.destroy();
    expect(subject.objects({ emulator })).toEqual([]);
  });

  test("delete removes the object, and is fine where it is gone already", async () => {
    const resource = await made();
    const state = resource.state;
    await resource.destroy();
    expect(subject.objects({ emulator })).toEqual([]);
    await resource.handler.delete(state?.id ?? "", state?.outputs ?? {});
    expect(platformUnderTest.warnings).toEqual([]);
  });

  test(`${kind}.get reads everything but secrets, returns no inputs, and names a missing object`, async () => {
    const resource = await made();
    const read = await resource.handler.read(resource.state?.id ?? "", { __provider: "p" });
    expect(read.inputs).toBeUndefined();
    expect(read.id).toBe(resource.state?.id);
    expect(Object.keys(read.props).length).toBeGreaterThan(2);
    expect(JSON.stringify(read)).not.toMatch(/client-secret"|deployment-secret/);
    const missing = "00000000-0000-4000-8000-000000000000";
    expect(await failureOf(resource.handler.read(missing, { __provider: "p" }))).toMatch(
      new RegExp(`${kind} "${missing}" does not exist at http`),
    );
  });

  test("state made at an address that moved is accepted where that is allowed, and rewritten", async () => {
    const resource = await made({ allowOriginChange: "true" });
    const { id, outputs } = resource.current;
    const read = await resource.handler.read(id, { ...outputs, __origin: "000000000000" });
    expect(read.props).toMatchObject({ __origin: outputs["__origin"] });
  });
}

/** A kind of which one side of the pair knows no endpoint. */
function notOffered(kind: ManagedType, subject: Case, model: () => Promise<EngineModel>, provider: Contract): void {
  if (provider === "documented") {
    test("a creation is refused in check, with the remedy, before any request", async () => {
      const resource = await model();
      for (const adopt of [undefined, true]) {
        const error = await resource.up({ ...subject.program, adopt }).catch((reason: unknown) => reason);
        expect(error).toBeInstanceOf(CheckFailed);
        expect(String(error)).toContain(
          `contract "documented" has no endpoint for a ${kind}; set agent-platform:contract to "extended"`,
        );
      }
      expect(emulator.requests).toEqual([]);
    });
  } else {
    test("a creation fails with a sentence that says what this platform lacks", async () => {
      const resource = await model();
      expect(await failureOf(resource.up(subject.program))).toMatch(
        new RegExp(
          `${kind} "[^"]+" cannot be created: this platform does not support such objects \\((POST|GET) .* answered 40[45]`,
        ),
      );
      expect(resource.state).toBeUndefined();
      const adopting = await failureOf(resource.up({ ...subject.program, adopt: true }));
      expect(adopting).toMatch(/cannot be adopted: this platform cannot look it up/);
    });
  }
}

function degraded(kind: ManagedType, subject: Case, made: Made, provider: Contract): void {
  test("delete leaves the object, with a warning that names it", async () => {
    const resource = await made();
    await resource.destroy();
    expect(subject.objects({ emulator })).toHaveLength(1);
    expect(platformUnderTest.warnings.join()).toMatch(new RegExp(`${kind} ".*stays on the platform`));
  });

  test("delete fails if so configured, and keeps the state", async () => {
    const resource = await made({ onUndeletable: "fail" });
    expect(await failureOf(resource.destroy())).toMatch(
      /stays on the platform, which cannot delete it through its API/,
    );
    expect(resource.state).toBeDefined();
  });

  if (provider === "documented") {
    test("a replacement under the same name is refused in check, with the remedy, before any request", async () => {
      const resource = await made();
      emulator.clearLog();
      const error = await resource.up(subject.replacing ?? {}).catch((reason: unknown) => reason);
      expect(error).toBeInstanceOf(CheckFailed);
      expect(String(error)).toMatch(
        /cannot change: it needs a replacement, and contract "documented" has no endpoint for a delete, so its (name|providerId) stays taken\. Give it a new \1, or set agent-platform:contract to "extended"/,
      );
      expect(emulator.requests).toEqual([]);
    });

    test("a replacement under another name works, and leaves the old one with a warning", async () => {
      const resource = await made();
      expect(await resource.up(subject.renamed ?? {})).toBe("replace");
      expect(subject.objects({ emulator })).toHaveLength(2);
      expect(platformUnderTest.warnings.join()).toMatch(/stays on the platform/);
    });
  } else {
    test("an update that needs a missing endpoint fails with advice, and keeps the state", async () => {
      if (!RESOURCES[kind].table.undocumented?.includes("update")) return;
      const resource = await made();
      const state = resource.state;
      expect(await failureOf(resource.up(subject.updated ?? {}))).toMatch(
        /Set agent-platform:contract to "documented"/,
      );
      expect(resource.state).toBe(state);
    });
  }
}
