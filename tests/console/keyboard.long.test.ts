import type { Page } from "playwright-core";
import { describeWithBrowser } from "../support/with-browser";
import { onConsole } from "./on-console";
import { deploymentOf } from "../support/ask";

/** What has the focus: its role or tag, and its name. */
const FOCUSED = `(() => {
  const { activeElement: focused } = document;
  const label = focused.labels?.[0]?.textContent ?? focused.getAttribute("aria-label") ?? focused.textContent;
  return focused.tagName.toLowerCase() + " " + label.trim();
})()`;

/** Presses Tab until the focus is there. */
async function tabTo(page: Page, wanted: RegExp): Promise<void> {
  const passed: unknown[] = [];
  for (let times = 0; times < 60; times++) {
    await page.keyboard.press("Tab");
    const focused = await page.evaluate(FOCUSED);
    if (wanted.test(String(focused))) return;
    passed.push(focused);
  }
  throw new Error(`no Tab led to ${wanted.source}: ${passed.join(" | ")}`);
}

describeWithBrowser("by the keyboard alone", () => {
  const room = onConsole({ buildSeconds: 0 });

  test("the first Tab offers to skip the navigation, and what has the focus shows it", async () => {
    const page = await room.visit();
    await page.keyboard.press("Tab");
    expect(await page.evaluate(FOCUSED)).toBe("a Skip to content");
    expect(await page.getByRole("link", { name: "Skip to content" }).isVisible()).toBe(true);
    await page.keyboard.press("Enter");
    expect(new URL(page.url()).hash).toBe("#main");
    await page.keyboard.press("Tab");
    const outline = await page.evaluate("getComputedStyle(document.activeElement).outlineStyle");
    expect(outline).not.toBe("none");
  });

  test.each([
    ["a link to an object", "/console", /^a support-desk$/, "a support-desk"],
    ["a switch", "/console/break", /^button Switch off/, "button Switch off Fault: latency"],
  ])("%s keeps the focus when the page looks for what has changed", async (_what, path, wanted, focused) => {
    await room.send("POST", "/v2/deployments", deploymentOf("support-desk"));
    room.emulator.faults.add({ kind: "latency", ms: 1 });
    const page = await room.visit(path);
    await tabTo(page, wanted);
    await room.send("POST", "/v2/deployments", deploymentOf("another"));
    await page.getByText("struck 1 request").waitFor();
    if (path === "/console") await page.getByRole("link", { name: "another", exact: true }).waitFor();
    expect(await page.evaluate(FOCUSED)).toBe(focused);
  });

  test("a log that was opened stays open and keeps the focus when a newer revision comes", async () => {
    await room.send("POST", "/v2/deployments", deploymentOf("support-desk"));
    const page = await room.visit();
    await page.getByRole("link", { name: "support-desk" }).click();
    await page.waitForURL("**/deployments/*");
    await tabTo(page, /of revision 1$/);
    await page.keyboard.press("Enter");
    const path = new URL(page.url()).pathname.replace("/console", "/v2");
    await room.send("PATCH", path, { source_revision_config: { image_uri: "registry.example/desk:2" } });
    await page.getByRole("heading", { name: "Revision 2" }).waitFor();
    expect(await page.getByRole("article", { name: "Revision 1" }).locator("details[open] .log").isVisible()).toBe(
      true,
    );
    expect(await page.evaluate(FOCUSED)).toMatch(/of revision 1$/);
  });

  test("a deployment is opened, its agent asked, a fault switched on and off again", async () => {
    await room.send("POST", "/v2/deployments", deploymentOf("support-desk"));
    const page = await room.visit();
    await tabTo(page, /^a support-desk$/);
    await page.keyboard.press("Enter");
    await page.getByRole("heading", { level: 1, name: "support-desk" }).waitFor();
    await page.locator("#ask button:enabled").waitFor();
    await tabTo(page, /^textarea Question/);
    await page.keyboard.type("hello");
    await tabTo(page, /^button Ask$/);
    await page.keyboard.press("Enter");
    await page.locator("#answer").waitFor();

    await tabToStart(page);
    await tabTo(page, /^a Break it$/);
    await page.keyboard.press("Enter");
    await page.getByRole("heading", { level: 1, name: "Break it" }).waitFor();
    await tabTo(page, /^select Fault/);
    await page.keyboard.type("latency");
    await tabTo(page, /^input Further fields/);
    await page.keyboard.type('{"ms": 5}');
    await tabTo(page, /^button Switch on/);
    await page.keyboard.press("Enter");
    await page.getByRole("region", { name: "Switched on" }).waitFor();
    await tabTo(page, /^button Switch off/);
    await page.keyboard.press("Enter");
    await page.getByRole("region", { name: "Switched on" }).waitFor({ state: "detached" });
  });
});

/** The next Tab is the first one of the page again. */
const tabToStart = (page: Page): Promise<unknown> => page.evaluate("document.activeElement.blur(), scrollTo(0, 0)");
