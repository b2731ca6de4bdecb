import { readdirSync } from "node:fs";
import * as definitions from ".";
import { folderOf, KINDS, NOUNS } from "./kinds";
import { RESOURCES } from "./registry";

test("kinds.ts and index.ts name the same kinds", () => {
  expect(Object.keys(definitions).sort()).toEqual([...KINDS].sort());
});

test("every folder belongs to a kind", () => {
  const folders = readdirSync(__dirname, { withFileTypes: true }).filter((entry) => entry.isDirectory());
  expect(folders.map(({ name }) => name).sort()).toEqual(KINDS.map(folderOf).sort());
});

test.each(KINDS)("%s has that name in its definition and in its table", (kind) => {
  const { kind: defined, table } = RESOURCES[kind];
  expect([defined, table.kind]).toEqual([kind, kind]);
});

test.each(KINDS)("%s takes extra fields where it has an object that they could be sent for", (kind) => {
  expect("extra" in RESOURCES[kind].table.fields).toBe(NOUNS.some((noun) => noun === kind));
});
