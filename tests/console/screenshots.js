// `npm run console:screenshots`: the console in both themes, for the docs, while a revision is being built. With `-- <folder> [deployments]`: every page,
// as a desk and as a phone show it.
const { once } = require("node:events");
const { createServer } = require("node:http");
const { join } = require("node:path");
const { setTimeout: pause } = require("node:timers/promises");
const { openBrowser } = require("../../dist/tools/browser/open");
const { startEmulator } = require("../../dist/emulator");

const DOCS = join(__dirname, "..", "..", "docs");
const BUILD_SECONDS = 3;
const THEMES = ["light", "dark"];
const IMAGES = ["support-desk:2.0.9", "release-notes:1.4.0", "invoices:emulator-fail-build"];

async function main([folder, count = "18"]) {
  const agent = createServer((request, response) => response.end(JSON.stringify(LISTS[request.url] ?? {})));
  await once(agent.listen(0, "127.0.0.1"), "listening");
  const agents = { "support-desk": `http://127.0.0.1:${agent.address().port}` };
  const emulator = await startEmulator({ console: true, buildSeconds: BUILD_SECONDS, agents });
  const browser = await openBrowser();
  try {
    const made = await furnish(emulator);
    if (folder === undefined) await forDocs(browser, emulator, made[0]);
    else await ofAll(browser, emulator, { made, folder, count: Number(count) });
  } finally {
    await browser.close();
    await emulator.close();
    agent.close();
  }
}

async function forDocs(browser, emulator, desk) {
  for (const colorScheme of THEMES) {
    await roll(emulator, desk);
    const page = await open(browser, emulator, { colorScheme, viewport: { width: 1200, height: 620 } });
    await page.getByText(": BUILDING").waitFor();
    await pause(BUILD_SECONDS * 250);
    await page.screenshot({ path: join(DOCS, `console-${colorScheme}.png`) });
    await pause(BUILD_SECONDS * 1_000);
  }
}

/** Each page, in both themes and widths. */
async function ofAll(browser, emulator, { made, folder, count }) {
  const [desk, notes, invoices] = made;
  const shoot = async (name, path) => {
    for (const colorScheme of THEMES)
      for (const width of [1280, 390]) {
        const page = await open(browser, emulator, { colorScheme, viewport: { width, height: 800 } });
        await page.goto(emulator.url + path);
        await page.locator('[data-connection="live"], main.bare').first().waitFor();
        await page.screenshot({ path: join(folder, `${name}-${width}-${colorScheme}.png`), fullPage: true });
        await page.context().close();
      }
  };
  await open(browser, emulator, {});
  await roll(emulator, desk);
  for (let at = 4; at <= count; at += 1) await deploy(emulator, `agent-${String(at).padStart(3, "0")}:1.${at}.0`);
  await pause(BUILD_SECONDS * 1_100);
  await shoot("fleet", "/console");
  const stop = emulator.faults.add({ kind: "status", status: 503, path: "/v2/listeners", method: "GET" });
  await fetch(`${emulator.url}/v2/listeners`);
  await shoot("requests", "/console/requests");
  await shoot("break", "/console/break");
  stop.remove();
  await shoot("request", "/console/requests/9");
  for (const [name, id] of Object.entries({ desk, notes, invoices })) await shoot(name, `/console/deployments/${id}`);
  await shoot("none", "/console/nothing");
  const stored = emulator.store.snapshot();
  for (const type of ["oauth_providers", "sandbox_templates", "sandbox_snapshots", "sandbox_registries", "listeners"])
    await shoot(type, `/console/${type}/${stored[type][0].id}`);
  emulator.reset();
  await shoot("empty", "/console");
}

async function open(browser, emulator, look) {
  const page = await (await browser.newContext(look)).newPage();
  await page.goto(emulator.consoleUrl());
  return page;
}

/** An environment with objects of all types, and revisions that ended well, and one that did not. Gives the ids of its deployments. */
async function furnish(emulator) {
  for (const [id, name] of [
    ["github", "GitHub"],
    ["google", "Google"],
  ]) {
    await send(emulator, "POST", "/v2/auth/providers", {
      provider_id: id,
      name,
      client_id: "client",
      client_secret: "secret",
      auth_url: `https://${id}.example/authorize`,
      token_url: `https://${id}.example/token`,
    });
  }
  const rules = [
    { name: "models", match_hosts: ["*.models.example"], inject_headers: { authorization: "Bearer ${KEY}" } },
  ];
  for (const [path, body] of [
    ["sandboxes/templates", { name: "python", image: "python:3.13", resources: {}, proxy_config: { rules } }],
    [
      "sandboxes/snapshots",
      { name: "notebook", docker_image: "registry.example.com/notebook:7", fs_capacity_bytes: 2 ** 30 },
    ],
    [
      "sandboxes/registries",
      { name: "images", url: "registry.example.com", username: "puller", password: "password-1" },
    ],
    ["listeners", { compute_type: "k8s", compute_id: "cluster-1", compute_config: { k8s_namespaces: ["agents"] } }],
  ])
    await send(emulator, "POST", `/v2/${path}`, body);
  const made = await Promise.all(IMAGES.map((image) => deploy(emulator, image)));
  await pause(BUILD_SECONDS * 1_100);
  return made.map(({ id }) => id);
}

const deploy = (emulator, image) =>
  send(emulator, "POST", "/v2/deployments", {
    name: image.split(":")[0],
    source: "external_docker",
    source_config: { resource_spec: {} },
    source_revision_config: { image_uri: `registry.example.com/agents/${image}` },
    secrets: [{ name: "MODEL_API_KEY", value: "sk-of-the-picture" }],
  });

/** What the agent of one's own lists. */
const LISTS = {
  "/assistants/search": [
    { assistant_id: "1f0c4bc5-7f1f-6b8e-9e5e-0242ac120002", graph_id: "desk", name: "Night shift" },
    { assistant_id: "fe096781-5601-53d2-b2f6-0d3403f7e9ca", graph_id: "desk", name: "desk" },
  ],
  "/runs/crons/search": [
    {
      cron_id: "1f0c4bc6-2a52-6a0c-8a4e-0242ac120002",
      assistant_id: "1f0c4bc5-7f1f-6b8e-9e5e-0242ac120002",
      schedule: "0 9 * * 1-5",
      timezone: "Europe/Berlin",
      next_run_date: "2026-11-30T08:00:00Z",
      enabled: false,
    },
  ],
};

const roll = (emulator, id) =>
  send(emulator, "PATCH", `/v2/deployments/${id}`, {
    source_revision_config: { image_uri: "registry.example.com/agents/support-desk:2.1.0" },
  });

async function send(emulator, method, path, body) {
  const headers = {
    "x-api-key": emulator.apiKey,
    "content-type": "application/json",
    "user-agent": "pulumi-agent-platform/0.2.0",
  };
  const answer = await fetch(emulator.url + path, { method, headers, body: JSON.stringify(body) });
  if (!answer.ok) throw new Error(`${method} ${path} answered ${answer.status}: ${await answer.text()}`);
  return answer.json();
}

main(process.argv.slice(2)).catch((error) => {
  console.error(error.message);
  process.exitCode = 1;
});
