import { chromium, type Browser } from "playwright-core";
import { findChromium, type Chromium } from "./find";

/** No name is looked up, and no address is reached, but this machine's own: neither by a page nor by the browser itself. */
const LOOPBACK_ONLY = "--host-resolver-rules=MAP * ~NOTFOUND, EXCLUDE 127.0.0.1";

/**
 * Opens Chromium, headless, with a profile of its own that goes with it. It ends when it is closed, and with this process.
 * Its sandbox is off, because most containers forbid one: it is for pages of this machine alone.
 */
export function openBrowser(given?: Chromium): Promise<Browser> {
  const found = given ?? findChromium();
  if (found === undefined) throw new Error("There is no Chromium here: `npm run browser -- install` gets one.");
  const { program: executablePath, environment } = found;
  return chromium.launch({ executablePath, env: { ...process.env, ...environment }, args: [LOOPBACK_ONLY] });
}
