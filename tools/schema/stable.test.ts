import { readFileSync } from "node:fs";
import { join } from "node:path";
import { version } from "../../provider/base/version";
import { breaksOf, showBreak, unmeant } from "./breaks";
import { Schema } from "./shape";

const read = (file: string): string => readFileSync(join(__dirname, "..", "..", file), "utf8");
const schemaIn = (file: string): Schema => Schema.parse(JSON.parse(read(file)));

// What to do is in the message; a break that is meant needs a new major version, and a line in CHANGELOG.md.
test("programs for the schema of the last release work with today's", () => {
  const [released, current] = [schemaIn("tools/schema/released.json"), schemaIn("plugin/schema.json")];
  const release = { version: version(), changelog: read("CHANGELOG.md") };
  expect(unmeant(breaksOf(released, current), released, release).map(showBreak)).toEqual([]);
});
