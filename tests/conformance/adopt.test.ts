import { rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import type { JsonObject } from "../../provider/base/json";
import { engineJournal } from "../../provider/engine/journal";
import { isWriteOnly } from "../../provider/lifecycle/fields/table";
import { Ownership } from "../../provider/lifecycle/identity/ownership";
import { MANAGED_TYPES, type ManagedType } from "../../provider/resources/resource-types";
import { RESOURCES } from "../../provider/resources/registry";
import { EngineModel } from "../support/engine-model";
import { CASES, making, merged, methodsOf } from "./cases";
import { failureOf, PlatformUnderTest } from "../support/platform-under-test";
import { ofSuite, ofTest } from "../support/of-suite";
import { newFolder } from "../support/new-folder";

// As older versions of the platform, which do not show what is in the environment.
const platform = ofSuite(PlatformUnderTest.prototype, () => PlatformUnderTest.start({ secrets: "names" }));
const documented = ofSuite(PlatformUnderTest.prototype, () =>
  PlatformUnderTest.start({ contract: "documented", secrets: "names" }),
);

const kinds = MANAGED_TYPES.map((kind) => ({ kind, subject: CASES[kind] }));

test.each<[ManagedType, JsonObject, JsonObject]>([
  [
    "Deployment",
    { sourceConfig: { listenerConfig: { k8sNamespace: "one" } } },
    { sourceConfig: { listenerConfig: { k8sNamespace: "two" } } },
  ],
  ["PlatformAgent", { sourceType: "FLEET", productionOnly: true }, { sourceType: "FLEET", productionOnly: false }],
  ["SandboxSnapshot", { runConfig: { user: "one" } }, { runConfig: { user: "two" } }],
])(
  "%s: what no answer shows and no update can change is refused by name once it is declared, and nothing is lost: its advice works",
  async (kind, first, second) => {
    const { program, objects } = CASES[kind];
    const own = kind === "PlatformAgent" ? { ...program, sourceType: "FLEET" } : program;
    const maker = await platform.resource(kind);
    await maker.up(own);
    const resource = await platform.resource(kind);
    await resource.up({ ...own, adopt: true });
    platform.emulator.clearLog();
    expect(await failureOf(resource.up(merged(own, first)))).toMatch(
      /^[\w.]+: the platform never returns it and no update/,
    );
    expect(platform.emulator.requests).toEqual([]);
    expect(await resource.up(own)).toBe("same");
    await resource.destroy();
    expect(await resource.up(merged(own, first))).toBe("create");
    expect(await resource.up(merged(own, second))).toBe("replace");
    await resource.up(own);
    // Of an object that this stack has made, nothing is unknown.
    expect(await resource.up(merged(own, first))).toBe("replace");
    expect(objects(platform)).toHaveLength(1);
  },
);

describe.each(kinds)("adopting a $kind", ({ kind, subject }) => {
  const { table } = RESOURCES[kind];
  const { undocumented = [] } = table;
  const [makes, changes] = methodsOf(kind);
  const writesOnly = Object.keys(subject.program).some((name) => isWriteOnly(table.fields[name] ?? {}));
  const existing = async (): Promise<string> => {
    const maker = await platform.resource(kind);
    await maker.up(subject.program);
    platform.emulator.clearLog();
    return maker.current.id;
  };

  test("that is equal: only reads, and the fields that are never shown are sent", async () => {
    const id = await existing();
    const resource = await platform.resource(kind);
    expect(await resource.up({ ...subject.program, adopt: true })).toBe("create");
    expect(platform.changing()).toEqual(writesOnly ? [changes] : []);
    expect(resource.current.id).toBe(id);
    expect(subject.objects(platform)).toHaveLength(1);
  });

  test("then everything is as if it had been created here: no drift, no change, also when adopt is taken out", async () => {
    await existing();
    const resource = await platform.resource(kind);
    await resource.up({ ...subject.program, adopt: true });
    expect(resource.current.outputs).not.toHaveProperty("adopt");
    expect(await resource.refresh()).toBe(false);
    platform.emulator.clearLog();
    expect(await resource.up(subject.program)).toBe("same");
    expect(platform.emulator.requests).toEqual([]);
    await resource.destroy();
    expect(subject.objects(platform)).toEqual([]);
  });

  test("that somebody made with all fields: the plan says all that is sent, defaults too", async () => {
    const all = merged(subject.program, ...Object.values(subject.fields).map((field) => field(1)));
    await platform.ask(...making(kind, subject.body(all)));
    platform.clock.advance(5_000);
    platform.emulator.clearLog();
    const resource = await platform.resource(kind);
    const program = { ...subject.program, adopt: true };
    await resource.up(program);
    const planned = RESOURCES[kind].planner.create(program).requests.flatMap(({ fields }) => fields);
    const sent = platform.emulator.requests.flatMap(({ method, requestBody }) =>
      method === changes ? Object.keys(requestBody ?? {}) : [],
    );
    expect(planned.map(({ name }) => name)).toEqual(expect.arrayContaining(sent));
  });

  const { updated, replacing, renamed } = subject;
  if (updated !== undefined) {
    test("that differs in fields that can be changed: one request makes it equal", async () => {
      const id = await existing();
      const resource = await platform.resource(kind);
      // A template's name is its key, so only an id can lead to a template of another name.
      await resource.up({ ...updated, adopt: id });
      expect(platform.changing()).toEqual([changes]);
      expect(await resource.refresh()).toBe(false);
    });
  }

  if (replacing !== undefined || renamed !== undefined) {
    test("that differs in fields that cannot be changed: an error that lists them, and nothing is touched", async () => {
      const id = await existing();
      const resource = await platform.resource(kind);
      const before = JSON.stringify(subject.objects(platform));
      // If only the natural key is fixed, only an id can lead to an object with another one.
      const different = replacing ? { ...replacing, adopt: true } : { ...renamed, adopt: id };
      expect(await failureOf(resource.up(different))).toMatch(
        /cannot be adopted: it differs in fields that cannot be changed in place[^]*\n {2}\w+: ".*" on the platform, ".*" declared/,
      );
      expect(platform.changing()).toEqual([]);
      expect(JSON.stringify(subject.objects(platform))).toBe(before);
    });
  }

  test("that is not there, by name: it is made", async () => {
    const resource = await platform.resource(kind);
    await resource.up({ ...subject.program, adopt: true });
    expect(platform.changing()).toEqual([makes]);
  });

  test("that is not there, by id: an error that says so, and nothing is made", async () => {
    const resource = await platform.resource(kind);
    const id = "00000000-0000-4000-8000-000000000000";
    expect(await failureOf(resource.up({ ...subject.program, adopt: id }))).toMatch(
      new RegExp(`${kind} "${id}" cannot be adopted: it does not exist`),
    );
    expect(platform.changing()).toEqual([]);
  });

  test("by its id, and then replaced: refused while adopt is there, since the old one would be deleted and then not be found", async () => {
    const fixed = subject.replacing ?? subject.renamed;
    if (fixed === undefined || table.namesRepeat) return;
    const id = await existing();
    const resource = await platform.resource(kind);
    await resource.up({ ...subject.program, adopt: id });
    platform.emulator.clearLog();
    expect(await failureOf(resource.up({ ...fixed, adopt: id }))).toMatch(
      /^adopt: names the object that this change replaces/,
    );
    expect(platform.emulator.requests).toEqual([]);
    expect(await resource.up(fixed)).toBe("replace");
    expect(subject.objects(platform)).toHaveLength(1);
  });

  test("without adopt the error says what exists, since when, whether it is equal, and names adopt", async () => {
    await existing();
    const resource = await platform.resource(kind);
    const since = "createdAt" in table.fields ? " \\(created 20\\d\\d-.*\\)" : "";
    // Whoever adopts overwrites what nobody can compare.
    const unseen = writesOnly ? " as far as the platform shows it \\(an adoption sends [\\w, ]+\\)" : "";
    expect(await failureOf(resource.up(subject.program))).toMatch(
      new RegExp(
        `already exists on the platform${since} and equals this declaration${unseen}\\..*take it over with \`adopt: true\``,
      ),
    );
    expect(await failureOf(resource.up(replacing ?? updated ?? {}))).toMatch(/differs from this declaration/);
    expect(resource.state).toBeUndefined();
  });

  test("under contract documented: found in the list, where that is documented; otherwise it cannot be looked for", async () => {
    const settings = { contract: "documented" };
    if (undocumented.includes("create")) {
      const neither = await documented.resource(kind, settings);
      expect(await failureOf(neither.up({ ...subject.program, adopt: true }))).toMatch(/has no endpoint for a/);
      return;
    }
    const maker = await documented.resource(kind, settings);
    await maker.up(subject.program);
    const resource = await documented.resource(kind, settings);
    const adopting = resource.up({ ...subject.program, adopt: true });
    if (!undocumented.includes("list")) await adopting;
    else expect(await failureOf(adopting)).toMatch(/cannot be adopted: this platform cannot look it up/);
    expect(subject.objects(documented)).toHaveLength(1);
  });
});

describe.each(kinds)("two resources of one program and one $kind", ({ kind, subject }) => {
  /** A resource that shares its process with others: no command of its own. */
  const inOneProcess = async () => new EngineModel(await platform.handler(kind), kind);

  /** The resource in state, at the start of the next command. */
  async function inState(): Promise<EngineModel> {
    const first = await inOneProcess();
    await first.up(subject.program);
    platform.newProcess();
    return first;
  }

  test("the second has adopted it and was then made anew: what a refresh of the first takes for its own is not deleted", async () => {
    const first = await inState();
    const second = await inOneProcess();
    await second.up({ ...subject.program, adopt: true });
    platform.newProcess();
    await second.destroy();
    platform.clock.advance(1);
    await second.up(subject.program);
    platform.newProcess();
    await first.refresh();
    platform.newProcess();
    expect(await second.up(subject.program)).toBe("same");
    if (first.state !== undefined) await first.destroy();
    expect(subject.objects(platform)).toHaveLength(1);
  });

  test("the first has left the program (it was renamed in Pulumi): the second has it, and it is not deleted", async () => {
    const first = await inState();
    const second = await inOneProcess();
    await second.up({ ...subject.program, adopt: true });
    await first.destroy();
    expect(subject.objects(platform)).toHaveLength(1);
    expect(platform.warnings).toEqual([
      expect.stringMatching(/now belongs to another resource of this program, so it stays/),
    ]);
    platform.newProcess();
    expect(await second.refresh()).toBe(false);
  });

  test.each<[when: string, goOn: (first: EngineModel, second: EngineModel) => Promise<unknown>]>([
    [
      "cut off before the delete: the next command does not delete it either",
      async (_first, second) => {
        await second.up({ ...subject.program, adopt: true });
        platform.newProcess();
        return second.up(subject.program);
      },
    ],
    [
      "after a refresh, which reads and compares both, and says nothing about the program",
      async (first, second) => {
        await first.refresh();
        return second.up({ ...subject.program, adopt: true });
      },
    ],
  ])("the same, %s", async (_when, goOn) => {
    const first = await inState();
    await goOn(first, await inOneProcess());
    await first.destroy();
    expect(subject.objects(platform)).toHaveLength(1);
  });

  test("both in state, and both destroyed after a refresh: the last one deletes it", async () => {
    const first = await inState();
    const second = await inOneProcess();
    await second.up({ ...subject.program, adopt: true });
    platform.newProcess();
    await first.refresh();
    await second.refresh();
    await first.destroy();
    await second.destroy();
    expect(subject.objects(platform)).toEqual([]);
  });

  test("one that leaves the program after a refresh of the same command is deleted, as usual", async () => {
    const first = await inState();
    await first.refresh();
    await first.destroy();
    expect(subject.objects(platform)).toEqual([]);
  });
});

describe.each(kinds)("the plugins of two providers in one run, and one $kind", ({ kind, subject }) => {
  // The engine starts one process for each provider.
  const held = /would belong to two resources of this program: .* another resource adopts it/;
  let folder: string;
  beforeEach(() => (folder = newFolder()));

  let runs = 0;
  /** The resources of a run: each has a process of its own, and all of them are told of the same engine. */
  function run() {
    const address = `127.0.0.1:${++runs}`;
    return async (settings: Record<string, string> = {}) => {
      const claims = new Ownership(engineJournal(address, join(folder, "run")));
      return new EngineModel(await platform.handler(kind, settings, claims), kind);
    };
  }
  /** The same row of the state in another run: a process that knows nothing of the one before. */
  async function again(row: EngineModel, next: Promise<EngineModel>): Promise<EngineModel> {
    const model = await next;
    model.state = row.state;
    return model;
  }
  const inState = async (settings?: Record<string, string>): Promise<EngineModel> => {
    const row = await run()(settings);
    await row.up(subject.program);
    return row;
  };
  const count = () => subject.objects(platform).length;

  test.each<[reason: string, settingsOf: () => Record<string, string>]>([
    ["of the same settings", () => ({})],
    ["that names its tenant, which the stack leaves to the key", () => ({ tenantId: platform.emulator.tenantId })],
  ])("adopt under another name through a provider %s: nothing is deleted", async (_reason, settingsOf) => {
    const settings = settingsOf();
    const row = await inState();
    const next = run();
    const [old, renamed] = [await again(row, next()), await next(settings)];
    await renamed.up({ ...subject.program, adopt: true });
    await old.destroy();
    expect(count()).toBe(1);
    expect(platform.warnings).toEqual([expect.stringMatching(/now belongs to another resource of this program/)]);
    expect(platform.changing()).not.toContain("DELETE");
    const last = await again(renamed, run()(settings));
    await last.destroy();
    expect(count()).toBe(0);
  });

  test("declared through both: refused, whichever the engine asks about first", async () => {
    const row = await inState();
    const next = run();
    const [first, second] = [await again(row, next()), await next()];
    expect(await first.up(subject.program)).toBe("same");
    expect(await failureOf(second.up({ ...subject.program, adopt: true }))).toMatch(held);
    const after = run();
    const [old, adopts] = [await again(row, after()), await after()];
    await adopts.up({ ...subject.program, adopt: true });
    expect(await failureOf(old.up(subject.program))).toMatch(held);
    expect(count()).toBe(1);
  });

  test("of two that adopt it at the same time, one gets it", async () => {
    await inState();
    const next = run();
    const both = [await next(), await next()];
    const ends = await Promise.all(both.map((each) => failureOf(each.up({ ...subject.program, adopt: true }))));
    expect(ends).toEqual(expect.arrayContaining(["it succeeded", expect.stringMatching(held)]));
  });

  test("what one of them has just made is not adopted by the other", async () => {
    const next = run();
    const [maker, other] = [await next(), await next()];
    await maker.up(subject.program);
    expect(await failureOf(other.up({ ...subject.program, adopt: true }))).toMatch(held);
  });

  test("where the journal cannot be reached, nothing is made, adopted or deleted, and no request is sent", async () => {
    const row = await inState();
    platform.emulator.clearLog();
    rmSync(join(folder, "run"), { recursive: true });
    writeFileSync(join(folder, "run"), "");
    const next = run();
    const [old, fresh] = [await again(row, next()), await next()];
    const cannot = /cannot tell each other which resource has which object .*Set TMPDIR/;
    expect(await failureOf(fresh.up({ ...subject.program, adopt: true }))).toMatch(cannot);
    expect(await failureOf(fresh.up(subject.program))).toMatch(cannot);
    expect(await failureOf(old.destroy())).toMatch(cannot);
    expect(platform.emulator.requests).toEqual([]);
  });
});

describe.each(["OAuthProvider", "PlatformAgent", "SandboxTemplate"] as const)(
  "a %s in each of two workspaces",
  (kind) => {
    const tenants = ["1", "2"].map((each) => ({
      tenantId: `00000000-0000-4000-8000-00000000000${each}`,
      organizationId: `00000000-0000-4000-8000-0000000000a${each}`,
      apiKey: `key-of-workspace-${each}`,
    }));
    const two = ofSuite(PlatformUnderTest.prototype, () => PlatformUnderTest.start({ tenants }));

    test("that only the keys tell apart: neither is taken for the other, and each is deleted with its own row", async () => {
      const { program, objects } = CASES[kind];
      const [one, other] = await Promise.all(tenants.map(({ apiKey }) => two.resource(kind, { apiKey })));
      if (one === undefined || other === undefined) throw new Error("two of them were made");
      for (const each of [one, other]) await each.up(program);
      two.newProcess();
      const { handler, current } = one;
      await handler.diff(current.id, current.outputs, current.inputs);
      await other.handler.diff(other.current.id, other.current.outputs, other.current.inputs);
      await other.handler.delete(other.current.id, other.current.outputs);
      expect(two.warnings).toEqual([]);
      expect(objects(two)).toMatchObject([{ tenantId: tenants[0]?.tenantId }]);
    });
  },
);

test.each(kinds)("$kind of another tenant cannot be adopted: for this key it is none", async ({ kind, subject }) => {
  const tenant = (name: string) => ({ tenantId: name, organizationId: "o", apiKey: `key-of-${name}` });
  const shared = ofTest(await PlatformUnderTest.start({ tenants: [tenant("ours"), tenant("theirs")] }));
  const theirs = await shared.resource(kind, { apiKey: "key-of-theirs" });
  await theirs.up(subject.program);
  const ours = await shared.resource(kind, { apiKey: "key-of-ours" });
  const adopting = failureOf(ours.up({ ...subject.program, adopt: theirs.current.id }));
  expect(await adopting).toMatch(/cannot be adopted: it does not exist for this key and tenant/);
  expect(shared.changing()).toEqual([methodsOf(kind)[0]]);
});

test("a forced replacement of a row that adopts finds its own object, and its other half says that nothing was replaced", async () => {
  const row = { __progressUrn: "urn:pulumi:dev::shop::agent-platform:index:Deployment::agent" };
  const resource = await platform.resource("Deployment");
  const program = { ...CASES.Deployment.program, ...row, adopt: true };
  await resource.up(program);
  expect(await failureOf(resource.up(program, true))).toMatch(
    /was not replaced: .*`replacementTrigger`.*set the option `deleteBeforeReplace: true` on the resource/,
  );
  expect(await resource.up(program)).toBe("same");
  expect(CASES.Deployment.objects(platform)).toHaveLength(1);
});
