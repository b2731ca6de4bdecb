import type { JsonObject } from "../../provider/base/json";
import { PlatformUnderTest } from "../support/platform-under-test";
import { ofSuite } from "../support/of-suite";

// docs/internals/engine.md, trap 27: the engine does not say which secret changes, so the check of a resource does.

const platform = ofSuite(PlatformUnderTest.prototype, () => PlatformUnderTest.start());

const URN = "urn:pulumi:prod::desk::pulumi-nodejs:dynamic/agent-platform:Deployment::agent";
const deployment = (secrets: JsonObject[string], more: JsonObject = { __progressUrn: URN }): JsonObject => ({
  name: "desk",
  source: "external_docker",
  sourceRevisionConfig: { imageUri: "a:1" },
  secrets,
  ...more,
});

test("the names of secrets that differ are told on the row of the stack, without a request", async () => {
  const handler = await platform.handler("Deployment");
  await handler.check(
    deployment({ KEY: "canary-1", OLD: "canary-2" }),
    deployment({ KEY: "canary-3", NEW: "canary-4" }),
  );
  const message = "changed secrets: KEY; new: NEW; removed: OLD (agent)";
  expect(platform.told).toEqual([{ message, urn: undefined }]);
  expect(platform.emulator.requests).toEqual([]);
});

test("a replacement is checked once more, as if it were new: that is not told", async () => {
  const handler = await platform.handler("Deployment");
  const secrets = { KEY: "canary-1" };
  await handler.check(deployment(secrets), deployment(secrets));
  await handler.check({}, deployment(secrets));
  expect(platform.told).toEqual([]);
});

test("of a new resource nothing is told: all of it is new", async () => {
  const handler = await platform.handler("Deployment");
  await handler.check({}, deployment({ KEY: "canary-1" }));
  expect(platform.told).toEqual([]);
});
