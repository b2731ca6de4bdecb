import type { Browser, BrowserContextOptions, Page } from "playwright-core";
import { openBrowser } from "../../tools/browser/open";

/** `describe` where a browser is there; otherwise skipped (setup.js has said so). */
export const describeWithBrowser = process.env["BROWSER_UNAVAILABLE"] === undefined ? describe : describe.skip;

/** Pages in the one browser of a test file. */
export interface Pages {
  /** A page in a profile of its own, which is gone after the test. */
  open(options?: BrowserContextOptions): Promise<Page>;
}

/** Opens a browser before the tests of the block around it, and closes it after them. */
export function pagesForTests(): Pages {
  let browser: Browser;
  beforeAll(async () => {
    browser = await openBrowser();
  });
  afterEach(async () => {
    for (const context of browser.contexts()) await context.close();
  });
  afterAll(() => browser.close());
  return { open: async (options) => (await browser.newContext(options)).newPage() };
}
