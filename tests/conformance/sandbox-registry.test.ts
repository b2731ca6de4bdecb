import { sandboxRegistries } from "../../emulator/routes/sandbox-registries";
import { declarationOf } from "../../provider/lifecycle/observe/shortest-declaration";
import { RESOURCES } from "../../provider/resources/registry";
import { connectionTo } from "../support/connection";
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

describe("by AWS role", () => {
  const { username: _user, password: _password, ...place } = program;
  const role = { authType: "AWS_ROLE", awsRoleArn: "arn:aws:iam::123456789012:role/pull" };
  const other = "arn:aws-us-gov:iam::123456789012:role/other/pull";
  const byRole = { ...place, ...role };

  test("it is made without user and password, and stays as it is", async () => {
    const registry = await platform.resource("SandboxRegistry");
    await registry.up(byRole);
    expect(stored("images")).toMatchObject({ auth_type: "AWS_ROLE", aws_role_arn: role.awsRoleArn });
    expect(Object.keys(registry.current.outputs)).not.toContain("password");
    expect(await registry.refresh()).toBe(false);
    expect(await registry.up(byRole)).toBe("same");
  });

  test("another role, there or in the program, is one PATCH of the role alone", async () => {
    const registry = await platform.resource("SandboxRegistry");
    await registry.up(byRole);
    platform.emulator.outOfBand(sandboxRegistries).change("images", { aws_role_arn: other });
    expect(await registry.refresh()).toBe(true);
    platform.emulator.clearLog();
    await registry.up(byRole);
    await registry.up({ ...byRole, awsRoleArn: other });
    const patch = ["/v2/sandboxes/registries/images", { aws_role_arn: "<string>" }];
    expect(bodies()).toEqual([patch, patch]);
    expect(stored("images")).toMatchObject({ aws_role_arn: other });
  });

  test("a password gives way to a role and comes back, each in one PATCH of the same object", async () => {
    const registry = await made();
    const { id } = registry.current;
    await registry.up(byRole);
    expect(stored("images")).toMatchObject({ auth_type: "AWS_ROLE", aws_role_arn: role.awsRoleArn });
    expect(registry.current.outputs).not.toHaveProperty("password");
    expect(await registry.refresh()).toBe(false);
    await registry.up(program);
    expect(stored("images")).toMatchObject({ ...program, auth_type: "DOCKER_CONFIG" });
    expect(registry.current.outputs).not.toHaveProperty("awsRoleArn");
    expect(await registry.refresh()).toBe(false);
    expect(registry.current.id).toBe(id);
    expect(bodies()).toEqual([
      ["/v2/sandboxes/registries/images", { auth_type: "<string>", aws_role_arn: "<string>" }],
      ["/v2/sandboxes/registries/images", { auth_type: "<string>", username: "<string>", password: "<string>" }],
    ]);
  });

  test("a role that is taken out needs user and password in its place", async () => {
    const registry = await platform.resource("SandboxRegistry");
    await registry.up(byRole);
    platform.emulator.clearLog();
    await expect(registry.up(place)).rejects.toThrow(/username: is required/);
    expect(bodies()).toEqual([]);
  });

  const theirs = { auth_type: "AWS_ROLE", aws_role_arn: other };
  describe.each([
    ["says authType", { ...program, authType: "DOCKER_CONFIG" }],
    ["has user and password alone", program],
  ])("where the program %s", (_what, declared) => {
    test.each<[what: string, act: () => Promise<unknown>]>([
      ["switched", () => platform.ask("PATCH", "/v2/sandboxes/registries/images", theirs)],
      [
        "made anew with",
        async () => {
          platform.emulator.outOfBand(sandboxRegistries).remove("images");
          await platform.ask("POST", "/v2/sandboxes/registries", { ...place, ...theirs });
        },
      ],
    ])("what somebody has %s a role gets its password back", async (_how, act) => {
      const registry = await platform.resource("SandboxRegistry");
      await registry.up(declared);
      await act();
      expect(await registry.refresh()).toBe(true);
      await registry.refresh();
      await registry.up(declared);
      expect(stored("images")).toMatchObject({ ...program, auth_type: "DOCKER_CONFIG" });
      expect(await registry.refresh()).toBe(false);
      expect(await registry.up(declared)).toBe("same");
    });
  });

  test("adopted with a password, it gets that in place of its role", async () => {
    await platform.ask("POST", "/v2/sandboxes/registries", { ...place, auth_type: "AWS_ROLE", aws_role_arn: other });
    const registry = await platform.resource("SandboxRegistry");
    await registry.up({ ...program, adopt: true });
    expect(stored("images")).toMatchObject({ ...program, auth_type: "DOCKER_CONFIG" });
  });

  test("an import declares the role and asks for nothing else; one with a password asks for both", () => {
    const connection = connectionTo("https://platform.example");
    const declared = declarationOf(RESOURCES.SandboxRegistry, { id: "1", inputs: byRole }, connection);
    expect(declared).toEqual({ inputs: byRole, refused: [], needs: [], isRefused: false });
    const needs = declarationOf(RESOURCES.SandboxRegistry, { id: "1", inputs: place }, connection).needs;
    expect(needs).toEqual(["username", "password"]);
  });
});
