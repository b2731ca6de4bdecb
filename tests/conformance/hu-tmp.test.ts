import { UNKNOWN } from "../../provider/base/json";
import { sandboxVolumes } from "../../emulator/routes/sandbox-volumes";
import { ofSuite, ofTest } from "../support/of-suite";
import { failureOf, PlatformUnderTest } from "../support/platform-under-test";
import type { Layer } from "../../emulator";
const platform = ofSuite(PlatformUnderTest.prototype, () => PlatformUnderTest.start({ buildSeconds: 1 }));
const GIB = 1024 ** 3;

test("clone deleted with a renamed source", async () => {
  const source = await platform.resource("SandboxVolume");
  const copy = await platform.resource("SandboxVolume");
  await source.up({ name: "data", sizeBytes: GIB });
  const clone = { name: "copy", sourceVolume: source.current.id };
  await copy.up(clone);
  const id = copy.current.id;
  source.dependents = [{ model: copy, unknown: (inputs) => ({ ...inputs, sourceVolume: UNKNOWN }) }];
  await source.up({ name: "larger", sizeBytes: 2 * GIB });
  console.log("copy in state", copy.hasState, platform.emulator.outOfBand(sandboxVolumes).list().map((v) => v.name));
  console.log(await failureOf(copy.up({ ...clone, sourceVolume: source.current.id })), copy.state?.id === id);
});

test("extra", async () => {
  const source = await platform.resource("SandboxVolume");
  await source.up({ name: "data", sizeBytes: GIB });
  console.log(await failureOf(source.up({ name: "data", sizeBytes: GIB, extra: { tier: "fast" } })));
});

test("proto", async () => {
  const source = await platform.resource("SandboxVolume");
  const labels = JSON.parse('{"__proto__":"x","constructor":"y","toString":"z"}');
  console.log(await failureOf(source.up({ name: "data", sizeBytes: GIB, labels })));
  console.log(JSON.stringify(platform.emulator.outOfBand(sandboxVolumes).list()[0]?.labels), await source.refresh(), await source.up({ name: "data", sizeBytes: GIB, labels: JSON.parse('{"constructor":"y"}') }));
  console.log(JSON.stringify(platform.emulator.outOfBand(sandboxVolumes).list()[0]?.labels));
});

test("uppercase id", async () => {
  const lower: Layer = {
    beforeRoute: () => Promise.resolve(undefined),
  };
  void lower;
  const d = await platform.resource("Deployment");
  await d.up({ name: "agent", source: "external_docker", sourceConfig: { resourceSpec: {} }, sourceRevisionConfig: { imageUri: "a:1" } });
  console.log(await failureOf((await platform.resource("Deployment")).up({ name: "agent", source: "external_docker", sourceConfig: { resourceSpec: {} }, sourceRevisionConfig: { imageUri: "a:1" }, adopt: d.current.id.toUpperCase() })));
});
void ofTest;
