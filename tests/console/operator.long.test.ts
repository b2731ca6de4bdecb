import type { Page } from "playwright-core";
import { startEmulator } from "../../emulator";
import { agentUnderTest } from "../support/agent-under-test";
import { ask, deploymentOf, providerOf } from "../support/ask";
import { ofTest } from "../support/of-suite";
import { serving } from "../support/serving";
import { describeWithBrowser } from "../support/with-browser";
import { onConsole } from "./on-console";

describeWithBrowser("what an operator does on the pages", () => {
  const room = onConsole({ buildSeconds: 0 });
  const latestRequest = (): string => `/console/requests/${room.emulator.requests.at(-1)?.seq ?? 0}`;

  test("why a form is refused has the focus, and what was typed is there to be corrected", async () => {
    const page = await room.visit("/console/break");
    await page.getByLabel("Fault", { exact: true }).selectOption("hold");
    await page.getByLabel("Path", { exact: true }).fill("no-slash");
    await page.getByRole("button", { name: "Switch on" }).click();
    await page.getByRole("alert").getByText("a path that starts with a slash").waitFor();
    await page.locator('[role="alert"]:focus').waitFor();
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

  const connection = (page: Page, state: string): Promise<void> =>
    page.locator(`[data-connection="${state}"]`).waitFor();

  test("a page whose emulator is closed says so, and comes back by itself; with another key it asks for the new address", async () => {
    let emulator = ofTest(await startEmulator({ console: true, apiKey: "key-of-the-test" }));
    const port = Number(new URL(emulator.url).port);
    const page = await room.open();
    await page.goto(emulator.consoleUrl());
    await connection(page, "live");
    await emulator.close();
    await connection(page, "closed");
    expect(await page.locator("#connection").innerText()).toContain("The emulator has stopped");

    emulator = ofTest(await startEmulator({ console: true, apiKey: "key-of-the-test", port }));
    await connection(page, "live");
    await ask(emulator, "POST", "/v2/auth/providers", providerOf("github"));
    await page.locator("[data-object=github]").waitFor();

    await emulator.close();
    ofTest(await startEmulator({ console: true, apiKey: "another-key", port }));
    await connection(page, "signed-out");
    expect(await page.locator("#connection").innerText()).toContain("Open the address that it printed");
  });

  test("a page of another origin runs an agent with the key, and cannot read the control plane", async () => {
    const agent = await agentUnderTest();
    const origin = await serving((_asked, answer) => void answer.writeHead(200, { "content-type": "text/html" }).end());
    const page = await room.open();
    await page.goto(origin);
    const sent = (url: string, method: string) =>
      page.evaluate(
        async ([address, verb, headers]) => {
          const body = JSON.stringify({ assistant_id: "agent", input: { topic: "cats" } });
          const init = verb === "POST" ? { method: verb, headers, body } : { headers };
          return fetch(address, init).then(
            (answer) => answer.text(),
            (error: unknown) => String(error),
          );
        },
        [url, method, agent.headers()] as const,
      );
    expect(await sent(`${agent.url}/runs/wait`, "POST")).toContain("Hi cats");
    expect(await sent(`${agent.url}/runs/stream`, "POST")).toContain("event: values");
    expect(await sent(`${agent.emulator.url}/v2/deployments`, "GET")).toContain("Failed to fetch");
  });
});
