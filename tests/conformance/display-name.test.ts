import { deployments, revisions } from "../../emulator";
import type { EngineModel } from "../support/engine-model";
import { failureOf, PlatformUnderTest } from "../support/platform-under-test";
import { ofSuite } from "../support/of-suite";

// docs/internals/platform.md, Deployments: a create does not take display_name; official clients send it in a PATCH afterwards.

const platform = ofSuite(PlatformUnderTest.prototype, () => PlatformUnderTest.start({ buildSeconds: 600 }));
const program = {
  name: "agent",
  source: "external_docker",
  sourceRevisionConfig: { imageUri: "a:1" },
  displayName: "The agent",
};
const live = () => platform.emulator.outOfBand(deployments).get("agent");
const bodyOf = (method: string): unknown =>
  platform.emulator.requests.find((request) => request.method === method)?.requestBody;
const resource = (): Promise<EngineModel> => platform.resource("Deployment");

test("it is sent once the deployment is there, and makes no revision", async () => {
  const agent = await resource();
  await agent.up(program);
  expect(platform.changing()).toEqual(["POST", "PATCH"]);
  expect(bodyOf("POST")).not.toHaveProperty("display_name");
  expect(bodyOf("PATCH")).toEqual({ display_name: "<string>" });
  expect(live().display_name).toBe("The agent");
  expect(platform.emulator.outOfBand(revisions).list()).toHaveLength(1);
  expect(await agent.up(program)).toBe("same");
  expect(await agent.refresh()).toBe(false);
});

test("if the PATCH fails, the create fails with the deployment in state, and the next up sends it", async () => {
  platform.emulator.faults.add({ kind: "status", status: 403, method: "PATCH" });
  const agent = await resource();
  expect(await failureOf(agent.up(program))).toMatch(
    /^Deployment "agent" \(.*\) was created, but without its displayName: .*403.*Run `pulumi up` again, which sends it/,
  );
  expect(agent.current.outputs).not.toHaveProperty("displayName");
  // It is missing, and a refresh says so.
  expect(await agent.refresh()).toBe(true);

  platform.emulator.faults.clear();
  platform.emulator.clearLog();
  expect(await agent.up(program)).toBe("update");
  expect(platform.changing()).toEqual(["PATCH"]);
  expect(live().display_name).toBe("The agent");
  expect(platform.emulator.outOfBand(revisions).list()).toHaveLength(1);
  expect(await agent.up(program)).toBe("same");
});

test("one that the platform has taken cannot be taken out again: the preview refuses", async () => {
  const agent = await resource();
  await agent.up(program);
  platform.emulator.clearLog();
  const { displayName: _, ...without } = program;
  expect(await failureOf(agent.up(without))).toMatch(/^displayName: cannot be removed/);
  expect(platform.emulator.requests).toEqual([]);
});

test("one that the platform has refused can be taken out again", async () => {
  platform.emulator.faults.add({ kind: "status", status: 400, method: "PATCH" });
  const agent = await resource();
  expect(await failureOf(agent.up(program))).toMatch(/was created, but without its displayName/);
  platform.emulator.faults.clear();
  platform.emulator.clearLog();
  const { displayName: _, ...without } = program;
  await agent.up(without);
  expect(platform.changing()).toEqual([]);
  expect(await agent.up(without)).toBe("same");
});

test("a PATCH whose answer is lost is sent again: it sets a value", async () => {
  platform.emulator.faults.add({ kind: "reset-after-commit", method: "PATCH", count: 1 });
  const agent = await resource();
  await agent.up(program);
  expect(platform.changing()).toEqual(["POST", "PATCH", "PATCH"]);
  expect(await agent.up(program)).toBe("same");
});

test("a run that was killed between the two is mended by adopting", async () => {
  const { displayName: _, ...without } = program;
  // What such a run leaves on the platform; nothing of it is in state.
  await (await resource()).up(without);
  platform.newProcess();
  const agent = await resource();
  expect(await failureOf(agent.up(program))).toMatch(/already exists on the platform.*equals.*adopt: true/);
  platform.emulator.clearLog();
  await agent.up({ ...program, adopt: true });
  expect(platform.changing()).toEqual(["PATCH"]);
  expect(live().display_name).toBe("The agent");
});

test("a deployment of another display name is not the one that was asked for", async () => {
  await (await resource()).up({ ...program, displayName: "Another" });
  platform.newProcess();
  expect(await failureOf((await resource()).up(program))).toMatch(/differs from this declaration in displayName\./);
});
