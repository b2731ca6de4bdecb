import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { chromium, type Browser } from "playwright-core";
import { findChromium } from "./find";

/** No name is looked up, and no address is reached, but this machine's own: neither by a page nor by the browser itself. */
const LOOPBACK_ONLY = "--host-resolver-rules=MAP * ~NOTFOUND, EXCLUDE 127.0.0.1";

/**
 * Opens Chromium, headless, with a profile of its own that goes with it. It ends when it is closed, and with this process.
 * Its sandbox is off, because most containers forbid one: it is for pages of this machine alone.
 */
export async function openBrowser(): Promise<Browser> {
  const found = findChromium();
  if (found === undefined) throw new Error("There is no Chromium here: `npm run browser` gets one.");
  const { program: executablePath, environment } = found;
  // Chromium may leave a file behind where it is ended; this folder goes with it.
  const temporary = mkdtempSync(join(tmpdir(), "browser-"));
  const env = { ...process.env, ...environment, TMPDIR: temporary };
  const remove = (): void => rmSync(temporary, { recursive: true, force: true });
  try {
    const browser = await chromium.launch({ executablePath, env, args: [LOOPBACK_ONLY] });
    return browser.once("disconnected", remove);
  } catch (error) {
    remove();
    throw error;
  }
}
