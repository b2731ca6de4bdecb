import { deployments, sandboxTemplates } from "../../emulator";
import { notOk, ok } from "../support/cli-stack";
import { describeWithEngine } from "../support/with-engine";
import { onEmulator } from "./on-emulator";

const platform = onEmulator({ buildSeconds: 0.2, deleteSeconds: 0.2 });

const program = (names: readonly string[], adopt: string, options = "{}"): string =>
  names
    .map(
      (name) => `
  new platform.SandboxTemplate("${name}-template", { name: "code", image: "a", resources: { cpu: "1" }, ${name === "old" ? "" : adopt} }, ${options});
  new platform.Deployment("${name}-agent", {
    name: "agent", source: "external_docker", sourceRevisionConfig: { imageUri: "registry.example/agent:1" }, ${name === "old" ? "" : adopt}
  }, ${options});`,
    )
    .join("\n");

const ids = () => [
  ...platform.kept(sandboxTemplates).map(({ id }) => id),
  ...platform.kept(deployments).map(({ id }) => id),
];

describeWithEngine("a resource that is renamed in Pulumi", () => {
  test.each<[how: string, args: readonly string[]]>([
    ["an up", []],
    ["an up that refreshes first", ["--refresh"]],
  ])("is moved by adopt in %s: nothing is made, changed or deleted", async (_how, args) => {
    const stack = await platform.upOf(program(["old"], ""));
    const before = ids();
    stack.write(program(["new"], "adopt: true,"));
    const output = ok(await stack.up(...args));
    expect(output).toMatch(
      /SandboxTemplate "code" \(.*\) now belongs to another resource of this program, so it stays/,
    );
    expect(platform.writes()).toEqual([]);
    expect(ids()).toEqual(before);
    stack.write(program(["new"], ""));
    ok(await stack.preview("--expect-no-changes"));
    ok(await stack.refresh("--expect-no-changes"));
    // The program still runs, but everything is to go: the declared resources are deleted nevertheless.
    ok(await stack.destroy("--run-program"));
    expect(ids()).toEqual([]);
  });

  test("is moved by adopt to an explicit Platform, which is another process, too", async () => {
    const stack = await platform.upOf(program(["old"], ""));
    const before = ids();
    stack.write(`const own = new platform.Platform("own");` + program(["new"], "adopt: true,", "{ provider: own }"));
    expect(ok(await stack.up())).toMatch(
      /Deployment "agent" \(.*\) now belongs to another resource of this program, so it stays/,
    );
    expect(platform.writes()).toEqual([]);
    expect(ids()).toEqual(before);
    ok(await stack.preview("--expect-no-changes"));
  });

  test("declared under both names is refused, and both stay as they are", async () => {
    const stack = await platform.upOf(program(["old"], ""));
    const before = ids();
    stack.write(program(["old", "new"], "adopt: true,"));
    expect(notOk(await stack.up())).toMatch(/would belong to two resources of this program/);
    expect(platform.writes()).toEqual([]);
    expect(ids()).toEqual(before);
    stack.write(program(["old"], ""));
    ok(await stack.up());
    ok(await stack.preview("--refresh", "--expect-no-changes"));
    expect(ids()).toEqual(before);
    stack.write("");
    ok(await stack.up("--refresh"));
    expect(ids()).toEqual([]);
  });
});
