import { execFileSync } from "node:child_process";
import { existsSync, readdirSync, readFileSync, statSync } from "node:fs";
import { join } from "node:path";
import { serve } from "@hono/node-server";
import { serveStatic } from "@hono/node-server/serve-static";
import { Hono } from "hono";
import { describeWithBrowser, pagesForTests } from "../support/with-browser";
import { ROOT } from "./pages";

const SITE = join(ROOT, ".state", "docs");

describeWithBrowser("the built site, in a browser", () => {
  const browser = pagesForTests();
  let server: ReturnType<typeof serve>;
  let address: string;
  beforeAll(async () => {
    const changed = (file: string): number => (existsSync(file) ? statSync(file).mtimeMs : 0);
    const sources = ["", ...readdirSync(join(ROOT, "docs"), { recursive: true, encoding: "utf8" })];
    const isOlder = sources.some((file) => changed(join(ROOT, "docs", file)) > changed(join(SITE, "index.html")));
    if (isOlder) execFileSync("npx", ["vitepress", "build", "docs"], { cwd: ROOT, stdio: "pipe" });
    const rewriteRequestPath = (path: string): string =>
      path.replace("/below/a/path", "").replace(/\/$/, "/index.html");
    const app = new Hono().use("/below/a/path/*", serveStatic({ root: SITE, rewriteRequestPath }));
    address = await new Promise((resolve) => {
      server = serve({ fetch: app.fetch, hostname: "127.0.0.1", port: 0 }, ({ port }) =>
        resolve(`http://127.0.0.1:${port}/below/a/path/`),
      );
    });
  }, 300_000);
  afterAll(() => server.close());

  test("each page shows its heading on the first screen, and takes over without a word in the console", async () => {
    const paths = readdirSync(SITE, { recursive: true, encoding: "utf8" })
      .filter((file) => file.endsWith(".html") && file !== "404.html")
      .map((file) => file.replace(/(^|\/)index\.html$/, "$1"));
    expect(paths.length).toBeGreaterThan(40);
    const page = await browser.open({ viewport: { width: 1280, height: 720 } });
    const said: string[] = [];
    page.on("console", (message) => said.push(`${message.type()}: ${message.text()}`));
    page.on("pageerror", (error) => said.push(String(error)));
    const wrong: unknown[] = [];
    for (const path of paths) {
      await page.goto(address + path);
      await page.waitForFunction('"__vue_app__" in document.querySelector("#app")');
      const heading = await page.locator("main h1").first().boundingBox();
      const words = (await page.locator("main").innerText()).split(/\s+/).length;
      const isThere = heading !== null && heading.y > 0 && heading.y < 400 && words > 40;
      if (said.length > 0 || !isThere) wrong.push([path, heading, words, ...said.splice(0)]);
    }
    expect([...wrong, ...said]).toEqual([]);
  });

  test("at no width is the bar of a page cut, or the page wider than its window", async () => {
    const page = await browser.open();
    const wide: unknown[] = [];
    for (const path of ["", "internals/"])
      // A phone, both of VitePress's own steps, and half of a large screen.
      for (const width of [390, 768, 960, 1100]) {
        await page.setViewportSize({ width, height: 800 });
        await page.goto(address + path);
        const bar = '[...document.querySelectorAll(".VPNav a, .VPNav button")].filter((each) => each.offsetParent)';
        const end = await page.evaluate<number>(
          `Math.max(document.documentElement.scrollWidth, ...${bar}.map((each) => each.getBoundingClientRect().right))`,
        );
        if (end > width) wide.push([path, width, end]);
      }
    expect(wide).toEqual([]);
  });

  test.each(["light", "dark"] as const)("%s: no text is too faint to read", async (colorScheme) => {
    const page = await browser.open({ colorScheme });
    for (const path of ["", "start.html"]) {
      await page.goto(address + path);
      await page.evaluate(readFileSync(require.resolve("axe-core/axe.min.js"), "utf8"));
      const { violations } = await page.evaluate<{ violations: readonly { readonly nodes: unknown }[] }>(
        "axe.run({ runOnly: ['color-contrast'] })",
      );
      expect([path, ...violations.map(({ nodes }) => nodes)]).toEqual([path]);
    }
  });

  test("a language is chosen once, for all tabs and all pages, and what was clicked stays where it is", async () => {
    const page = await browser.open({ viewport: { width: 390, height: 844 } });
    await page.goto(`${address}reference/functions.html`, { waitUntil: "networkidle" });
    const tab = page.locator("#getrevision + p + .vp-code-group label", { hasText: "Go" });
    await tab.scrollIntoViewIfNeeded();
    const place = await tab.boundingBox();
    await tab.click();
    expect(Math.abs(((await tab.boundingBox())?.y ?? 0) - (place?.y ?? 0))).toBeLessThan(2);
    const shown = async () => {
      const all = await page.locator(".vp-code-group .blocks > .active").all();
      return Promise.all(all.map(async (each) => (await each.getAttribute("class"))?.split(" ")[0]));
    };
    const everywhere = await shown();
    expect(everywhere.length).toBeGreaterThan(10);
    expect([...new Set(everywhere)]).toEqual(["language-go"]);
    await page.goto(`${address}reference/run-check.html`, { waitUntil: "networkidle" });
    expect(await shown()).toEqual(["language-go"]);
  });

  test("programs find each page that people use, in a list and as one text", () => {
    const [list = "", whole = ""] = ["llms.txt", "llms-full.txt"].map((file) => readFileSync(join(SITE, file), "utf8"));
    const linked = [...list.matchAll(/^- \[.+\]\((.+)\): /gm)].map(([, path = ""]) => path).sort();
    const htmlFiles = readdirSync(SITE, { recursive: true, encoding: "utf8" }).filter((file) => file.endsWith(".html"));
    expect(linked).toEqual(htmlFiles.filter((file) => !/^(404|internals)/.test(file)).sort());
    for (const part of ["# Start", "pulumi config set --secret modelApiKey", "name: preview", "def test_up(stack):"])
      expect(whole).toContain(part);
    expect(whole).not.toMatch(/<!--|^:::/m);
  });

  test("a link of the front page leads on", async () => {
    const page = await browser.open();
    await page.goto(address, { waitUntil: "networkidle" });
    await page.locator("main").getByRole("link", { name: "Start" }).first().click();
    await page.getByRole("heading", { name: "1. A project" }).waitFor();
    expect(page.url()).toBe(`${address}start.html`);
  });
});
