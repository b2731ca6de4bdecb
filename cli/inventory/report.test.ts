import type { Connection } from "../../provider/base/connection";
import { openClient } from "../../provider/functions/platform-client";
import { type Key, type ReadObject, readerOf } from "../../provider/functions/reading";
import { originOf } from "../../provider/lifecycle/identity/origin";
import { dynamicToken, type ManagedType, nativeToken } from "../../provider/resources/resource-types";
import { connectionTo } from "../../tests/support/connection";
import { SPECS, type ManagedTypeSpec } from "../base/managed-types";
import { INVENTORY_FORMATS } from "./formats";
import { withAgents } from "./agents";
import { askedWith, inventoryOf, type Asked, type Inventory } from "./report";
import type { LiveObject } from "../base/place";
import { stateIn } from "../base/stack-state";
import { objectsIn } from "../base/stack-objects";

const HERE = "https://a.example";
const CONNECTED = { AGENT_PLATFORM_BASE_URL: HERE, AGENT_PLATFORM_API_KEY: "key" };
const UUID = "5a3f2c1e-0000-4000-8000-000000000001";
const OTHER_UUID = "5a3f2c1e-0000-4000-8000-000000000002";

function typeOfSlot(kind: ManagedType): ManagedTypeSpec {
  const spec = SPECS.find((each) => each.kind === kind);
  if (spec === undefined) throw new Error(kind);
  return spec;
}

interface Row {
  readonly kind?: ManagedType;
  readonly id?: string;
  readonly type?: string;
  readonly external?: boolean;
  readonly outputs?: Record<string, unknown>;
}

/** A resource of an exported state; an OAuth provider called "github" unless it says otherwise. */
function resource({ kind = "OAuthProvider", id = "github", type = dynamicToken(kind), outputs, ...rest }: Row = {}) {
  return {
    urn: `urn:pulumi:prod::shop::${type}::${id}`,
    type,
    custom: true,
    id,
    inputs: { __provider: "code" },
    outputs: { [typeOfSlot(kind).naturalKey]: id, origin: originOf(HERE, undefined), ...outputs },
    ...rest,
  };
}
const exported = (resources: object[], pending: object[] = []): string =>
  JSON.stringify({ version: 3, deployment: { resources, pending_operations: pending } });

const live = (outputs: LiveObject["outputs"] = {}, kind: ManagedType = "OAuthProvider", id = "github"): LiveObject => ({
  spec: typeOfSlot(kind),
  id,
  name: id,
  outputs,
});

const asked = (objects: readonly LiveObject[], over: Partial<Connection> = {}): Asked =>
  askedWith({ ...connectionTo(HERE), ...over }, objects);

const report = (state: string, platform: Asked | undefined, listed = ["shop/prod"]): Inventory =>
  inventoryOf({ objects: objectsIn("shop/prod", stateIn(state)), failed: [], listed }, platform && [platform]);
const orphans = (inventory: Inventory): (string | null)[] | undefined => inventory.orphans?.map(({ id }) => id);

describe("an object of the platform is in a stack", () => {
  const there = (url: string, tenantId?: string) => ({ outputs: { origin: originOf(url, tenantId) } });
  const held: [why: string, state: Row, object: LiveObject, connection?: Partial<Connection>][] = [
    ["of the same id at the same place", {}, live()],
    ["whichever plugin the stack uses", { type: nativeToken("OAuthProvider") }, live()],
    ["which names the tenant that the connection leaves to its key", there(HERE, "t1"), live({ tenantId: "t1" })],
    ["which leaves the tenant to its key, and the connection names it", {}, live(), { tenantId: "t1" }],
    [
      "made through another address of the same platform, which its UUID shows",
      { outputs: { origin: originOf("https://alias.example", undefined), uuid: UUID } },
      live({ uuid: UUID }),
    ],
    [
      "by a template's own id, under another name",
      { kind: "SandboxTemplate", id: "old", outputs: { templateId: UUID } },
      live({}, "SandboxTemplate", UUID),
    ],
    [
      "at the sandbox API's address",
      { kind: "SandboxTemplate", id: "code", ...there("https://s.example") },
      live({}, "SandboxTemplate", "code"),
      { sandboxBaseUrl: "https://s.example" },
    ],
    ...["http://127.0.0.1:8080", "http://[::1]:8080", "http://LOCALHOST:8080"].map((baseUrl): (typeof held)[number] => [
      `at localhost:8080, which is ${baseUrl}`,
      there("http://localhost:8080"),
      live(),
      { baseUrl, sandboxBaseUrl: baseUrl },
    ]),
    ["made anew by hand with its providerId: the stack's", { outputs: { uuid: OTHER_UUID } }, live({ uuid: UUID })],
  ];
  test.each(held)("%s", (_why, state, object, connection = {}) => {
    expect(orphans(report(exported([resource(state)]), asked([object], connection)))).toEqual([]);
  });

  test.each(["creating", "importing"])("while a run is %s it, by its name", (type) => {
    const { id: _, ...begun } = resource();
    const pending = [{ type, resource: { ...begun, inputs: { providerId: "github" }, outputs: undefined } }];
    const inventory = report(exported([], pending), asked([live(), live({}, "OAuthProvider", "gitlab")]));
    expect(orphans(inventory)).toEqual(["gitlab"]);
    expect(inventory.objects).toMatchObject([{ name: "github", id: null, here: null }]);
  });

  test("once, if a later run has made what an earlier one, cut off, began: the state keeps that as well", () => {
    const { id: _, ...begun } = resource();
    const pending = [{ type: "creating", resource: { ...begun, outputs: undefined } }];
    const inventory = report(exported([resource()], pending), asked([live()]));
    expect(inventory.objects).toMatchObject([{ name: "github", id: "github" }]);
    expect(orphans(inventory)).toEqual([]);
  });

  test("which is not listed", () => {
    const inventory = report(exported([resource()]), asked([live()]), ["shop/dev"]);
    expect([inventory.objects, orphans(inventory)]).toEqual([[], []]);
  });
});

test("objects that have no name, such as crons, are in the order of their names in the program", () => {
  const type = nativeToken("Cron");
  const cron = (id: string, name: string) => ({
    ...resource({ id, type }),
    urn: `urn:pulumi:prod::shop::${type}::${name}`,
  });
  const { objects } = report(exported([cron("1", "weekly"), cron("2", "daily")]), asked([]));
  expect(objects.map(({ resource: name }) => name)).toEqual(["daily", "weekly"]);
});

describe("an object of the platform is in no stack", () => {
  const at = (url: string) => resource({ outputs: { origin: originOf(url, undefined) } });
  const local = "http://127.0.0.1:8080";
  const lost: [string, object[], LiveObject, readBy?: string[], baseUrl?: string][] = [
    ["no state has anything", [], live()],
    ["the one of that id is at another address", [at("https://b.example")], live()],
    ["the one of that id is at another port of this machine", [at("http://localhost:8081")], live(), [], local],
    ["the one of that id is at another loopback address", [at("http://127.0.0.2:8080")], live(), [], local],
    [
      "it is in another organization",
      [resource({ outputs: { organizationId: "o2" } })],
      live({ organizationId: "o1" }),
    ],
    ["the one of that id is of another kind", [resource({ kind: "SandboxTemplate", id: "github" })], live()],
    ["a stack only reads it", [resource({ external: true, outputs: { origin: undefined } })], live(), ["shop/prod"]],
    ["a rollout of that id is no object", [{ ...resource(), type: dynamicToken("Rollout") }], live()],
  ];
  test.each(lost)("%s", (_why, resources, object, readBy = [], baseUrl = HERE) => {
    const { orphans: found } = report(exported(resources), asked([object], { baseUrl, sandboxBaseUrl: baseUrl }));
    expect(found).toEqual([{ baseUrl, tenantId: null, kind: "OAuthProvider", name: "github", id: "github", readBy }]);
  });
});

describe("several platforms", () => {
  const there = "https://eu.example";
  const inThere = (objects: readonly LiveObject[], over: Partial<Connection> = {}): Asked =>
    asked(objects, { baseUrl: there, sandboxBaseUrl: there, ...over });
  const of = (state: object[], platforms: readonly Asked[]): Inventory =>
    inventoryOf({ objects: objectsIn("s", stateIn(exported(state))), failed: [], listed: ["s"] }, platforms);
  const inEu = resource({ outputs: { origin: originOf(there, undefined) } });

  test("what the state has on one of them is here, and an orphan on another of the same id says where it is", () => {
    const found = of([inEu], [asked([live()]), inThere([live()])]);
    expect(found.objects.map(({ here }) => here)).toEqual([true]);
    expect(found.orphans).toEqual([
      { baseUrl: HERE, tenantId: null, kind: "OAuthProvider", name: "github", id: "github", readBy: [] },
    ]);
    expect(INVENTORY_FORMATS.text(found)).toContain(`In no stack, at ${HERE}: 1.`);
    expect(INVENTORY_FORMATS.text(found)).toContain(`In no stack, at ${there}: nothing.`);
  });

  test("one that fails has no orphans, and is still where its objects are", () => {
    const found = of([inEu], [asked([live()]), { ...inThere([]), problem: 'Platform "eu": it is down' }]);
    expect(found.platforms.map(({ baseUrl }) => baseUrl)).toEqual([HERE]);
    expect([orphans(found), found.objects.map(({ here }) => here)]).toEqual([["github"], [true]]);
  });

  test("two keys that open one tenant show an orphan once; two tenants at one address are two platforms", () => {
    expect(of([], [asked([live()]), asked([live()])]).orphans).toHaveLength(1);
    const tenants = of([], [asked([live()], { tenantId: "t1" }), asked([], { tenantId: "t2" })]);
    expect(tenants.orphans).toMatchObject([{ tenantId: "t1" }]);
    expect(INVENTORY_FORMATS.text(tenants)).toContain(`In no stack, at ${HERE}, tenant t2: nothing.`);
  });
});

describe("a row says where its object is", () => {
  const eu = { urn: "urn:pulumi:prod::shop::pulumi:providers:agent-platform::eu", id: "p-1", custom: true };
  const platform = (inputs: Record<string, string>) => ({ ...eu, type: "pulumi:providers:agent-platform", inputs });
  const deployment = {
    ...resource({ kind: "Deployment", id: UUID, outputs: { name: "desk" } }),
    urn: `urn:pulumi:prod::shop::${nativeToken("Deployment")}::support`,
    provider: `${eu.urn}::${eu.id}`,
  };
  const rollout = {
    ...deployment,
    type: nativeToken("Rollout"),
    outputs: { deploymentId: UUID, url: "https://agents.example/1" },
  };
  const rowOf = (state: object[], platforms?: Asked) => report(exported(state), platforms).objects[0];

  test("its name in the program, the region of its Platform, and the address of the agent", () => {
    const region = platform({ region: "eu", baseUrl: HERE });
    const row = rowOf([region, deployment, rollout], asked([]));
    expect(row).toMatchObject({ resource: "support", name: "desk", region: "eu", url: "https://agents.example/1" });
  });

  test.each<[why: string, state: object[], region: string | null, platforms: Asked | undefined]>([
    ["one without region", [platform({ baseUrl: "https://b.example" }), deployment], "https://b.example", undefined],
    [
      "a Platform of dynamic resources",
      [platform({ "agent-platform:baseUrl": "https://b.example" }), deployment],
      "https://b.example",
      undefined,
    ],
    ["the stack's configuration", [deployment], HERE, asked([])],
    ["one that nothing names", [deployment], null, undefined],
  ])("the address of the platform, of %s", (_why, state, region, platforms) => {
    expect(rowOf(state, platforms)).toMatchObject({ region, url: null });
  });
});

describe("what agents keep", () => {
  const kept = (id: string, deploymentId = UUID, more: object = {}) => {
    const outputs = { name: `of ${id}`, deploymentId, url: "https://agents.example/1", ...more };
    return { ...resource({ id, outputs }), type: nativeToken("Assistant") };
  };
  const elsewhere = { origin: originOf("https://b.example", undefined) };
  const state = [kept("there"), kept("gone"), kept("elsewhere", OTHER_UUID, elsewhere)];

  async function found(observed: (id: string) => Promise<ReadObject | undefined>, held: object[] = state) {
    const looked: string[] = [];
    const objects = objectsIn("s", stateIn(exported(held)));
    const find = (key: Key) => {
      looked.push("id" in key ? key.id : "");
      return observed("id" in key ? key.id : "");
    };
    const reader = () =>
      Object.assign(readerOf(openClient([() => undefined, CONNECTED])).reader("Assistant"), { find });
    const platform = { ...asked([]), reader };
    const states = await withAgents({ objects, failed: [], listed: ["s"] }, [platform], 2);
    return { looked, rows: inventoryOf(states, [platform]).objects };
  }
  const one: ReadObject = { id: "", inputs: {}, outputs: {}, details: {} };

  test("is listed with its agent's address, and asked for there", async () => {
    const { looked, rows } = await found((id) => Promise.resolve(id.endsWith("/there") ? one : undefined));
    expect(looked).toEqual([`${UUID}/there`, `${UUID}/gone`]);
    expect(rows.map(({ id, problem }) => [id, problem])).toEqual([
      ["elsewhere", "its agent was not asked"],
      ["gone", "is not on its agent"],
      ["there", null],
    ]);
    expect(rows[0]).toMatchObject({ kind: "Assistant", name: "of elsewhere", url: "https://agents.example/1" });
  });

  test("of an agent that gives no answer, all rows say so; it is asked once", async () => {
    const { looked, rows } = await found(() => Promise.reject(new Error("no answer")));
    expect(looked).toEqual([`${UUID}/there`]);
    const said = "its agent could not be asked: no answer";
    expect(rows.map(({ problem }) => problem)).toEqual(["its agent was not asked", said, said]);
  });

  test("with a key of its own is not asked for with the connection's", async () => {
    const secret = { "4dabf18193072939515e22adb298388d": "1b47061264138c4ac30d75fd1eb44270", ciphertext: "canary" };
    const own = { ...kept("guarded"), inputs: { apiKey: secret } };
    const { looked, rows } = await found(() => Promise.resolve(one), [own, kept("there")]);
    expect(looked).toEqual([`${UUID}/there`]);
    expect(rows.map(({ problem }) => problem)).toEqual(["its agent was not asked: it takes a key of its own", null]);
  });
});

test("where no platform is asked, nothing is said about orphans", () => {
  const inventory = report(exported([resource()]), undefined);
  expect(inventory).toMatchObject({ platforms: [], orphans: null, objects: [{ id: "github", here: null }] });
});

test("a secret name is not shown, and neither is any other property", () => {
  const secret = { "4dabf18193072939515e22adb298388d": "1b47061264138c4ac30d75fd1eb44270", ciphertext: "canary" };
  const state = exported([resource({ outputs: { providerId: secret, clientSecret: "canary", authUrl: "canary" } })]);
  const inventory = report(state, asked([live()]));
  expect(inventory.objects).toMatchObject([{ name: null, id: "github" }]);
  expect(JSON.stringify(inventory)).not.toContain("canary");
});

test("a stack without resources has no state yet; what is no state is refused without being repeated", () => {
  expect(objectsIn("shop/new", stateIn(JSON.stringify({ version: 3, deployment: null })))).toEqual([]);
  expect(objectsIn("shop/new", stateIn(JSON.stringify({ version: 3, deployment: {} })))).toEqual([]);
  for (const text of ["canary", '{"deployment": {"resources": [{"canary": 1}]}}'])
    expect(() => stateIn(text)).toThrow("the state is not in a form that this command can read");
});

describe("formats", () => {
  const elsewhere = resource({ id: "gitlab", outputs: { origin: originOf("https://b.example", undefined) } });
  const read = resource({ id: "bitbucket", external: true, outputs: { origin: undefined } });
  const inventory = inventoryOf(
    {
      objects: objectsIn("shop/prod", stateIn(exported([resource(), elsewhere, read]))),
      failed: [{ stack: "shop/dev", reason: "it is locked" }],
      listed: ["shop/prod", "shop/dev"],
    },
    [
      asked([live(), live({}, "OAuthProvider", "bitbucket"), live({}, "SandboxTemplate", "old\u001b[2J")], {
        tenantId: "t1",
      }),
    ],
  );

  test("table: what the stacks have, what none has, and which state is not known", () => {
    expect(INVENTORY_FORMATS.text(inventory)).toBe(`2 stacks with 3 OAuth providers.

Stack shop/prod:

  KIND           NAME       RESOURCE   ID
  OAuthProvider  bitbucket  bitbucket      only read

Stack shop/prod at https://a.example:

  KIND           NAME    RESOURCE  ID
  OAuthProvider  github  github

Stack shop/prod, on another platform or tenant:

  KIND           NAME    RESOURCE  ID
  OAuthProvider  gitlab  gitlab

In no stack that could be read, at ${HERE}, tenant t1: 2.

  KIND             NAME          ID
  OAuthProvider    bitbucket         read by shop/prod
  SandboxTemplate  old\\u001b[2J

To take one over, declare it with \`adopt: true\`
(\`pulumi-agent-platform generate --orphans\` writes such a program). Otherwise
delete it by hand.

Stack shop/dev could not be read: it is locked
`);
  });

  test("table: however many kinds there are, and however long a place is, a line has 80 columns", () => {
    const at = `https://${"platform.".repeat(5)}example.com`;
    const tenantId = OTHER_UUID;
    const [kept] = inventory.objects;
    const objects = SPECS.flatMap(({ kind }) => (kept ? [{ ...kept, kind, region: at, here: false }] : []));
    const [left] = inventory.orphans ?? [];
    const withOne = left ? [{ ...left, baseUrl: at, tenantId }] : [];
    const platforms = [at, "https://b.example"].map((baseUrl) => ({ baseUrl, tenantId }));
    const lines = INVENTORY_FORMATS.text({ ...inventory, objects, orphans: withOne, platforms }).split("\n");
    expect(lines.filter((line) => line.length > 80)).toEqual([]);
  });

  test("table: of kinds that the platform does not list, it says so", () => {
    const documented = {
      ...inventory,
      objects: [],
      orphans: [],
      failed: [],
      stacks: 1,
      unlisted: ["listeners: no list"],
    };
    expect(INVENTORY_FORMATS.text(documented)).toBe(
      `1 stack without an object of the platform.\n\nIn no stack, at ${HERE}, tenant t1: nothing.\n\nNot known for listeners: no list.\n`,
    );
  });
});
