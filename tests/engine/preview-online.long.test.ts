import { notOk } from "../support/cli-stack";
import { describeWithEngine } from "../support/with-engine";
import { onEmulator } from "./on-emulator";
import { ask } from "../support/ask";

const platform = onEmulator({ buildSeconds: 0 });
const template = (more = "") =>
  `new platform.SandboxTemplate("code", { image: "python:3.12", resources: { cpu: "1" }, ${more} });`;

async function makeByHand(): Promise<void> {
  const code = { name: "code", image: "python:3.12", resources: { cpu: "1" } };
  await ask(platform.emulator, "POST", "/v2/sandboxes/templates", code);
  platform.emulator.clearLog();
}

describeWithEngine("a preview that asks the platform", () => {
  test.each(["dynamic", "native"] as const)(
    "%s: it refuses a name that is taken, tells what adopting does, and sends nothing where nothing changes",
    async (front) => {
      const stack = await platform.stackOf(template(), {}, front);
      await makeByHand();
      // Off by default: what is there shows in `up` alone.
      expect((await stack.preview()).code).toBe(0);
      expect(platform.emulator.requests).toEqual([]);

      await stack.configure({ "agent-platform:preview": "online" });
      expect(notOk(await stack.preview())).toMatch(
        /SandboxTemplate "code" already exists on the platform .* take it over with `adopt: true`/s,
      );

      stack.write(template("adopt: true"));
      const adopting = await stack.preview();
      expect([adopting.code, adopting.output]).toEqual([0, expect.stringMatching(/the key works/)]);
      expect(adopting.output).toMatch(
        /SandboxTemplate "code" \(.*\) will be adopted: it is as declared, so nothing is sent\./,
      );
      expect(platform.writes()).toEqual([]);
      expect((await stack.up()).code).toBe(0);

      platform.emulator.clearLog();
      await stack.succeed("preview", "--expect-no-changes");
      expect(platform.emulator.requests).toEqual([]);
    },
  );
});
