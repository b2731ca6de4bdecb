import { runMain } from "../base/main";
import { findCheckout } from "../engine/layout";
import { runTryCommand } from "./commands";
import { keepPlatform } from "./platform";

runMain(([name = "start"]) =>
  name === "platform" ? keepPlatform(findCheckout()) : runTryCommand(name, findCheckout()),
);
