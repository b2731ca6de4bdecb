import { Readable } from "node:stream";
import { deployments, listeners, oauthProviders, sandboxTemplates } from "../../../emulator";
import { containing, deploymentBody, providerBody, templateBody, text } from "../api";
import { serving } from "../../support/serving";
import { reasonOf, visit, withoutEntities, type Page, type Visitor } from "./visitor";

let visitor: Visitor;
let ids: Readonly<Record<"deployments" | "oauth_providers" | "sandbox_templates" | "listeners", string>>;
beforeEach(async () => {
  visitor = await visit();
  const { platform } = visitor;
  const { emulator } = platform;
  const call: typeof platform.call = (...asked) => platform.call(...asked);
  await call("POST", "/v2/deployments", { body: deploymentBody });
  await call("POST", "/v2/auth/providers", { body: providerBody });
  await call("POST", "/v2/sandboxes/templates", { body: templateBody });
  await call("POST", "/v2/listeners", { body: { compute_type: "k8s", compute_id: "cluster", compute_config: {} } });
  const idOf = (all: readonly { readonly id: string }[]): string => all[0]?.id ?? "";
  ids = {
    deployments: idOf(emulator.outOfBand(deployments).list()),
    oauth_providers: idOf(emulator.outOfBand(oauthProviders).list()),
    sandbox_templates: idOf(emulator.outOfBand(sandboxTemplates).list()),
    listeners: idOf(emulator.outOfBand(listeners).list()),
  };
});

type Collection = keyof typeof ids;
const change = (collection: Collection, fields: unknown): Promise<Page> =>
  visitor.submit(`/console/objects/${collection}/${ids[collection]}/change`, { change: JSON.stringify(fields) });
const pathOf = (collection: Collection): string =>
  ({
    deployments: `/v2/deployments/${ids.deployments}`,
    oauth_providers: "/v2/auth/providers/tracker",
    sandbox_templates: "/v2/sandboxes/templates/python",
    listeners: `/v2/listeners/${ids.listeners}`,
  })[collection];

/** What is changed, and what the API answers then. */
test.each<[collection: Collection, fields: object, answered: object]>([
  [
    "deployments",
    { source_revision_config: { image_uri: "a:by-hand" } },
    { source_revision_config: { image_uri: "a:by-hand" } },
  ],
  [
    "deployments",
    { source_config: { resource_spec: { max_scale: 3 } } },
    { source_config: { resource_spec: { cpu: 2, max_scale: 3 } } },
  ],
  ["deployments", { display_name: "By hand" }, { display_name: "By hand" }],
  ["oauth_providers", { name: "By hand", uses_pkce: true }, { name: "By hand", uses_pkce: true }],
  ["sandbox_templates", { image: "by-hand:1" }, { image: "by-hand:1" }],
  [
    "sandbox_templates",
    { resources: { cpu: "2" } },
    { resources: { cpu: "2", memory: "512Mi", storage: "1Gi" }, image: templateBody.image },
  ],
  [
    "listeners",
    { compute_config: { k8s_namespaces: ["one", "two"] } },
    { compute_config: { k8s_namespaces: ["one", "two"] } },
  ],
])("a change of one of the %s reaches the API: %j", async (collection, fields, answered) => {
  const { status, headers } = await change(collection, fields);
  expect([status, headers.get("location")]).toEqual([303, `/console/${collection}/${ids[collection]}?done=changed`]);
  expect((await visitor.platform.call("GET", pathOf(collection))).body).toMatchObject(answered);
});

test("a new image is rolled out, as if another client had sent it; the secrets stay", async () => {
  visitor.platform.advance(100);
  await change("deployments", { source_revision_config: { image_uri: "registry.example/triage:2" } });
  expect(await visitor.view(`/deployments/${ids.deployments}`)).toMatchObject({
    revisions: [
      { number: 2, status: "CREATING" },
      { number: 1, status: "DEPLOYED" },
    ],
  });
  expect(visitor.platform.emulator.outOfBand(deployments).get("triage").secrets).toEqual(deploymentBody.secrets);
});

test.each<[Collection, unknown, string]>([
  [
    "deployments",
    { source_config: { resource_spec: { cpu: 99 } } },
    "source_config.resource_spec.cpu: Input should be less than or equal to 8",
  ],
  [
    "deployments",
    { source_config: { resource_spec: { cpu: "many" } } },
    "source_config.resource_spec.cpu: Input should be a valid number",
  ],
  ["deployments", { source_revision_config: 1 }, "source_revision_config: Input should be a valid dictionary"],
  ["sandbox_templates", { resources: { memory: "lots" } }, "resources.memory is not a quantity"],
  ["sandbox_templates", { image: "" }, "image: String should have at least 1 characters"],
  ["listeners", {}, "Nothing was changed"],
  ["listeners", [1], "Nothing was changed"],
  ["oauth_providers", { auth_url: "https://[secret]@tracker.example" }, "stands for a secret"],
])(
  "a change of one of the %s that is refused: the reason, what was typed, nothing changed: %j",
  async (collection, fields, reason) => {
    const before = JSON.stringify(visitor.platform.emulator.store.snapshot());
    const page = await change(collection, fields);
    expect([page.status, reasonOf(page)]).toEqual([422, containing(reason)]);
    expect(withoutEntities(page.text)).toContain(`${JSON.stringify(fields)}</textarea>`);
    expect(JSON.stringify(visitor.platform.emulator.store.snapshot())).toBe(before);
  },
);

test.each<Collection>(["oauth_providers", "sandbox_templates", "listeners", "deployments"])(
  "one of the %s that is deleted is gone for the API",
  async (collection) => {
    const place = `${collection}/${ids[collection]}`;
    expect((await visitor.submit(`/console/objects/${place}/delete`, {}, `/console/${place}`)).status).toBe(303);
    visitor.platform.advance(100);
    expect((await visitor.platform.call("GET", pathOf(collection))).status).toBe(404);
  },
);

test("a template in use is not deleted: the page has the platform's words", async () => {
  visitor.platform.emulator.outOfBand(sandboxTemplates).change("python", { in_use: true });
  const place = `sandbox_templates/${ids.sandbox_templates}`;
  const page = await visitor.submit(`/console/objects/${place}/delete`, {}, `/console/${place}`);
  expect([page.status, page.text.includes("SandboxTemplate python is in use")]).toEqual([422, true]);
});

test("an object that is gone meanwhile answers 404", async () => {
  expect((await visitor.submit("/console/objects/deployments/none/change", { name: "x" })).status).toBe(404);
  expect((await visitor.submit("/console/objects/uploads/none/delete", {})).status).toBe(404);
});

test("under the documented contract the same can be changed and deleted: the page is no client", async () => {
  const documented = await visit({ contract: "documented" });
  const { platform } = documented;
  const { emulator } = platform;
  await platform.call("POST", "/v2/auth/providers", { body: providerBody });
  const place = `oauth_providers/${emulator.outOfBand(oauthProviders).list()[0]?.id ?? ""}`;
  expect((await documented.submit(`/console/objects/${place}/delete`, {})).status).toBe(303);
  expect(emulator.outOfBand(oauthProviders).list()).toEqual([]);
});

describe("asking the agent", () => {
  const ask = (question: string, graph = "agent"): Promise<Page> =>
    visitor.submit(`/console/deployments/${ids.deployments}/ask`, { question, graph });
  const linesOf = ({ text: lines }: Page): string[] => lines.trim().split("\n");

  test("its answer comes as tokens by node, then the updates, then the end", async () => {
    visitor.platform.advance(100);
    const lines = linesOf(await ask("Ada"));
    const said = lines.flatMap((line) => /"node":"chat","text":"([^"]*)"/.exec(line)?.[1] ?? []);
    expect(said.join("")).toBe("Hi Ada");
    // One a letter, but for what could have become a secret.
    expect(said.length).toBeGreaterThan(3);
    for (const node of ["chat", "side", "sub", "last"]) expect(lines).toContain(`{"type":"node","node":"${node}"}`);
    expect(lines.at(-1)).toBe('{"type":"done"}');
  });

  test("a run that fails says why", async () => {
    visitor.platform.advance(100);
    expect(linesOf(await ask("Ada", "boom"))).toEqual(['{"type":"failed","message":"TypeError: boom"}']);
  });

  test("an agent that does not answer yet says so", async () => {
    expect(text(JSON.parse(linesOf(await ask("Ada"))[0] ?? ""), "message")).toContain("does not accept requests yet");
  });

  test("an answer without an end is cut", async () => {
    const flood = await visit({
      graphs: {
        flood: {
          channels: { topic: "last" },
          steps: [{ talk: { actions: [{ type: "flood", tokens: Infinity, size: 100 }] } }],
        },
      },
    });
    const body = (await flood.platform.call("POST", "/v2/deployments", { body: deploymentBody })).body;
    flood.platform.advance(100);
    const page = await flood.submit(`/console/deployments/${text(body, "id")}/ask`, { question: "x", graph: "flood" });
    expect(page.text.length).toBeLessThan(300_000);
    expect(linesOf(page).slice(-2)).toEqual(['{"type":"cut"}', '{"type":"done"}']);
  });

  test.each<[what: string, piece: string, times: number, isOpen?: boolean]>([
    ["nodes", 'event: updates\ndata: {"loop":{}}\n\n', 50_000],
    ["nodes, and then nothing", 'event: updates\ndata: {"loop":{}}\n\n', 13_200, true],
    ["nodes without a name", 'event: updates\ndata: {"":{}}\n\n', 100_000],
    ["one event", "x".repeat(2 ** 20), 20],
  ])("so is that of an own agent, if it is %s", async (_what, piece, times, isOpen = false) => {
    const url = await serving((_asked, response) => {
      response.writeHead(200, { "content-type": "text/event-stream" });
      Readable.from(Array<string>(times).fill(piece)).pipe(response, { end: !isOpen });
    });
    const own = await visit({ agents: { [deploymentBody.name]: url } });
    const body = (await own.platform.call("POST", "/v2/deployments", { body: deploymentBody })).body;
    own.platform.advance(100);
    const page = await own.submit(`/console/deployments/${text(body, "id")}/ask`, { question: "x", graph: "agent" });
    expect(linesOf(page).slice(-2)).toEqual(['{"type":"cut"}', '{"type":"done"}']);
    await own.platform.emulator.close();
  });
});
