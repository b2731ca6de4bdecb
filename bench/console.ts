import { cpSync } from "node:fs";
import { join } from "node:path";
import { setTimeout as pause } from "node:timers/promises";
import type { Page } from "playwright-core";
import { startEmulator, type Emulator } from "../emulator";
import { openBrowser } from "../tools/browser/open";
import { findCheckout } from "../tools/engine/layout";
import { atMost, inTurns, median, ROUNDS, Side, type Measured, type Row } from "./row";

const REQUESTS = 1_000;
const DEPLOYMENTS = 1_000;
const [FIRST_PAINT_MS, SHOWN_MS] = [300, 500];

/** The console: what it costs while nobody looks, and how soon a page shows what there is and what happens. */
export async function consolePage(): Promise<Measured> {
  // The bench is compiled into a folder of its own, without the files of the pages.
  const assets = join("emulator", "console", "assets");
  cpSync(join(findCheckout(), assets), join(__dirname, "..", assets), { recursive: true });
  const [without, closed] = [false, true].map((isOn) => new Side(() => answered(isOn)));
  if (without === undefined || closed === undefined) throw new Error("a side is missing");
  await inTurns(without, closed);
  const [ours, baseline] = [closed.median((ms) => ms), without.median((ms) => ms)];
  const cost: Row = {
    name: `${REQUESTS.toLocaleString("en")} requests to the emulator, processor time: with its page closed, against without the console`,
    ours: `${ours.toFixed(0)} ms`,
    baseline: `${baseline.toFixed(0)} ms`,
    ...atMost(1.1, ours / baseline),
  };
  return { rows: [cost, ...(await inBrowser())] };
}

async function answered(isOn: boolean): Promise<number> {
  const emulator = await startEmulator({ console: isOn, buildSeconds: 0 });
  try {
    await create(emulator, 100);
    // Processor time, since the time on the clock is also that of whatever else the machine does.
    const before = process.cpuUsage();
    for (let sent = 0; sent < REQUESTS; sent++) await send(emulator, "GET", "/v2/deployments?limit=20");
    const { user, system } = process.cpuUsage(before);
    return (user + system) / 1_000;
  } finally {
    await emulator.close();
  }
}

async function inBrowser(): Promise<Row[]> {
  const emulator = await startEmulator({ console: true, buildSeconds: 0 });
  const browser = await openBrowser();
  try {
    await create(emulator, DEPLOYMENTS);
    const page = await browser.newPage();
    await page.goto(emulator.consoleUrl());
    const [paints, changes]: [number[], number[]] = [[], []];
    for (let round = 0; round < ROUNDS; round++) {
      await page.reload();
      paints.push(await firstPaint(page));
      await page.locator('[data-connection="live"]').waitFor();
      // Not always the same moment between two looks of the page.
      await pause(Math.random() * 300);
      changes.push(await shown(emulator, page, `provider-${round}`));
    }
    const what = `a page of ${DEPLOYMENTS.toLocaleString("en")} deployments`;
    return [
      timeRow(`${what}: first paint`, median(paints), FIRST_PAINT_MS),
      timeRow(`${what}: from a request to what it made on the page`, median(changes), SHOWN_MS),
    ];
  } finally {
    await browser.close();
    await emulator.close();
  }
}

const timeRow = (name: string, ms: number, most: number): Row => ({
  name: `${name}, against ${most} ms`,
  ours: `${ms.toFixed(0)} ms`,
  baseline: `${most} ms`,
  ...atMost(1, ms / most),
});

/** As text: it runs in the page. */
const FIRST_PAINT = `new Promise((resolve) =>
  new PerformanceObserver((paints) => {
    for (const { name, startTime } of paints.getEntries()) if (name === "first-contentful-paint") resolve(startTime);
  }).observe({ type: "paint", buffered: true }))`;
const firstPaint = async (page: Page): Promise<number> => Number(await page.evaluate(FIRST_PAINT));

/** Milliseconds from before the request until the page has the object. The page and this process have one clock. */
async function shown(emulator: Emulator, page: Page, id: string): Promise<number> {
  const row = `[data-object="${id}"]`;
  await page.evaluate(`new MutationObserver(() => {
    if (document.querySelector('${row}') !== null) window.shownAt ??= Date.now();
  }).observe(document.getElementById("content"), { subtree: true, childList: true })`);
  const sentAt = Date.now();
  const url = "https://accounts.example/authorize";
  const provider = {
    provider_id: id,
    name: id,
    client_id: "c",
    client_secret: "secret",
    auth_url: url,
    token_url: url,
  };
  await send(emulator, "POST", "/v2/auth/providers", provider);
  await page.locator(row).waitFor();
  return Number(await page.evaluate("window.shownAt")) - sentAt;
}

async function create(emulator: Emulator, count: number): Promise<void> {
  for (let made = 0; made < count; made++) {
    await send(emulator, "POST", "/v2/deployments", {
      name: `agent-${made}`,
      source: "external_docker",
      source_config: { resource_spec: {} },
      source_revision_config: { image_uri: "registry.example/agent:1" },
      secrets: [],
    });
  }
}

async function send({ url, apiKey }: Emulator, method: string, path: string, body?: object): Promise<void> {
  const answer = await fetch(url + path, {
    method,
    headers: { "x-api-key": apiKey, "content-type": "application/json" },
    ...(body === undefined ? {} : { body: JSON.stringify(body) }),
  });
  await answer.arrayBuffer();
  if (!answer.ok) throw new Error(`${method} ${path} answered ${answer.status}`);
}
