import { runMain } from "../base/main";
import { ensureChromium } from "./find";

/** Finds Chromium, or fetches it once. */
runMain(async () => {
  const { program, source } = await ensureChromium();
  console.log(`Chromium, from ${source}: ${program}`);
});
