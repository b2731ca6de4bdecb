import { deployments, revisions } from "../../emulator";
import { notOk, ok } from "../support/cli-stack";
import { describeWithEngine } from "../support/with-engine";
import { onEmulator } from "./on-emulator";

const platform = onEmulator({ buildSeconds: 0.2 });
const program = (fields: string): string =>
  `new platform.Deployment("desk", { source: "external_docker", sourceRevisionConfig: { imageUri: "a:1" }, ${fields} });`;
const desk = () => platform.emulator.outOfBand(deployments).get("desk");

describeWithEngine("what follows a create", () => {
  test("a display name that could not be set is set by the next up, and by nothing else", async () => {
    platform.emulator.faults.add({ kind: "status", status: 403, method: "PATCH" });
    const stack = await platform.stackOf(program('displayName: "The desk"'));
    expect(notOk(await stack.up())).toMatch(/Deployment "desk" .* was created, but without its displayName/);
    notOk(await stack.preview("--expect-no-changes"));

    platform.emulator.faults.clear();
    ok(await stack.up());
    expect(desk().display_name).toBe("The desk");
    ok(await stack.preview("--expect-no-changes"));
    ok(await stack.refresh("--expect-no-changes"));
    expect(platform.kept(revisions)).toHaveLength(1);
  });

  test("an environment that leaves the program stays on the platform, and leaves the state", async () => {
    const stack = await platform.upOf(
      program('environmentVariables: { LEVEL: "info" }, secrets: { TOKEN: "canary-token" }'),
    );
    stack.write(program('displayName: "The desk"'));
    ok(await stack.up());
    expect(desk().secrets.map(({ name }) => name)).toEqual(["LEVEL", "TOKEN"]);
    platform.emulator.outOfBand(deployments).change("desk", { secrets: [{ name: "BY_HAND", value: "x" }] });
    ok(await stack.refresh("--expect-no-changes"));
    ok(await stack.preview("--expect-no-changes"));
    expect(stack.stateText()).not.toMatch(/LEVEL|TOKEN|environmentVariables/);
    expect(platform.kept(revisions)).toHaveLength(1);
  });
});
