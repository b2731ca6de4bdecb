import type { Page } from "playwright-core";
import { ManualClock, startEmulator, type Emulator } from "../../emulator";
import { describeWithBrowser, pagesForTests } from "../support/with-browser";
import { ask, providerOf } from "../support/ask";

describeWithBrowser("signing in to the console", () => {
  const pages = pagesForTests();
  const clock = new ManualClock();
  let emulator: Emulator;
  beforeAll(async () => {
    emulator = await startEmulator({ console: true, clock });
  });
  afterAll(() => emulator.close());

  test.each<[string, () => Promise<string>]>([
    ["no code", () => Promise.resolve(`${emulator.url}/console`)],
    ["no code, on a page deeper down", () => Promise.resolve(`${emulator.url}/console/requests`)],
    ["a wrong code", () => Promise.resolve(`${emulator.url}/console?code=${"x".repeat(32)}`)],
    [
      "a code that was used",
      async () => {
        const address = emulator.consoleUrl();
        const page = await pages.open();
        await page.goto(address);
        await page.getByRole("heading", { level: 1, name: "Environment" }).waitFor();
        return address;
      },
    ],
    [
      "a code that is too old",
      () => {
        const address = emulator.consoleUrl();
        clock.advance(3_600_001);
        return Promise.resolve(address);
      },
    ],
  ])("%s: a page that says how to get a new address, and nothing else", async (_what, address) => {
    const page = await pages.open();
    const answer = await page.goto(await address());
    expect(answer?.status()).toBe(401);
    expect(await page.getByRole("heading", { level: 1 }).innerText()).toBe("This page needs a new address");
    expect(await page.getByRole("main").innerText()).toContain("npm run platform");
    expect(await page.context().cookies()).toEqual([]);
  });

  test("a code that was used, in the browser that used it: the page", async () => {
    const address = emulator.consoleUrl();
    const page = await pages.open();
    await page.goto(address);
    await page.goto(address);
    await page.getByRole("heading", { level: 1, name: "Environment" }).waitFor();
  });

  test("the cookie is out of reach of scripts and of other sites", async () => {
    const page = await pages.open();
    await page.goto(emulator.consoleUrl());
    expect(await page.context().cookies()).toEqual([
      expect.objectContaining({ httpOnly: true, sameSite: "Strict", path: "/console" }),
    ]);
    expect(await page.evaluate("document.cookie")).toBe("");
    expect(page.url()).not.toContain("code");
  });
});

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
