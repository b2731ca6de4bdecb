import { listeners } from "../../emulator";
import type { JsonObject } from "../../provider/base/json";
import type { ManagedType } from "../../provider/resources/resource-types";
import { CASES } from "./cases";
import { PlatformUnderTest } from "../support/platform-under-test";
import { ofSuite } from "../support/of-suite";

// `extra` carries fields of the platform that this version does not know. The platform need not show them.

const platform = ofSuite(PlatformUnderTest.prototype, () => PlatformUnderTest.start({ buildSeconds: 1 }));

type Extended = Extract<ManagedType, "OAuthProvider" | "SandboxTemplate" | "Listener">;
const KINDS: readonly Extended[] = ["OAuthProvider", "SandboxTemplate", "Listener"];
const program = (kind: Extended, extra?: JsonObject): JsonObject => ({
  ...CASES[kind].program,
  ...(extra === undefined ? {} : { extra }),
});
const made = async (kind: Extended, extra: JsonObject) => {
  const resource = await platform.resource(kind);
  await resource.up(program(kind, extra));
  return resource;
};
const bodies = (method: string): unknown[] =>
  platform.emulator.requests.filter((request) => request.method === method).map(({ requestBody }) => requestBody);

test.each(KINDS)("%s: a create carries it, it is never drift, and removing it changes nothing", async (kind) => {
  const resource = await made(kind, { future_field: { a: [true] } });
  expect(bodies("POST")).toEqual([expect.objectContaining({ future_field: { a: ["<boolean>"] } })]);
  expect(await resource.refresh()).toBe(false);
  expect(await resource.up(program(kind, { future_field: { a: [true] } }))).toBe("same");
  expect(await resource.up(program(kind))).toBe("same");
});

test("OAuthProvider: a change is a PATCH of it alone, and a PATCH of something else leaves it out", async () => {
  const resource = await made("OAuthProvider", { future_field: 1, other_field: 1 });
  expect(await resource.up(program("OAuthProvider", { future_field: 2, other_field: 1 }))).toBe("update");
  await resource.up({ ...program("OAuthProvider", { future_field: 2, other_field: 1 }), name: "Another" });
  expect(bodies("PATCH")).toEqual([{ future_field: "<number>" }, { name: "Another" }]);
});

test("Listener: it lies over the declaration, and every PATCH carries it", async () => {
  const resource = await made("Listener", { version: "1" });
  await resource.up(program("Listener", { version: "2" }));
  expect(platform.emulator.outOfBand(listeners).list()).toMatchObject([{ version: "2" }]);
});

test("SandboxTemplate: only a create takes it, so a change replaces", async () => {
  const resource = await made("SandboxTemplate", { future_field: 1 });
  expect(await resource.up(program("SandboxTemplate", { future_field: 2 }))).toBe("replace");
});

test.each(["SandboxTemplate", "SandboxSnapshot", "SandboxVolume"] as const)(
  "%s: an adoption leaves out what only a create takes",
  async (kind) => {
    const declared = { ...CASES[kind].program, extra: { future_field: 1 } };
    await (await platform.resource(kind)).up(declared);
    platform.newProcess();
    platform.emulator.clearLog();
    const other = await platform.resource(kind);
    expect(await other.up({ ...declared, adopt: true })).toBe("create");
    expect(platform.changing()).toEqual([]);
  },
);
