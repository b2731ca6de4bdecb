import { reasonOf } from "../engine/command";
import { ensureChromium } from "./find";

/** Finds Chromium, or fetches it once. */
ensureChromium().then(
  ({ program, source }) => console.log(`Chromium, from ${source}: ${program}`),
  (error: unknown) => {
    console.error(reasonOf(error));
    process.exitCode = 1;
  },
);
