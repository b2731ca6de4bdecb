import { platformAgents } from "../../emulator/platform/platform-agent-record";
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

test("a create that could not take the owner away does so the next time", async () => {
  const agent = await platform.resource("PlatformAgent");
  const fault = platform.emulator.faults.add({ kind: "status", status: 403, method: "PATCH" });
  expect(await failureOf(agent.up({ ...program, ownerId: null }))).toMatch(/403/);
  fault.remove();
  platform.emulator.outOfBand(platformAgents).change("desk", { owner_id: "user-1" });
  await agent.up({ ...program, ownerId: null });
  expect(owner()).toBeNull();
});
