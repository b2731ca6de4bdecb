import { listeners } from "../../emulator";
import { CheckFailed } from "../support/engine-model";
import { failureOf, PlatformUnderTest } from "../support/platform-under-test";
import { ofSuite } from "../support/of-suite";

const platform = ofSuite(PlatformUnderTest.prototype, () => PlatformUnderTest.start());

const program = { computeId: "prod", computeConfig: { k8sNamespaces: ["a", "b"] } };
const stored = () => platform.emulator.outOfBand(listeners).get("prod");

test("a namespace that is named no more, or none at all, is one PATCH that says so", async () => {
  const listener = await platform.resource("Listener");
  await listener.up(program);
  expect(stored()).toMatchObject({ compute_type: "k8s", compute_config: { k8s_namespaces: ["a", "b"] } });
  await listener.up({ ...program, computeConfig: { k8sNamespaces: ["b"] } });
  expect(stored().compute_config).toEqual({ k8s_namespaces: ["b"] });
  await listener.up({ ...program, computeConfig: {} });
  expect(stored().compute_config).toEqual({ k8s_namespaces: null });
  expect(platform.changing()).toEqual(["POST", "PATCH", "PATCH"]);
  expect(await listener.refresh()).toBe(false);
});

test("an update of something else leaves namespaces that the program does not declare", async () => {
  const maker = await platform.resource("Listener");
  await maker.up({ computeId: "prod-eu", computeConfig: { k8sNamespaces: ["a"] } });
  const listener = await platform.resource("Listener");
  await listener.up({ computeId: "prod-eu", computeConfig: {}, adopt: true });
  await listener.up({ computeId: "prod-eu", computeConfig: {}, extra: { note: "n" } });
  expect(platform.emulator.outOfBand(listeners).list()).toMatchObject([{ compute_config: { k8s_namespaces: ["a"] } }]);
});

describe("state of contract extended under contract documented, which has no listeners", () => {
  const made = async () => {
    const before = await platform.resource("Listener");
    await before.up(program);
    const after = await platform.resource("Listener", { contract: "documented" });
    after.state = before.state;
    platform.emulator.clearLog();
    return after;
  };

  test("unchanged, it is kept without a request", async () => {
    const listener = await made();
    expect(await listener.refresh()).toBe(false);
    expect(await listener.up(program)).toBe("same");
    expect(platform.emulator.requests).toEqual([]);
  });

  test.each([
    ["an update", { ...program, computeConfig: {} }, "computeConfig.k8sNamespaces"],
    ["a replacement under another id", { ...program, computeId: "other" }, "computeId"],
  ])("%s is refused in check, before any request", async (_what, changed, path) => {
    const listener = await made();
    const error = await listener.up(changed).catch((reason: unknown) => reason);
    expect(error).toBeInstanceOf(CheckFailed);
    expect(String(error)).toContain(`${path}: contract "documented" has no endpoint for a Listener`);
    expect(platform.emulator.requests).toEqual([]);
  });

  test("a forced replacement, which no check sees, sends no POST", async () => {
    const listener = await made();
    expect(await failureOf(listener.handler.create(program))).toMatch(/has no endpoint for a Listener/);
    expect(platform.emulator.requests).toEqual([]);
  });

  test("a delete leaves it, with a warning that names it", async () => {
    const listener = await made();
    await listener.destroy();
    expect(platform.warnings.join()).toMatch(/Listener "prod" .* stays on the platform/);
    expect(platform.emulator.requests).toEqual([]);
  });
});
