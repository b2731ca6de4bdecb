import type { Page } from "playwright-core";
import { z } from "zod";
import { connectionTo } from "../engine/on-emulator";
import { CHANGES, CliStack, ok } from "../support/cli-stack";
import { ProgramHost } from "../support/kept-host";
import { describeWithBrowser } from "../support/with-browser";
import { describeWithEngine } from "../support/with-engine";
import { onConsole } from "./on-console";

const STATUSES = ["CREATING", "QUEUED", "AWAITING_BUILD", "BUILDING", "AWAITING_DEPLOY", "DEPLOYING", "DEPLOYED"];
const programOf = (tag: string): string => `
  const secret = new pulumi.Config().requireSecret("token");
  new platform.Deployment("agent", { name: "support-desk", source: "external_docker",
    sourceRevisionConfig: { imageUri: "registry.example/desk:${tag}" }, secrets: { TOKEN: secret } });`;

/** Notes each status that a deployment has had, from now on. As text: it runs in the page. */
const WATCH = `
  window.seen = [];
  const look = () => {
    for (const { textContent } of document.querySelectorAll("[data-serving]")) {
      const status = textContent.startsWith("Revision") ? "DEPLOYED" : textContent.split(": ")[1];
      if (!window.seen.includes(status)) window.seen.push(status);
    }
  };
  new MutationObserver(look).observe(document.body, { subtree: true, childList: true, characterData: true });
  look();`;
const seenIn = async (page: Page): Promise<string[]> => z.array(z.string()).parse(await page.evaluate("window.seen"));

// One stack for all walks: each goes on where the one before it ended.
describeWithEngine("beside a stack on the real engine", () => {
  describeWithBrowser("in a real browser", () => {
    const room = onConsole({ buildSeconds: 3 }, { isStory: true });
    const host = new ProgramHost();
    let stack: CliStack;
    beforeAll(async () => {
      stack = await CliStack.make(programOf("1"));
      stack.host = host;
      const [settings, key] = connectionTo(room.emulator);
      await stack.configure(settings, { ...key, token: "canary-token" });
    });
    afterAll(() => {
      host.stop();
      stack.remove();
    });

    test("an up is seen from CREATING to DEPLOYED, on a page that was open before it", async () => {
      const page = await room.visit();
      await page.locator("[data-empty]").waitFor();
      await page.evaluate(WATCH);
      ok(await stack.up());
      await page.locator('[data-object="support-desk"] [data-serving="good"]').waitFor();
      const seen = await seenIn(page);
      // The page looks a few times a second: a short status may be passed over, the order never.
      expect(seen).toEqual(STATUSES.filter((status) => seen.includes(status)));
      expect(seen).toContain("DEPLOYED");
      expect(seen.length).toBeGreaterThan(1);
    });

    test("a fault that is switched on strikes the next up, stands on every page, and up gets through it", async () => {
      const page = await room.visit("/console/break");
      await page.getByLabel("Fault", { exact: true }).selectOption("status");
      await page.getByLabel("Method", { exact: true }).fill("GET");
      await page.getByLabel("Path", { exact: true }).fill("/v2/deployments/*");
      await page.getByLabel("How many requests", { exact: true }).fill("2");
      await page.getByLabel("Further fields", { exact: true }).fill('{"status": 503}');
      await page.getByRole("button", { name: "Switch on" }).click();
      await page.locator("[data-notice]").waitFor();

      await page.getByRole("link", { name: "Requests" }).click();
      await page.getByRole("region", { name: "Switched on" }).getByText("503").first().waitFor();
      stack.write(programOf("2"));
      ok(await stack.up());
      const struck = page.locator('tr[data-fault="status"]');
      await struck.first().waitFor();
      expect(await struck.count()).toBe(2);
      expect(await struck.first().innerText()).toMatch(/503/);

      // It has struck twice; it stands there until it is switched off.
      await page.getByRole("link", { name: "Environment" }).click();
      await page.getByText("registry.example/desk:2").waitFor();
      await page.getByText("used up").waitFor();
      await page.getByRole("button", { name: "Switch off" }).click();
      await page.getByRole("region", { name: "Switched on" }).waitFor({ state: "detached" });
    });

    test("an image that is changed behind the stack's back is what drift names", async () => {
      const page = await room.visit();
      await page.getByRole("link", { name: "support-desk", exact: true }).click();
      const change = { source_revision_config: { image_uri: "registry.example/desk:by-hand" } };
      await page.getByLabel("Fields to change, as JSON").fill(JSON.stringify(change));
      await page.getByRole("button", { name: "Change", exact: true }).click();
      await page.locator("[data-notice]").waitFor();
      const drift = await stack.drift();
      expect(drift.code).toBe(CHANGES);
      expect(drift.output).toContain("registry.example/desk:by-hand");
    });
  });
});
