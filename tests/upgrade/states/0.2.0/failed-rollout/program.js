/* global pulumi, platform */
// An image with emulator-fail-build in its name makes a revision that fails.
const image = new pulumi.Config().require("image");

const first = new platform.Deployment("first", {
  source: "external_docker",
  sourceRevisionConfig: { imageUri: "registry.example/first:emulator-fail-build" },
  secrets: { TOKEN: "canary-literal-deployment" },
});
const changed = new platform.Deployment("changed", {
  source: "external_docker",
  sourceRevisionConfig: { imageUri: `registry.example/changed:${image}` },
  environmentVariables: { LEVEL: "info" },
});
exports.urls = [first.url, changed.url];
