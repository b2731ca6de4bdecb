import { sandboxSnapshots } from "../../emulator";
import { cliCommand } from "../support/cli-command";
import { notOk, ok, type CliStack } from "../support/cli-stack";
import { describeWithEngine } from "../support/with-engine";
import { onEmulator } from "./on-emulator";
import { ask } from "../support/ask";

const platform = onEmulator({ buildSeconds: 0.2 });
const program = (image: string) =>
  `const { SandboxSnapshot } = require("pulumi-agent-platform");
   exports.id = new SandboxSnapshot("python", { dockerImage: "${image}", fsCapacityBytes: 1000 }).id;`;
const ids = () => platform.kept(sandboxSnapshots).map(({ id }) => id);

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

  const theirs = () => ids().at(-1) ?? "";
  const ways: [way: string, act: (stack: CliStack) => void][] = [
    ["deleted", () => platform.emulator.outOfBand(sandboxSnapshots).remove(theirs())],
    ["taken over", (stack) => stack.write(program("b:1").replace("fsCap", `adopt: true, fsCap`))],
    ["left alone, for another tag", (stack) => stack.write(program("a:1").replace("fsCap", `tag: "mine", fsCap`))],
  ];
  test.each(ways)(
    "that has lost its tag to another one: drift says the same until that one is %s",
    async (_way, act) => {
      const stack = await platform.upOf(program("a:1"));
      const body = { name: "python", docker_image: "b:1", fs_capacity_bytes: 1000 };
      await ask(platform.emulator, "POST", "/v2/sandboxes/snapshots", body);
      const first = await cliCommand(stack, "drift");
      expect(first.code).toBe(7);
      expect(first.stdout).toMatch(
        /problem: another snapshot has its tag, latest\n {2}next: .*first delete that one, take it over/,
      );
      notOk(await stack.up("--refresh"));
      expect((await cliCommand(stack, "drift")).stdout).toBe(first.stdout);
      act(stack);
      ok(await stack.up("--refresh"));
      expect((await cliCommand(stack, "drift")).code).toBe(0);
      ok(await stack.preview("--expect-no-changes"));
    },
  );
});
