import { describeWithBrowser } from "../support/with-browser";
import { onConsole } from "./on-console";
import { deploymentOf } from "../support/ask";

describeWithBrowser("what an operator does on the pages", () => {
  const room = onConsole({ buildSeconds: 0 });
  const latestRequest = (): string => `/console/requests/${room.emulator.requests.at(-1)?.seq ?? 0}`;

  test("why a form is refused has the focus, and what was typed is there to be corrected", async () => {
    const page = await room.visit("/console/break");
    await page.getByLabel("Fault", { exact: true }).selectOption("hold");
    await page.getByLabel("Path", { exact: true }).fill("no-slash");
    await page.getByRole("button", { name: "Switch on" }).click();
    await page.getByRole("alert").getByText("a path that starts with a slash").waitFor();
    await page.waitForFunction("document.activeElement.getAttribute('role') === 'alert'");
    expect(await page.getByLabel("Fault", { exact: true }).inputValue()).toBe("hold");
    expect(await page.getByLabel("Path", { exact: true }).inputValue()).toBe("no-slash");
    await page.getByLabel("Path", { exact: true }).fill("/v2/**");
    await page.getByRole("button", { name: "Switch on" }).click();
    await page.getByRole("region", { name: "Switched on" }).getByText("/v2/**").waitFor();
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
      await page.locator(`time[title$="${time} (${timezoneId})"]`).waitFor();
    }
  });
});
