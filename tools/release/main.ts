import { statSync } from "node:fs";
import { join } from "node:path";
import { runMain } from "../base/main";
import { findCheckout } from "../engine/layout";
import { logToStderr as log } from "../engine/ways";
import { commitTime, pathsOf } from "./tree";
import { makeRelease } from "./release";

/** Makes all artefacts of a release in .state/release. */
runMain(async (args) => {
  const checkout = findCheckout();
  if (args.join(" ") !== "--dry-run") {
    throw new Error(
      "Only the forge's workflow publishes, with its own tokens and after a dry run.\n" +
        "To make the artefacts here: npm run release -- --dry-run",
    );
  }
  const place = { checkout, env: process.env, log, time: await commitTime({ checkout, env: process.env }) };
  const folder = join(checkout, ".state", "release");
  const missing = await makeRelease(place, folder);
  // Without the files of the Go module's folder, which its archive has, too.
  for (const path of pathsOf(folder).filter((each) => each.split("/").length < 3)) {
    const kilobytes = Math.ceil(statSync(join(folder, path)).size / 1000);
    process.stdout.write(`${String(kilobytes).padStart(7)} kB  ${path}\n`);
  }
  for (const sentence of missing) log(sentence);
  log("Nothing was published. The artefacts are in .state/release.");
});
