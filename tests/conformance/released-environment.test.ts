import { deployments, revisions } from "../../emulator";
import type { JsonObject } from "../../provider/base/json";
import type { EngineModel } from "../support/engine-model";
import { failureOf, PlatformUnderTest } from "../support/platform-under-test";
import { ofSuite } from "../support/of-suite";

// Where neither environmentVariables nor secrets are declared, the environment is not managed: it stays as it is.

const platform = ofSuite(PlatformUnderTest.prototype, () => PlatformUnderTest.start({ buildSeconds: 1 }));

const program = { name: "agent", source: "external_docker", sourceRevisionConfig: { imageUri: "a:1" } };
const environment = { environmentVariables: { LEVEL: "info" }, secrets: { TOKEN: "t-1" } };
const all = () => platform.emulator.outOfBand(deployments);
const variables = () =>
  Object.fromEntries(
    all()
      .get("agent")
      .secrets.map(({ name, value }) => [name, value]),
  );
const byHand = [{ name: "BY_HAND", value: "x" }];

async function made(over: JsonObject = {}): Promise<EngineModel> {
  const resource = await platform.resource("Deployment");
  await resource.up({ ...program, ...over });
  platform.clock.advance(5_000);
  platform.emulator.clearLog();
  return resource;
}

test("whatever is live is no drift, and an update of something else keeps it", async () => {
  const resource = await made();
  all().change("agent", { secrets: byHand });
  expect(await resource.refresh()).toBe(false);
  expect(platform.warnings).toEqual([]);
  expect(await resource.up(program)).toBe("same");
  await resource.up({ ...program, sourceRevisionConfig: { imageUri: "a:2" } });
  expect(variables()).toEqual({ BY_HAND: "x" });
});

test("an adoption keeps it", async () => {
  await made(environment);
  platform.newProcess();
  await (await platform.resource("Deployment")).up({ ...program, adopt: true });
  expect(platform.changing()).toEqual([]);
  expect(variables()).toEqual({ LEVEL: "info", TOKEN: "t-1" });
});

describe("taken out of a program", () => {
  test("both are given up: nothing is sent, the platform keeps them, and no state does", async () => {
    const resource = await made(environment);
    expect(await resource.up(program)).toBe("update");
    expect(platform.changing()).toEqual([]);
    expect(variables()).toEqual({ LEVEL: "info", TOKEN: "t-1" });
    expect(JSON.stringify(resource.current)).not.toMatch(/t-1|LEVEL|TOKEN|environmentVariables/);
    all().change("agent", { secrets: byHand });
    expect(await resource.refresh()).toBe(false);
    expect(platform.warnings).toEqual([]);
    expect(await resource.up(program)).toBe("same");
    expect(platform.emulator.outOfBand(revisions).list()).toHaveLength(1);
  });

  test("beside another change, that alone is sent", async () => {
    const resource = await made(environment);
    await resource.up({ ...program, displayName: "Agent" });
    expect(platform.emulator.requests.filter(({ method }) => method === "PATCH")).toMatchObject([
      { requestBody: { display_name: "<string>" } },
    ]);
    expect(variables()).toEqual({ LEVEL: "info", TOKEN: "t-1" });
  });

  test("one of the two leaves the other one in charge: its variables go", async () => {
    const resource = await made(environment);
    await resource.up({ ...program, secrets: environment.secrets });
    expect(variables()).toEqual({ TOKEN: "t-1" });
  });
});

test("declared again, they are the whole environment", async () => {
  const resource = await made();
  all().change("agent", { secrets: byHand });
  expect(await resource.up({ ...program, ...environment })).toBe("update");
  expect(variables()).toEqual({ LEVEL: "info", TOKEN: "t-1" });
});

test("an empty map does not seem to clear what is there: an adoption that would have to says so", async () => {
  await made(environment);
  platform.newProcess();
  const other = await platform.resource("Deployment");
  expect(await failureOf(other.up({ ...program, secrets: {}, adopt: true }))).toMatch(
    /Deployment "agent" \(.*\) has variables, and the platform has no way to clear its environment/,
  );
  expect(platform.changing()).toEqual([]);
});
