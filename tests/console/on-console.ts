import type { BrowserContextOptions, Page } from "playwright-core";
import { startEmulator, type Emulator, type EmulatorOptions } from "../../emulator";
import { pagesForTests, type Pages } from "../support/with-browser";
import { ask } from "../support/ask";

/** An emulator with its console, and a browser, for all tests of a file. */
export interface OnConsole extends Pages {
  readonly emulator: Emulator;
  /** A page of the console, in a browser that just signed in. */
  visit(path?: string, options?: BrowserContextOptions): Promise<Page>;
  /** A request to the API, as a program sends it. Throws where it is refused. */
  send(method: string, path: string, body: object): Promise<unknown>;
}

/**
 * To be called where a test file registers hooks. A script that fails in a page, or that its policy refuses, fails the test. Each test finds
 * the emulator as it was at its start, unless they are a story.
 */
export function onConsole(options: EmulatorOptions = {}, { isStory = false } = {}): OnConsole {
  let started: Emulator | undefined;
  const running = (): Emulator => {
    if (started === undefined) throw new Error("the emulator runs within tests only");
    return started;
  };
  const pages = pagesForTests();
  const wrong: string[] = [];
  beforeAll(async () => {
    started = await startEmulator({ console: true, ...options });
  });
  afterEach(() => {
    if (!isStory) started?.reset();
    expect(wrong.splice(0)).toEqual([]);
  });
  afterAll(() => started?.close());
  return {
    open: (look) => pages.open(look),
    get emulator() {
      return running();
    },
    visit: async (path = "/console", look) => {
      const page = await pages.open(look);
      page.on("pageerror", (error) => wrong.push(error.message));
      page.on("console", (message) => {
        if (message.text().includes("Content Security Policy")) wrong.push(message.text());
      });
      await page.goto(running().consoleUrl());
      if (path !== "/console") await page.goto(running().url + path);
      return page;
    },
    send: (method, path, body) => ask(running(), method, path, body),
  };
}
