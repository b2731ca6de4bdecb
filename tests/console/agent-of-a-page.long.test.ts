import { agentUnderTest } from "../support/agent-under-test";
import { serving } from "../support/serving";
import { describeWithBrowser, pagesForTests } from "../support/with-browser";

describeWithBrowser("a page of another origin", () => {
  const pages = pagesForTests();

  test("runs an agent with the key, and cannot read the control plane", async () => {
    const agent = await agentUnderTest();
    const origin = await serving((_asked, answer) => void answer.writeHead(200, { "content-type": "text/html" }).end());
    const page = await pages.open();
    await page.goto(origin);
    const ask = (url: string, method: string) =>
      page.evaluate(
        async ([address, verb, headers]) => {
          const body = JSON.stringify({ assistant_id: "agent", input: { topic: "cats" } });
          const sent = verb === "POST" ? { method: verb, headers, body } : { headers };
          return fetch(address, sent).then(
            (answer) => answer.text(),
            (error: unknown) => String(error),
          );
        },
        [url, method, agent.headers()] as const,
      );
    expect(await ask(`${agent.url}/runs/wait`, "POST")).toContain("Hi cats");
    expect(await ask(`${agent.url}/runs/stream`, "POST")).toContain("event: values");
    expect(await ask(`${agent.emulator.url}/v2/deployments`, "GET")).toContain("Failed to fetch");
  });
});
