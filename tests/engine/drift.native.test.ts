import { ok } from "../support/cli-stack";
import { describeWithEngine } from "../support/with-engine";
import { onEmulator } from "./on-emulator";

const platform = onEmulator({ buildSeconds: 0.2, secrets: "values" });
const paths = () => platform.emulator.requests.map(({ method, path }) => `${method} ${path}`);

describeWithEngine("drift", () => {
  test("a refresh of 500 templates is one request", async () => {
    const stack = await platform.upOf(
      `for (let n = 0; n < 500; n++) new platform.SandboxTemplate("n" + n, { image: "a", resources: { cpu: "1" } });`,
    );
    ok(await stack.refresh("--expect-no-changes"));
    expect(paths()).toEqual(["GET /v2/sandboxes/templates"]);
    platform.emulator.clearLog();
    ok(await stack.drift());
    expect(paths()).toEqual(["GET /v2/sandboxes/templates"]);
  });
});
