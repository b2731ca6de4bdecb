// `npm run console:screenshots`: the console in both themes, for the docs, while a revision is being built.
const { join } = require("node:path");
const { setTimeout: pause } = require("node:timers/promises");
const { openBrowser } = require("../../dist/tools/browser/open");
const { startEmulator } = require("../../dist/emulator");

const DOCS = join(__dirname, "..", "..", "docs");
const BUILD_SECONDS = 3;
const IMAGES = ["support-desk:2.0.9", "release-notes:1.4.0", "invoices:emulator-fail-build"];

async function main() {
  const emulator = await startEmulator({ console: true, buildSeconds: BUILD_SECONDS });
  const browser = await openBrowser();
  try {
    const desk = await furnish(emulator);
    for (const colorScheme of ["light", "dark"]) {
      await send(emulator, "PATCH", `/v2/deployments/${desk}`, {
        source_revision_config: { image_uri: "registry.example.com/agents/support-desk:2.1.0" },
      });
      const look = { colorScheme, viewport: { width: 1200, height: 620 } };
      const page = await (await browser.newContext(look)).newPage();
      await page.goto(emulator.consoleUrl());
      await page.getByText(": BUILDING").waitFor();
      await pause(BUILD_SECONDS * 250);
      await page.screenshot({ path: join(DOCS, `console-${colorScheme}.png`) });
      await pause(BUILD_SECONDS * 1_000);
    }
  } finally {
    await browser.close();
    await emulator.close();
  }
}

/** Objects for a first screen, with revisions that ended well, and one that did not. Gives the id of the first deployment. */
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
  await send(emulator, "POST", "/v2/sandboxes/templates", { name: "python", image: "python:3.13", resources: {} });
  const [desk] = await Promise.all(IMAGES.map((image) => deploy(emulator, image)));
  await pause(BUILD_SECONDS * 1_100);
  return desk.id;
}

const deploy = (emulator, image) =>
  send(emulator, "POST", "/v2/deployments", {
    name: image.split(":")[0],
    source: "external_docker",
    source_config: { resource_spec: {} },
    source_revision_config: { image_uri: `registry.example.com/agents/${image}` },
    secrets: [],
  });

async function send(emulator, method, path, body) {
  const headers = { "x-api-key": emulator.apiKey, "content-type": "application/json" };
  const answer = await fetch(emulator.url + path, { method, headers, body: JSON.stringify(body) });
  if (!answer.ok) throw new Error(`${method} ${path} answered ${answer.status}: ${await answer.text()}`);
  return answer.json();
}

main().catch((error) => {
  console.error(error.message);
  process.exitCode = 1;
});
