import { existsSync } from "node:fs";
import { dirname, join } from "node:path";
import { newFolder } from "../tests/support/new-folder";
import { checkLease, inDatabase, lineFor } from "./commands";

const refuse = (): Promise<never> => Promise.reject(new Error("it was opened"));

test("a mistyped fleet file is refused, and nothing is made beside it", async () => {
  const file = join(newFolder(), "typo", "fleet.yaml");
  const opening = inDatabase({ file }, false, refuse);
  await expect(opening).rejects.toThrow(`${file} does not exist: name the fleet's file with --file`);
  expect(existsSync(dirname(file))).toBe(false);
  // A worker elsewhere than in a checkout would take stacks and fail them.
  const working = inDatabase({ file, database: "postgres://127.0.0.1:1/fleet" }, true, refuse);
  await expect(working).rejects.toThrow(`${file} does not exist: name the fleet's file with --file`);
});

test.each(["abc", "0", "-1", "1e9", "Infinity"])("FLEET_LEASE_SECONDS=%s is refused by its name", (lease) => {
  expect(() => checkLease(Number(lease))).toThrow(
    "FLEET_LEASE_SECONDS must be a number of seconds from 1 to 86400: correct it, or unset it",
  );
});

test.each([
  ["postgres://127.0.0.1:1/fleet", "postgres://127.0.0.1:1/fleet"],
  ["postgres://anna:horse@127.0.0.1:1/fleet", "postgres://[secret]@127.0.0.1:1/fleet"],
  ["postgres://127.0.0.1:1/fleet?password=pw-of-anna", "'postgres://127.0.0.1:1/fleet?password=[secret]'"],
])("a command line with the database %s is for people to run, without its password", async (database, shown) => {
  const given = { file: "fleet.yaml", database };
  await expect(inDatabase(given, false, refuse)).rejects.toThrow("cannot be used");
  expect(lineFor(given, "up")).toBe(`agent-platform-fleet up --database ${shown}`);
});
