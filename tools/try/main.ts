import { reasonOf } from "../engine/command";
import { findCheckout } from "../engine/layout";
import { runTryCommand } from "./commands";
import { keepPlatform } from "./platform";
import { InterruptedError } from "./pulumi";

const checkout = findCheckout();

const [, , name = "start"] = process.argv;
(name === "platform" ? keepPlatform(checkout) : runTryCommand(name, checkout)).then(
  (code) => {
    process.exitCode = code;
  },
  (error: unknown) => {
    console.error(reasonOf(error));
    process.exitCode = error instanceof InterruptedError ? 130 : 1;
  },
);
