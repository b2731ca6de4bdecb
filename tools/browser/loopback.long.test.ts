import { createServer } from "node:http";
import { describeWithBrowser, pagesForTests } from "../../tests/support/with-browser";

describeWithBrowser("the browser", () => {
  const pages = pagesForTests();

  test("reaches this machine, and no other by name or by number", async () => {
    const server = createServer((_request, response) => void response.end("here")).listen(0, "127.0.0.1");
    await new Promise((resolve) => server.once("listening", resolve));
    const address = server.address();
    const port = address !== null && typeof address === "object" ? address.port : 0;
    const page = await pages.open();
    try {
      expect(await (await page.goto(`http://127.0.0.1:${port}/`))?.text()).toBe("here");
      // Had it tried, the failure were another one: nothing answers there.
      for (const host of ["platform.example", "192.0.2.1", "localhost"]) {
        await expect(page.goto(`http://${host}:${port}/`)).rejects.toThrow("ERR_NAME_NOT_RESOLVED");
      }
    } finally {
      server.close();
    }
  });
});
