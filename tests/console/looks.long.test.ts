import { readFileSync } from "node:fs";
import type { Page } from "playwright-core";
import { z } from "zod";
import { describeWithBrowser } from "../support/with-browser";
import { onConsole } from "./on-console";
import { until } from "../support/agent-under-test";
import { deploymentOf, providerOf } from "../support/ask";

const AXE = readFileSync(require.resolve("axe-core/axe.min.js"), "utf8");
const Findings = z.object({
  violations: z.array(
    z.object({ id: z.string(), impact: z.string().nullable(), nodes: z.array(z.object({ html: z.string() })) }),
  ),
});

/** What axe finds that keeps people from using a page. */
async function seriousFindings(page: Page): Promise<string[]> {
  // Its text is evaluated: the page's own policy refuses a script element.
  await page.evaluate(AXE);
  const { violations } = Findings.parse(await page.evaluate("axe.run()"));
  return violations
    .filter(({ impact }) => impact === "serious" || impact === "critical")
    .map(({ id, nodes }) => `${id}: ${nodes.map(({ html }) => html).join(" ")}`);
}

const overhangOf = (page: Page): Promise<unknown> =>
  page.evaluate("document.documentElement.scrollWidth - document.documentElement.clientWidth");

describeWithBrowser("how the pages look", () => {
  const longLog = Array.from({ length: 90 }, (_, at) => `line ${at}`);
  const room = onConsole({
    buildSeconds: 0,
    revisionLog: ({ deploymentName: name }) => (name === "long-log" ? longLog : undefined),
  });

  /** An environment with something on every page: objects, a fault that is on, struck requests. Gives the paths of the pages. */
  async function furnish(): Promise<string[]> {
    await room.send(
      "POST",
      "/v2/deployments",
      deploymentOf("support-desk", `registry.example/${"long-".repeat(40)}:1`),
    );
    await room.send("POST", "/v2/auth/providers", providerOf("github"));
    room.emulator.faults.add({ kind: "status", status: 503, path: "/v2/deployments", method: "GET" });
    expect((await fetch(`${room.emulator.url}/v2/deployments`)).status).toBe(503);
    const page = await room.visit();
    const links = await page.locator("tr[data-object] th").getByRole("link").all();
    const objects = await Promise.all(links.map(async (link) => (await link.getAttribute("href")) ?? ""));
    expect(objects).toHaveLength(2);
    return ["/console", ...objects, "/console/requests", "/console/requests/1", "/console/break"];
  }

  test.each(["light", "dark"] as const)("%s: axe finds nothing serious on any page", async (colorScheme) => {
    const page = await room.visit("/console", { colorScheme });
    expect(await seriousFindings(page)).toEqual([]);
    const paths = await furnish();
    for (const path of paths) {
      await page.goto(room.emulator.url + path);
      await page.evaluate("document.querySelectorAll('details').forEach((details) => (details.open = true))");
      expect([path, await seriousFindings(page)]).toEqual([path, []]);
    }
    const back = await page.evaluate("getComputedStyle(document.body).backgroundColor");
    expect([colorScheme, back]).toEqual([
      colorScheme,
      expect.stringMatching(colorScheme === "light" ? /rgb\(2[0-9]{2}/ : /rgb\([0-9]{1,2},/),
    ]);
  });

  test.each(["light", "dark"] as const)(
    "%s: nor on the page of somebody who has not signed in",
    async (colorScheme) => {
      const page = await room.open({ colorScheme });
      await page.goto(`${room.emulator.url}/console`);
      expect(await seriousFindings(page)).toEqual([]);
    },
  );

  test("18 deployments are on one screen, a line each, however long what they run is", async () => {
    for (let at = 1; at <= 18; at += 1) {
      const image = `registry.example.com/${"team/".repeat(at)}agent:${at}`;
      await room.send("POST", "/v2/deployments", deploymentOf(`agent-${at}`, image));
    }
    const page = await room.visit("/console", { viewport: { width: 1280, height: 800 } });
    const rows = page.locator("tr[data-object]");
    expect(await rows.count()).toBe(18);
    const last = await rows.last().boundingBox();
    expect((last?.y ?? Infinity) + (last?.height ?? 0)).toBeLessThanOrEqual(800);
    for (const row of await rows.all()) expect((await row.boundingBox())?.height).toBeLessThan(1.5 * 22 + 11);
  });

  test.each([375, 1280])("long names that differ at their ends are whole, at a width of %i", async (width) => {
    for (const end of ["eu", "us"])
      await room.send("POST", "/v2/deployments", deploymentOf(`${"support-".repeat(7)}${end}`));
    const page = await room.visit("/console", { viewport: { width, height: 800 } });
    const layout = "getComputedStyle(document.querySelector('.deployments')).tableLayout";
    await until(async () => (await page.evaluate(layout)) === "fixed");
    const cut = await page.evaluate(
      "[...document.querySelectorAll('tr[data-object] th')].filter((cell) => cell.scrollWidth > cell.clientWidth).length",
    );
    expect([await page.locator("tr[data-object]").count(), cut]).toEqual([2, 0]);
  });

  test("no word, number or time in the table of requests breaks over two lines", async () => {
    await furnish();
    const page = await room.visit("/console/requests", { viewport: { width: 1280, height: 800 } });
    const heights = z.record(z.string(), z.number()).parse(
      await page.evaluate(`Object.fromEntries(
        [...document.querySelectorAll("thead th, tbody th, td:not(:has(bdi))")].map((cell) => {
          const words = document.createRange();
          words.selectNodeContents(cell);
          return [cell.textContent, words.getBoundingClientRect().height];
        }))`),
    );
    expect(Object.keys(heights)).toEqual(expect.arrayContaining(["Number", "Status", "503 struck: status"]));
    expect(Object.entries(heights).filter(([, height]) => height > 1.5 * 22)).toEqual([]);
  });

  test("a long log opens at its end, which says why", async () => {
    room.emulator.nextRevision("DEPLOY_FAILED");
    await room.send("POST", "/v2/deployments", deploymentOf("long-log"));
    const page = await room.visit();
    await page.getByRole("link", { name: "long-log" }).click();
    // With its style, too: without it a log is as long as its lines.
    await page.waitForURL("**/deployments/*");
    const [height, hidden] = z.tuple([z.number(), z.number()]).parse(
      await page.evaluate(`(() => {
        const [log, last] = [".log", ".log li:last-child"].map((each) => document.querySelector(each).getBoundingClientRect());
        return [log.height, last.bottom - log.bottom];
      })()`),
    );
    expect(height).toBeLessThan(600);
    expect(hidden).toBeLessThanOrEqual(0);
  });

  test("on a phone no page scrolls sideways", async () => {
    const paths = await furnish();
    const page = await room.visit("/console", {
      viewport: { width: 360, height: 740 },
      isMobile: true,
      hasTouch: true,
    });
    for (const path of paths) {
      await page.goto(room.emulator.url + path);
      await page.evaluate("document.querySelectorAll('details').forEach((details) => (details.open = true))");
      expect([path, await overhangOf(page)]).toEqual([path, 0]);
    }
  });
});
