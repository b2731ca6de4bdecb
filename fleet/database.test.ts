import { readFileSync } from "node:fs";
import { join } from "node:path";
import { VERSION } from "./database";

test.each(["package.json", "../package.json"])("the version is that of %s", (file) =>
  expect(JSON.parse(readFileSync(join(__dirname, file), "utf8"))).toMatchObject({ version: VERSION }),
);
