import { describeWithBrowser } from "../support/with-browser";
import { onConsole } from "./on-console";
import { deploymentOf } from "../support/ask";

/** As text: it runs in the page. Whoever does not see it is taken there, as soon as the browser has drawn the page. */
const HAS_FOCUS = "document.activeElement.getAttribute('aria-invalid') === 'true'";

describeWithBrowser("what an operator does on the pages", () => {
  const room = onConsole({ buildSeconds: 0 });
  const latestRequest = (): string => `/console/requests/${room.emulator.requests.at(-1)?.seq ?? 0}`;

  test("a field that is refused has the focus, what was typed, and its reason", async () => {
    const page = await room.visit("/console/break");
    const kind = page.locator('[data-fault-kind="latency"]');
    await kind.locator("summary").click();
    await kind.getByLabel("Path", { exact: true }).fill("no-slash");
    await kind.getByLabel("Delay in ms", { exact: true }).fill("5");
    await kind.getByRole("button", { name: "Switch on" }).click();
    const field = page.locator('[data-fault-kind="latency"] [aria-invalid="true"]');
    await field.waitFor();
    expect(await field.inputValue()).toBe("no-slash");
    const reason = page.locator(`#${(await field.getAttribute("aria-describedby"))?.split(" ").at(-1) ?? ""}`);
    expect(await reason.innerText()).toContain("a path that starts with a slash");
    await page.waitForFunction(HAS_FOCUS);
  });

  test("an object is deleted only after a question", async () => {
    await room.send("POST", "/v2/deployments", deploymentOf("support-desk"));
    const page = await room.visit();
    await page.getByRole("link", { name: "support-desk" }).click();
    const yes = page.getByRole("button", { name: "Yes, delete it" });
    expect(await yes.isVisible()).toBe(false);
    await page.getByText("Delete…").press("Enter");
    await yes.click();
    await page.locator("[data-notice]").waitFor();
    expect(await page.getByRole("main").innerText()).toMatch(/Being deleted|no longer exists/);
  });

  test("times are those of the reader's zone", async () => {
    await room.send("POST", "/v2/deployments", deploymentOf("support-desk"));
    const at = Date.parse(room.emulator.requests[0]?.at ?? "");
    for (const timezoneId of ["Asia/Tokyo", "America/New_York"]) {
      const page = await room.visit("/console/requests", { timezoneId });
      const time = new Intl.DateTimeFormat("en-GB", { timeStyle: "medium", timeZone: timezoneId }).format(at);
      await page.locator("time", { hasText: time }).waitFor();
      await page.goto(room.emulator.url + latestRequest());
      await page.getByText(`${time} (${timezoneId})`).waitFor();
    }
  });
});
