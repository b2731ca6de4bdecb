import { Readable } from "node:stream";
import { json } from "node:stream/consumers";
import { deployments, listeners, oauthProviders, sandboxTemplates } from "../../../emulator";
import { workspaceSecrets } from "../../../emulator/routes/workspace-secrets";
import { startAgentServer, type AgentServer } from "../../support/agent-server";
import { containing, deploymentBody, providerBody, templateBody, text } from "../api";
import { serving } from "../../support/serving";
import { reasonOf, visit, withoutEntities, type Page, type Visitor } from "./visitor";

const SECRETS = "/v1/workspaces/current/secrets";
let visitor: Visitor;
let ids: Readonly<
  Record<"deployments" | "oauth_providers" | "sandbox_templates" | "listeners" | "workspace_secrets", string>
>;
beforeEach(async () => {
  visitor = await visit();
  const { platform } = visitor;
  const { emulator } = platform;
  const call: typeof platform.call = (...asked) => platform.call(...asked);
  await call("POST", "/v2/deployments", { body: deploymentBody });
  await call("POST", "/v2/auth/providers", { body: providerBody });
  await call("POST", "/v2/sandboxes/templates", { body: templateBody });
  await call("POST", "/v2/listeners", { body: { compute_type: "k8s", compute_id: "cluster", compute_config: {} } });
  await call("PUT", `${SECRETS}/MODEL_KEY`, { body: { value: "first" } });
  const idOf = (all: readonly { readonly id: string }[]): string => all[0]?.id ?? "";
  ids = {
    deployments: idOf(emulator.outOfBand(deployments).list()),
    oauth_providers: idOf(emulator.outOfBand(oauthProviders).list()),
    sandbox_templates: idOf(emulator.outOfBand(sandboxTemplates).list()),
    listeners: idOf(emulator.outOfBand(listeners).list()),
    workspace_secrets: idOf(emulator.outOfBand(workspaceSecrets).list()),
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
    workspace_secrets: `${SECRETS}?include_configs=true`,
  })[collection];

/** What is changed; and what the API answers then, where that is not the same. */
test.each<[collection: Collection, fields: object, answered?: object]>([
  ["deployments", { source_revision_config: { image_uri: "a:by-hand" } }],
  ["deployments", { source_config: { resource_spec: { max_scale: 3 } } }],
  ["deployments", { display_name: "By hand" }],
  ["oauth_providers", { name: "By hand", uses_pkce: true }],
  ["listeners", { compute_config: { k8s_namespaces: ["one", "two"] } }],
  [
    "workspace_secrets",
    { configs: [{ host_pattern: "models.example" }] },
    [{ key: "MODEL_KEY", configs: [{ host_pattern: "models.example" }] }],
  ],
])("a change of one of the %s reaches the API: %j", async (collection, fields, answered = fields) => {
  const { status, headers } = await change(collection, fields);
  expect([status, headers.get("location")]).toEqual([303, `/console/${collection}/${ids[collection]}?done=changed`]);
  expect((await visitor.platform.call("GET", pathOf(collection))).body).toMatchObject(answered);
});

test("a new image is rolled out, as if another client had sent it; the secrets stay", async () => {
  visitor.platform.advance(100);
  await change("deployments", { source_revision_config: { image_uri: "registry.example/triage:2" } });
  expect(await visitor.revisions(ids.deployments)).toEqual(["Revision 2 CREATING", "Revision 1 DEPLOYED"]);
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
  ["sandbox_templates", { image: "by-hand:1" }, "image: This field cannot be changed after creation"],
  ["deployments", { display_name: null }, "Nothing was changed: it is so already"],
  ["oauth_providers", { clientId: "by-hand" }, "Nothing was changed: it is so already"],
  ["workspace_secrets", { configs: [{ host_pattern: "*" }] }, "configs.0.host_pattern: "],
  ["listeners", {}, "Nothing was changed"],
  ["listeners", [1], "Nothing was changed"],
  ["oauth_providers", { auth_url: "https://[secret]@tracker.example" }, "stands for a secret"],
])(
  "a change of one of the %s that is refused: the reason, what was typed, nothing changed: %j",
  async (collection, fields, reason) => {
    const withoutTouch = (name: string, value: unknown): unknown => (name === "updated_at" ? undefined : value);
    const before = JSON.stringify(visitor.platform.emulator.store.snapshot(), withoutTouch);
    const page = await change(collection, fields);
    expect([page.status, reasonOf(page)]).toEqual([422, containing(reason)]);
    expect(withoutEntities(page.text)).toContain(`${JSON.stringify(fields)}</textarea>`);
    expect(JSON.stringify(visitor.platform.emulator.store.snapshot(), withoutTouch)).toBe(before);
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
  const ask = async (question: string, graph = "agent", of = visitor, id = ids.deployments): Promise<string> => {
    const { text: page } = await of.submit(`/console/deployments/${id}/ask`, { question, graph });
    return withoutEntities(/<pre id="answer"[^>]*>([^<]*)/.exec(page)?.[1] ?? "");
  };
  const deployed = async (of: Visitor): Promise<string> => {
    const { body } = await of.platform.call("POST", "/v2/deployments", { body: deploymentBody });
    of.platform.advance(100);
    return text(body, "id");
  };

  test("its page shows the answer, below the question; its address with another method leads there", async () => {
    visitor.platform.advance(100);
    expect(await ask("Ada")).toBe("Hi Ada");
    const page = `/console/deployments/${ids.deployments}`;
    const { text: shown } = await visitor.submit(`${page}/ask`, { question: "Ada", graph: "agent" });
    expect(shown).toMatch(/name="question"[^>]*>Ada</);
    const { status, headers } = await visitor.get(`${page}/ask`);
    expect([status, headers.get("location")]).toEqual([303, page]);
  });

  test("the question goes as a topic and as a message, and an agent that repeats the message has not said it", async () => {
    const sent: unknown[] = [];
    const url = await serving((asked, response) => {
      void json(asked).then((body) => {
        sent.push(body);
        response.end(JSON.stringify({ messages: [{ type: "human", content: "Ada" }], summary: "3" }));
      });
    });
    const own = await visit({ agents: { [deploymentBody.name]: url } });
    expect(await ask("Ada", "desk", own, await deployed(own))).toContain('"summary": "3"');
    const input = { topic: "Ada", messages: [{ role: "user", content: "Ada" }] };
    expect(sent).toContainEqual({ assistant_id: "desk", input });
  });

  test("a run that fails says why", async () => {
    visitor.platform.advance(100);
    expect(await ask("Ada", "boom")).toBe("TypeError: boom");
  });

  test.each<[why: string, outcome: "DEPLOYED" | "BUILD_FAILED", seconds: number, reason: string]>([
    ["has not come so far", "DEPLOYED", 30, "No revision serves yet: BUILDING"],
    ["has failed for good: no yet", "BUILD_FAILED", 100, "No revision serves: BUILD_FAILED"],
  ])("an agent whose revision %s cannot be asked, and the page says why", async (_why, outcome, seconds, reason) => {
    const own = await visit();
    own.platform.emulator.nextRevision(outcome);
    const { body } = await own.platform.call("POST", "/v2/deployments", { body: deploymentBody });
    own.platform.advance(seconds);
    const page = await own.get(`/console/deployments/${text(body, "id")}`);
    expect(page.text).toMatch(
      new RegExp(`Ask its agent<span class="faint"> ${reason}<.*<fieldset[^>]* disabled=""`, "s"),
    );
    expect(page.text).not.toContain('id="Assistants"');
    expect(await ask("Ada", "agent", own, text(body, "id"))).toBe(reason);
  });

  test("it can be asked as soon as a revision serves, for one of the graphs that it has", async () => {
    const own = await visit({ graphs: { desk: { channels: {}, steps: [] } } });
    const { text: page } = await own.get(`/console/deployments/${await deployed(own)}`);
    expect(page).toContain('<fieldset class="fields">');
    expect([...page.matchAll(/<option value="(\w+)"/g)].map(([, graph]) => graph)).toEqual(["agent", "boom", "desk"]);
  });

  test("the thread of a cron that was due is on the page of its agent", async () => {
    const own = await visit();
    const id = await deployed(own);
    const cron = { assistant_id: "agent", schedule: "@hourly", input: { topic: "x" }, on_run_completed: "keep" };
    await own.platform.call("POST", `/agents/${id}/runs/crons`, { body: cron });
    const page = async () => (await own.get(`/console/deployments/${id}`)).text;
    expect(await page()).not.toContain(">Threads<");
    own.platform.advance(3600);
    expect(await page()).toContain(">Threads<");
  });

  describe("an agent of one's own", () => {
    let server: AgentServer;
    beforeAll(async () => {
      server = await startAgentServer({ graphs: ["desk", "triage"] });
    });
    afterAll(() => server.close());

    test("has its graphs, its assistants and its crons on the page", async () => {
      const own = await visit({ agents: { [deploymentBody.name]: server.url } });
      const id = await deployed(own);
      const agent = `/agents/${id}`;
      const assistant = { graph_id: "triage", name: "Night shift", context: { tone: "canary-tone" } };
      const made = text(
        (await own.platform.call("POST", `${agent}/assistants`, { body: assistant })).body,
        "assistant_id",
      );
      const cron = { assistant_id: made, schedule: "0 9 * * 1-5", timezone: "Europe/Berlin", enabled: false };
      const kept = text((await own.platform.call("POST", `${agent}/runs/crons`, { body: cron })).body, "cron_id");
      const { text: page } = await own.get(`/console/deployments/${id}`);
      // Each cell has the head of its column, for a screen on which rows are lines.
      const rows = [...page.matchAll(/<tr>(<td.*?)<\/tr>/g)].map(([, cells = ""]) =>
        [...cells.matchAll(/<td data-head="(\w+)"><bdi>([^<]*)/g)].map(([, head, cell]) => `${head}: ${cell}`),
      );
      expect(rows).toContainEqual(["name: Night shift", "graphId: triage", `assistant_id: ${made}`]);
      expect(rows).toContainEqual([
        "schedule: 0 9 * * 1-5",
        "timezone: Europe/Berlin",
        "enabled: false",
        `assistantId: ${made}`,
        expect.stringContaining("next_run_date: "),
        `cron_id: ${kept}`,
      ]);
      expect([...page.matchAll(/<option value="(\w+)"/g)].map(([, graph]) => graph)).toEqual([
        ...["agent", "boom", "desk", "triage"],
      ]);
      expect(page).not.toContain("canary");
    });

    test("is not asked when its page, which is open, looks for what has changed", async () => {
      let asked = 0;
      const url = await serving((_asked, response) => {
        asked += 1;
        response.end("[]");
      });
      const own = await visit({ agents: { [deploymentBody.name]: url } });
      const page = `/console/deployments/${await deployed(own)}`;
      const [, from = ""] = /data-from="([^"]+)"/.exec((await own.get(page)).text) ?? [];
      const before = asked;
      const { text: part } = await own.get(withoutEntities(from));
      expect([asked - before, part.includes("Revision 1"), part.includes("<h1>")]).toEqual([0, true, false]);
    });

    test("that does not list them is asked for a graph that is typed", async () => {
      const url = await serving((_asked, response) => void response.writeHead(404).end());
      const own = await visit({ agents: { [deploymentBody.name]: url } });
      const { text: page } = await own.get(`/console/deployments/${await deployed(own)}`);
      expect(page).toMatch(/<input id="ask-graph" type="text" name="graph" value="agent"/);
    });
  });

  test.each<[what: string, piece: string, times: number, answer: string]>([
    ["without an end", "x".repeat(2 ** 20), 20, "The agent did not answer in 120 s, or not briefly enough."],
    ["that is no JSON", "Hello", 1, "Hello"],
    ["with colours of a terminal", "\x1b[36mHe\x1b[0mllo", 1, "Hello"],
    ["without messages", '{"topic":"x"}', 1, '{\n  "topic": "x"\n}'],
  ])("an own agent may give an answer %s", async (_what, piece, times, answer) => {
    const url = await serving((_asked, response) => {
      response.writeHead(200, { "content-type": "application/json" });
      Readable.from(Array<string>(times).fill(piece)).pipe(response);
    });
    const own = await visit({ agents: { [deploymentBody.name]: url } });
    expect(await ask("x", "agent", own, await deployed(own))).toBe(answer);
    await own.platform.emulator.close();
  });
});
