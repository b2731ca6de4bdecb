import { sandboxSnapshots } from "../../emulator";
import { ok } from "../support/cli-stack";
import { describeWithEngine } from "../support/with-engine";
import { onEmulator } from "./on-emulator";

const platform = onEmulator({ buildSeconds: 0.2 });
const program = (image: string) =>
  `const { SandboxSnapshot } = require("pulumi-agent-platform");
   exports.id = new SandboxSnapshot("python", { dockerImage: "${image}", fsCapacityBytes: 1000 }).id;`;
const ids = () =>
  platform.emulator
    .outOfBand(sandboxSnapshots)
    .list()
    .map(({ id }) => id);

describeWithEngine("a snapshot", () => {
  test("is built before the one that it replaces is deleted; a build that fails costs nothing", async () => {
    const stack = await platform.stackOf(program("a:1"));
    ok(await stack.up());
    ok(await stack.preview("--expect-no-changes"));
    const [first = ""] = ids();
    stack.write(program("a:emulator-fail-build"));
    const failed = await stack.up();
    expect(failed.code).not.toBe(0);
    expect(failed.output).toContain(`python:latest moves from snapshot ${first} to a new one`);
    expect(failed.output).toContain("its build failed: The image could not be pulled or unpacked. It was of no use");
    expect(ids()).toEqual([first]);
    stack.write(program("a:2"));
    ok(await stack.up());
    expect(ids()).toHaveLength(1);
    expect(ids()).not.toContain(first);
    ok(await stack.refresh("--expect-no-changes"));
    ok(await stack.preview("--expect-no-changes"));
    ok(await stack.destroy());
    expect(ids()).toEqual([]);
  });

  test("is kept by a forced replacement: it is found by the key of its resource", async () => {
    const stack = await platform.stackOf(program("a:1"));
    ok(await stack.up());
    const before = ids();
    const [urn = ""] = stack.resources().flatMap(({ urn: each }) => (each.endsWith("::python") ? [each] : []));
    ok(await stack.up("--target-replace", urn));
    expect(ids()).toEqual(before);
    ok(await stack.preview("--expect-no-changes"));
    ok(await stack.destroy());
    expect(ids()).toEqual([]);
  });
});
