import { readdirSync } from "node:fs";
import * as definitions from ".";
import { folderOf, RESOURCE_TYPES, MANAGED_TYPES } from "./resource-types";
import { RESOURCES } from "./registry";

test("resource-types.ts and index.ts name the same types", () => {
  expect(Object.keys(definitions).sort()).toEqual([...RESOURCE_TYPES].sort());
});

test("every folder belongs to a kind", () => {
  const folders = readdirSync(__dirname, { withFileTypes: true }).filter((entry) => entry.isDirectory());
  expect(folders.map(({ name }) => name).sort()).toEqual(RESOURCE_TYPES.map(folderOf).sort());
});

test.each(RESOURCE_TYPES)("%s takes extra fields where it has an object that they could be sent for", (kind) => {
  expect("extra" in RESOURCES[kind].table.fields).toBe(MANAGED_TYPES.some((managedType) => managedType === kind));
});
