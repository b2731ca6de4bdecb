import { writeFileSync } from "node:fs";
import { runMain } from "../base/main";
import { cliPage } from "./cli-page";

// Run by `npm run docs`, at the root of the project, before the site is built.
runMain(async () => writeFileSync("docs/cli.md", await cliPage()));
