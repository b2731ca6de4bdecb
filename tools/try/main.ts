import { join } from "node:path";
import { runTryCommand } from "./commands";
import { keepPlatform } from "./platform";
import { InterruptedError } from "./pulumi";

// dist/tools/try/main.js, so the checkout is three folders up.
const checkout = join(__dirname, "..", "..", "..");

const [, , name = "start"] = process.argv;
(name === "platform" ? keepPlatform(checkout) : runTryCommand(name, checkout)).then(
  (code) => {
    process.exitCode = code;
  },
  (error: unknown) => {
    console.error(error instanceof Error ? error.message : error);
    process.exitCode = error instanceof InterruptedError ? 130 : 1;
  },
);
