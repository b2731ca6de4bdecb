import { reasonOf } from "../engine/command";
import { findCheckout } from "../engine/layout";
import { runTryCommand } from "./commands";
import { keepPlatform } from "./platform";

const checkout = findCheckout();

const [, , name = "start"] = process.argv;
(name === "platform" ? keepPlatform(checkout) : runTryCommand(name, checkout)).then(
  (code) => {
    process.exitCode = code;
  },
  (error: unknown) => {
    console.error(reasonOf(error));
    process.exitCode = 1;
  },
);
