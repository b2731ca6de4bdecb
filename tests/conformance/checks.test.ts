import { RESOURCES } from "../../provider/resources/registry";
import { PlatformUnderTest } from "../support/platform-under-test";
import { ofSuite } from "../support/of-suite";

// docs/sources.md: what official sources refuse is refused at preview; setting `checks` leaves it to the platform.

const platform = ofSuite(PlatformUnderTest.prototype, () => PlatformUnderTest.start({ buildSeconds: 1 }));

const LAX = { checks: "platform" };
const program = {
  name: "agent",
  source: "external_docker",
  sourceConfig: { buildOnPush: true },
  sourceRevisionConfig: { imageUri: "a:1" },
  environmentVariables: { LOG_JSON: "1" },
};
const refusals = async (settings: Record<string, string>, before: object, inputs: object): Promise<string[]> => {
  const handler = await platform.handler("Deployment", settings);
  const { failures } = await handler.check({ ...before }, { ...inputs });
  return failures.map(({ reason }) => reason);
};

test("platform warns of each once, and refuses nothing", async () => {
  const handler = await platform.handler("Deployment", LAX);
  for (let time = 0; time < 2; time++) expect((await handler.check({}, program)).failures).toEqual([]);
  expect(platform.warnings).toEqual([
    expect.stringMatching(/^Deployment "agent": sourceConfig\.buildOnPush: must not be set .*It is sent as declared/),
    expect.stringMatching(/^Deployment "agent": environmentVariables\.LOG_JSON: /),
  ]);
});

test("platform does not loosen what no platform could take", async () => {
  expect(await refusals(LAX, {}, { ...program, sourceConfig: { buildOnPush: "yes" } })).toEqual([
    expect.stringMatching(/^sourceConfig\.buildOnPush: must be a boolean/),
  ]);
});

describe("what the state has, the platform has taken", () => {
  test("it is not judged again", async () => expect(await refusals({}, program, program)).toEqual([]));

  test("another mistake beside it is refused", async () =>
    expect(
      await refusals({}, program, { ...program, environmentVariables: { LOG_JSON: "1", REDIS_URI: "r" } }),
    ).toEqual([expect.stringMatching(/^environmentVariables\.REDIS_URI: /)]));

  test("another value of the same mistake is refused", async () =>
    expect(
      await refusals(
        {},
        { ...program, sourceConfig: { resourceSpec: { cpu: 9 } } },
        { ...program, sourceConfig: { resourceSpec: { cpu: 10 } } },
      ),
    ).toEqual([expect.stringMatching(/^sourceConfig\.resourceSpec\.cpu: must be 0\.1 to 8 cores/)]));

  test("a tag that joins buildOnPush is refused, whichever of the two was there", async () => {
    const repository = {
      name: "agent",
      source: "github",
      sourceConfig: { integrationId: "i", repoUrl: "https://git.example/a", deploymentType: "dev", buildOnPush: true },
      sourceRevisionConfig: { repoRef: "main", langgraphConfigPath: "langgraph.json" },
    };
    const tagged = {
      ...repository,
      sourceRevisionConfig: { ...repository.sourceRevisionConfig, repoRef: "refs/tags/v1" },
    };
    const unpushed = { ...tagged, sourceConfig: { ...tagged.sourceConfig, buildOnPush: false } };
    const refused = [expect.stringMatching(/^sourceConfig\.buildOnPush: must not be true if .*repoRef is a tag/)];
    expect(await refusals({}, repository, tagged)).toEqual(refused);
    expect(await refusals({}, unpushed, tagged)).toEqual(refused);
    expect(await refusals({}, repository, unpushed)).toEqual([]);
  });
});

test("platform sends everything as declared, with the defaults of the source; the platform decides", async () => {
  const resource = await platform.resource("Deployment", LAX);
  // Whether this platform takes it is its own decision.
  await resource.up(program).catch(() => undefined);
  expect(platform.emulator.requests.find(({ method }) => method === "POST")?.requestBody).toMatchObject({
    source_config: { build_on_push: true, resource_spec: {} },
    secrets: [{ name: "LOG_JSON" }],
  });
});

test("a secret output without a value, which is null on its way here, is an argument that is not given", async () => {
  const rollout = { deploymentId: "d", revisionId: "r" };
  const handler = await platform.handler("Rollout");
  const checked = await handler.check({}, { ...rollout, followsPushes: null, customUrl: null });
  expect(checked).toEqual({ inputs: rollout, failures: [] });
});

test("a field that its row deprecates is warned of once, and works as before", async () => {
  const { image = {} } = RESOURCES.SandboxTemplate.table.fields;
  Object.assign(image, { deprecationMessage: "Use nothing of the kind." });
  const handler = await platform.handler("SandboxTemplate");
  for (let time = 0; time < 2; time++)
    expect((await handler.check({}, { name: "code", image: "a:1", resources: {} })).failures).toEqual([]);
  Object.assign(image, { deprecationMessage: undefined });
  expect(platform.warnings).toEqual(['SandboxTemplate "code": image is deprecated: Use nothing of the kind.']);
});
