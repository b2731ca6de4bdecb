import { readFileSync, writeFileSync } from "node:fs";
import { delimiter, join } from "node:path";
import { newFolder } from "../../tests/support/new-folder";
import { compareAll, namedStacks } from "./many";

const both = ["acme/shop/prod", "other/shop/prod"];

test.each<[why: string, fullNames: string[], isWide: boolean, names: string[]]>([
  ["short within a project", ["acme/shop/dev", "acme/shop/prod"], false, ["dev", "prod"]],
  ["full where two organizations have one project", both, false, both],
  ["full beyond a project", ["acme/shop/prod"], true, ["acme/shop/prod"]],
])("the names of stacks in a report are %s", (_why, fullNames, isWide, names) =>
  expect(namedStacks(fullNames, isWide).map(({ name }) => name)).toEqual(names),
);

test("each of two stacks of one name has its row, and its own engine", async () => {
  const folder = newFolder();
  const log = join(folder, "log");
  writeFileSync(join(folder, "pulumi"), `#!/bin/sh\necho "$@" >> '${log}'\nexit 1\n`, { mode: 0o755 });
  const environment = { ...process.env, PATH: `${folder}${delimiter}${process.env["PATH"] ?? ""}` };
  const { stacks } = await compareAll(namedStacks(both, false), 1, { folder, environment }, () => undefined);
  expect(stacks.map(({ stack }) => stack)).toEqual(both);
  const compared = readFileSync(log, "utf8").match(/^refresh .*--stack=\S+/gm) ?? [];
  expect(compared.map((line) => line.split("--stack=")[1])).toEqual(both);
});
