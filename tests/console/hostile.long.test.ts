import { listeners, oauthProviders } from "../../emulator";
import { describeWithBrowser } from "../support/with-browser";
import { onConsole } from "./on-console";
import { deploymentOf, providerOf } from "../support/ask";

/** Names that try to be something else than a name; each sets `hacked` if it gets its way. */
const NAMES: readonly (readonly [what: string, name: string])[] = [
  ["an element with a handler", `<img src=x onerror="window.hacked=1">`],
  ["a script", "</td></table><script>window.hacked=1</script>"],
  ["the end of an attribute", `" onmouseover="window.hacked=1" x="`],
  ["the end of an attribute in single quotes", `' autofocus onfocus='window.hacked=1`],
  ["an address that runs", "javascript:window.hacked=1"],
  ["text that turns around what follows", "\u202egnp.exe\u2066"],
  ["entities", "&lt;b&gt;&#x3C;svg/onload=window.hacked=1&#x3E;"],
  ["templates", "${window.hacked=1}{{constructor.constructor('window.hacked=1')()}}"],
  ["the end of a page's data", "--></script><!--<script>]]>"],
  ["a word of 400 letters", "W".repeat(400)],
];
const WIDER = "document.documentElement.scrollWidth - document.documentElement.clientWidth";

describeWithBrowser("hostile names", () => {
  const room = onConsole({ buildSeconds: 0 });

  test.each(NAMES)("%s is text, on a page that is open and on those that are opened", async (_what, name) => {
    const page = await room.visit();
    const intact = await page.evaluate("document.body.querySelectorAll('img, script, svg').length");
    await room.send(
      "POST",
      "/v2/deployments",
      deploymentOf(name, `registry.example/${name}`, { TOKEN: "canary-token" }),
    );
    const link = page.locator("tr[data-object] th").getByRole("link");
    await link.waitFor();
    expect(await link.textContent()).toBe(name);
    expect(await page.locator("tr[data-object]").getAttribute("data-object")).toBe(name);
    expect(await page.evaluate(WIDER)).toBe(0);
    expect(await page.evaluate("document.body.querySelectorAll('img, script, svg').length")).toBe(intact);
    await link.click();
    // With its style, too.
    await page.waitForURL("**/deployments/*");
    expect(await page.getByRole("heading", { level: 1 }).textContent()).toBe(name);
    expect(await page.evaluate(WIDER)).toBe(0);
    await page.getByLabel("Question").fill(name);
    await page.getByRole("button", { name: "Ask" }).click();
    await page.locator("#answer").waitFor();
    // An answer is shown without what would turn it around.
    expect(await page.locator("#answer").textContent()).toContain(`Hi ${name.replace(/[\u202e\u2066]/g, "")}`);
    await room.send("POST", "/v2/auth/providers", { ...providerOf(name), name, auth_url: name });
    await room.send("POST", "/v2/listeners", { compute_type: "k8s", compute_id: name, compute_config: {} });
    const [provider] = room.emulator.outOfBand(oauthProviders).list();
    const [listener] = room.emulator.outOfBand(listeners).list();
    for (const path of [`oauth_providers/${provider?.id ?? ""}`, `listeners/${listener?.id ?? ""}`, "requests"]) {
      await page.goto(`${room.emulator.url}/console/${path}`);
      expect([path, await page.getByRole("main").locator("img, script").count()]).toEqual([path, 0]);
    }
    await page.goto(`${room.emulator.url}/console/requests/1`);
    expect(await page.getByRole("main").textContent()).not.toContain("canary");
    expect(await page.evaluate("window.hacked")).toBeUndefined();
  });
});
