import { describeWithBrowser } from "../support/with-browser";
import { onConsole } from "./on-console";
import { deploymentOf, providerOf } from "../support/ask";

// `npm run bench -- console` measures the times; these bounds hold on a machine that is busy with other tests, too.
const FIRST_PAINT_MS = 1_500;
const EVENT_MS = 1_000;

/** When the page was painted first, in milliseconds since it was asked for. */
const FIRST_PAINT = `new Promise((resolve) =>
  new PerformanceObserver((paints) => {
    for (const { name, startTime } of paints.getEntries()) if (name === "first-contentful-paint") resolve(startTime);
  }).observe({ type: "paint", buffered: true }))`;
/** Notes when the page shows the provider. As text: it runs in the page. */
const WATCH_PROVIDERS = `new MutationObserver(() => {
  if (document.querySelector("[data-object=github]") !== null) window.shownAt ??= Date.now();
}).observe(document.getElementById("content"), { subtree: true, childList: true })`;

describeWithBrowser("with 1,000 deployments", () => {
  const room = onConsole({ buildSeconds: 0 });

  test("the page paints soon, shows a part of them, and an event reaches it soon", async () => {
    for (let made = 0; made < 1_000; made += 50) {
      const names = Array.from({ length: 50 }, (_, index) => `agent-${made + index}`);
      await Promise.all(names.map((name) => room.send("POST", "/v2/deployments", deploymentOf(name))));
    }
    const page = await room.visit();
    const paints: number[] = [];
    for (let time = 0; time < 3; time++) {
      await page.reload();
      paints.push(Number(await page.evaluate(FIRST_PAINT)));
    }
    expect(Math.min(...paints)).toBeLessThan(FIRST_PAINT_MS);
    expect(await page.locator("tr[data-object]").count()).toBeLessThanOrEqual(200);

    await page.locator('[data-connection="live"]').waitFor();
    await page.evaluate(WATCH_PROVIDERS);
    const sentAt = Date.now();
    await room.send("POST", "/v2/auth/providers", providerOf("github"));
    await page.locator("[data-object=github]").waitFor();
    expect(Number(await page.evaluate("window.shownAt")) - sentAt).toBeLessThan(EVENT_MS);
  });
});
