import { reasonOf } from "../engine/command";
import { ensureChromium } from "./find";

async function main(args: readonly string[]): Promise<void> {
  if (args.join(" ") !== "install") throw new Error("`npm run browser -- install` finds Chromium, or fetches it once.");
  const { program, source } = await ensureChromium();
  console.log(`Chromium, from ${source}: ${program}`);
}

main(process.argv.slice(2)).catch((error: unknown) => {
  console.error(reasonOf(error));
  process.exitCode = 1;
});
