import { UNKNOWN } from "../../provider/base/json";
import { platformAgents } from "../../emulator/platform/resource-records";
import { ask } from "../support/ask";
import { ofSuite } from "../support/of-suite";
import { failureOf, PlatformUnderTest } from "../support/platform-under-test";

const platform = ofSuite(PlatformUnderTest.prototype, () => PlatformUnderTest.start());
const program = { agentId: "desk" };
const owner = () => platform.emulator.outOfBand(platformAgents).get("desk").owner_id;

// The platform makes whose key it is the owner. What is left out is not managed; null is: nobody.
test("an owner who is declared to be nobody is taken away, and only once", async () => {
  const agent = await platform.resource("PlatformAgent");
  await agent.up(program);
  platform.emulator.outOfBand(platformAgents).change("desk", { owner_id: "user-1" });
  expect(await agent.up(program)).toBe("same");
  expect(await agent.up({ ...program, ownerId: null })).toBe("update");
  expect(owner()).toBeNull();
  expect(await agent.refresh()).toBe(false);
  expect(await agent.up({ ...program, ownerId: null })).toBe("same");
});

test("whether one that somebody has made anew has only production, nobody knows: it is refused by name, and stays", async () => {
  const agent = await platform.resource("PlatformAgent");
  const fleet = { ...program, sourceType: "FLEET", productionOnly: true };
  await agent.up(fleet);
  await ask(platform.emulator, "DELETE", "/v1/agents/desk");
  await ask(platform.emulator, "POST", "/v1/agents", { id: "desk", source_type: "FLEET" });
  platform.newProcess();
  const { id } = platform.emulator.outOfBand(platformAgents).get("desk");
  expect(await agent.refresh()).toBe(true);
  expect(agent.current.outputs["problem"]).toMatch(/its productionOnly may not be as declared$/);
  platform.newProcess();
  await agent.refresh();
  const { productionOnly: _, ...without } = fleet;
  for (const declared of [fleet, without])
    expect(await failureOf(agent.up(declared))).toMatch(
      /productionOnly: nobody knows it of an agent that was made anew/,
    );
  expect(platform.emulator.outOfBand(platformAgents).get("desk").id).toBe(id);
  // As the error says.
  await ask(platform.emulator, "DELETE", "/v1/agents/desk");
  platform.newProcess();
  await agent.refresh();
  await agent.up(fleet);
  expect(platform.emulator.outOfBand(platformAgents).get("desk").environments).toHaveLength(1);
});

test("a source type that is not known yet may be the one that it has; any other is refused", async () => {
  const agent = await platform.resource("PlatformAgent");
  await agent.up({ ...program, sourceType: "LSD" });
  const { inputs } = agent.current;
  const refused = async (sourceType: string) => (await agent.handler.check(inputs, { ...inputs, sourceType })).failures;
  expect(await refused(UNKNOWN)).toEqual([]);
  expect(await refused("MDA")).toHaveLength(1);
});

test("a create that could not take the owner away does so the next time", async () => {
  const agent = await platform.resource("PlatformAgent");
  const fault = platform.emulator.faults.add({ kind: "status", status: 403, method: "PATCH" });
  expect(await failureOf(agent.up({ ...program, ownerId: null }))).toMatch(/403/);
  fault.remove();
  platform.emulator.outOfBand(platformAgents).change("desk", { owner_id: "user-1" });
  await agent.up({ ...program, ownerId: null });
  expect(owner()).toBeNull();
});
