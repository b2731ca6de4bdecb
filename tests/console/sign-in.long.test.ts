import type { Page } from "playwright-core";
import { startEmulator, type Emulator } from "../../emulator";
import { describeWithBrowser, pagesForTests } from "../support/with-browser";
import { ask, providerOf } from "../support/ask";

describeWithBrowser("a page whose emulator is closed", () => {
  const pages = pagesForTests();
  let emulator: Emulator;
  afterEach(() => emulator.close());

  const connection = (page: Page, state: string): Promise<void> =>
    page.locator(`[data-connection="${state}"]`).waitFor();

  test("says so, and comes back by itself; with another key it asks for the new address", async () => {
    emulator = await startEmulator({ console: true, apiKey: "key-of-the-test" });
    const port = Number(new URL(emulator.url).port);
    const page = await pages.open();
    await page.goto(emulator.consoleUrl());
    await connection(page, "live");
    await emulator.close();
    await connection(page, "closed");
    expect(await page.locator("#connection").innerText()).toContain("The emulator has stopped");

    emulator = await startEmulator({ console: true, apiKey: "key-of-the-test", port });
    await connection(page, "live");
    await ask(emulator, "POST", "/v2/auth/providers", providerOf("github"));
    await page.locator("[data-object=github]").waitFor();

    await emulator.close();
    emulator = await startEmulator({ console: true, apiKey: "another-key", port });
    await connection(page, "signed-out");
    expect(await page.locator("#connection").innerText()).toContain("Open the address that it printed");
  });
});
