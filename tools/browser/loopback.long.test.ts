import { serving } from "../../tests/support/serving";
import { describeWithBrowser, pagesForTests } from "../../tests/support/with-browser";

describeWithBrowser("the browser", () => {
  const pages = pagesForTests();

  test("reaches this machine, and no other by name or by number", async () => {
    const url = await serving((_request, response) => void response.end("here"));
    const { port } = new URL(url);
    const page = await pages.open();
    expect(await (await page.goto(`${url}/`))?.text()).toBe("here");
    // Had it tried, the failure were another one: nothing answers there.
    for (const host of ["platform.example", "192.0.2.1", "localhost"]) {
      await expect(page.goto(`http://${host}:${port}/`)).rejects.toThrow("ERR_NAME_NOT_RESOLVED");
    }
  });
});
