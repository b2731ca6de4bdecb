import { writeFileSync } from "node:fs";
import { cliPage } from "./cli-page";

// Run by `npm run docs`, at the root of the project, before the site is built.
cliPage().then(
  (page) => writeFileSync("docs/cli.md", page),
  (error: unknown) => {
    process.stderr.write(`error: ${String(error)}\n`);
    process.exitCode = 1;
  },
);
