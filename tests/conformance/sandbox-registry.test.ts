import { sandboxRegistries } from "../../emulator/routes/sandbox-registries";
import { CheckFailed } from "../support/engine-model";
import { failureOf, PlatformUnderTest } from "../support/platform-under-test";
import { ofSuite } from "../support/of-suite";

const platform = ofSuite(PlatformUnderTest.prototype, () => PlatformUnderTest.start());

const program = { name: "images", url: "registry.example", username: "puller", password: "registry-password" };
const stored = (name: string) => platform.emulator.outOfBand(sandboxRegistries).get(name);
const made = async () => {
  const registry = await platform.resource("SandboxRegistry");
  await registry.up(program);
  platform.emulator.clearLog();
  return registry;
};
const bodies = () =>
  platform.emulator.requests
    .filter(({ method }) => method === "PATCH")
    .map(({ path, requestBody }) => [path, requestBody]);

test.each([
  ["a rename", { ...program, name: "mirror" }, { name: "mirror" }],
  ["a new password", { ...program, password: "another-password" }, { password: "<string>" }],
])("%s is one PATCH that carries nothing else, at the name that it has, and the id stays", async (_what, to, body) => {
  const registry = await made();
  const { id } = registry.current;
  await registry.up(to);
  expect(bodies()).toEqual([["/v2/sandboxes/registries/images", body]]);
  expect(registry.current.id).toBe(id);
  expect(stored(to.name)).toMatchObject(to);
});

test("a rename whose answer is lost is found again, and what else changed is there once", async () => {
  const registry = await made();
  platform.emulator.faults.add({ kind: "reset-after-commit", method: "PATCH", count: 1 });
  await registry.up({ ...program, name: "mirror", url: "mirror.example" });
  expect(stored("mirror")).toMatchObject({ url: "mirror.example" });
  expect(await registry.refresh()).toBe(false);
});

test("one that was renamed by somebody else is found by its id, and gets its name back", async () => {
  const registry = await made();
  platform.emulator.outOfBand(sandboxRegistries).change("images", { name: "theirs" });
  platform.newProcess();
  expect(await registry.refresh()).toBe(true);
  await registry.up(program);
  expect(stored("images")).toMatchObject(program);
  await registry.destroy();
  expect(platform.emulator.outOfBand(sandboxRegistries).list()).toEqual([]);
});

test("a name that another registry has is refused in words that name both", async () => {
  const registry = await made();
  await platform.ask("POST", "/v2/sandboxes/registries", { ...program, name: "taken" });
  const error = await failureOf(registry.up({ ...program, name: "taken" }));
  expect(error).toMatch('SandboxRegistry "images" cannot be renamed to "taken": another SandboxRegistry has that name');
  expect(stored("images")).toMatchObject(program);
});

test("adopted, it gets the declared credentials, which nobody can compare", async () => {
  await platform.ask("POST", "/v2/sandboxes/registries", { ...program, password: "before" });
  platform.emulator.clearLog();
  const registry = await platform.resource("SandboxRegistry");
  await registry.up({ ...program, adopt: true });
  expect(bodies()).toEqual([["/v2/sandboxes/registries/images", { username: "<string>", password: "<string>" }]]);
});

test("a property that is missing or empty is refused by its name, before any request", async () => {
  const registry = await platform.resource("SandboxRegistry");
  const error = await registry.up({ name: "images", url: "", password: "" }).catch((reason: unknown) => reason);
  expect(error).toBeInstanceOf(CheckFailed);
  expect(String(error)).toMatch(/url: .*username: is required.*password: must not be empty/s);
  expect(platform.emulator.requests).toEqual([]);
});

test("one that somebody deleted and made anew has credentials that nobody knows: a problem, until they are sent", async () => {
  const registry = await made();
  platform.emulator.outOfBand(sandboxRegistries).remove(registry.current.id);
  const theirs = { ...program, username: "them", password: "their-password" };
  await platform.ask("POST", "/v2/sandboxes/registries", theirs);
  platform.emulator.clearLog();
  expect(await registry.refresh()).toBe(true);
  // A second look says nothing more of them.
  expect(await registry.refresh()).toBe(true);
  expect(registry.current.outputs["problem"]).toBe(
    "was deleted and made anew outside of this stack; its username, password may not be as declared",
  );
  expect(await registry.up(program)).toBe("update");
  expect(stored("images")).toMatchObject(program);
  expect(registry.current.outputs).not.toHaveProperty("problem");
  expect(await registry.refresh()).toBe(false);
});
