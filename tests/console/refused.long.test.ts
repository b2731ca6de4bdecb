import { describeWithBrowser } from "../support/with-browser";
import { onConsole } from "./on-console";
import { deploymentOf } from "../support/ask";

/** As text: it runs in the page. Whoever does not see it is taken there, as soon as the browser has drawn the page. */
const HAS_FOCUS = "document.activeElement.getAttribute('aria-invalid') === 'true'";

describeWithBrowser("what the schema refuses", () => {
  const room = onConsole({ buildSeconds: 0 });

  test("a fault: the reason stands at its field, what was typed stays, and nothing is switched on", async () => {
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
    expect(room.emulator.faults.list).toEqual([]);
  });

  test("a change of an object: the reason stands at its field, and the object is as it was", async () => {
    await room.send("POST", "/v2/deployments", deploymentOf("support-desk"));
    const page = await room.visit("/console/break");
    await page.getByRole("link", { name: "support-desk" }).click();
    await page.getByLabel("source_config.resource_spec.cpu").fill("plenty");
    await page.getByRole("button", { name: "Change" }).click();
    const field = page.locator('[aria-invalid="true"]');
    await field.waitFor();
    expect(await field.inputValue()).toBe("plenty");
    await page.waitForFunction(HAS_FOCUS);
    await page.goto(`${room.emulator.url}/console`);
    await page.getByRole("link", { name: "support-desk" }).click();
    await page.getByText("Configuration").click();
    expect(await page.getByRole("region", { name: "Configuration" }).innerText()).not.toContain("plenty");
  });
});
