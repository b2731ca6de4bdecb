import { execFile } from "node:child_process";
import { cpSync } from "node:fs";
import { join } from "node:path";
import { promisify } from "node:util";
import { UNTRACED } from "../base/spans";
import { newFolder } from "../../tests/support/new-folder";
import { OtlpReceiver } from "../../tests/support/otlp-receiver";
import { openTracer } from "./tracer";

const PROVIDER = join(__dirname, "..", "..", "dist", "provider");

let receiver: OtlpReceiver;
beforeEach(async () => (receiver = await OtlpReceiver.start()));
afterEach(() => receiver.close());

/** The lines that a script prints in a process of its own: OpenTelemetry reads the environment of its process. */
async function linesOf(script: string, environment: NodeJS.ProcessEnv, provider = PROVIDER): Promise<string[]> {
  const code = `
    const { openTracer } = require("./tracing/tracer");
    const { currentSpan, within } = require("./base/spans");
    const { HttpError } = require("./base/errors");
    const tracer = openTracer(process.env, (message) => console.log(message));
    (async () => { ${script} })().finally(() => process.exit());`;
  const env = { ...process.env, NODE_PATH: "", ...environment };
  const { stdout } = await promisify(execFile)(process.execPath, ["-e", code], { cwd: provider, env });
  return stdout.trim().split("\n");
}

test("work is one span, its parts are its children, and a failure shows its kind, not its message", async () => {
  const script = `
    const fail = async () => { throw new HttpError("POST", "/v2/deployments", 422, "canary") };
    const work = within(tracer.start("create", { kind: "Deployment", name: undefined }), () =>
      within(currentSpan().child("POST", {}, "client"), fail));
    await work.catch(({ message }) => console.log(message));
    console.log(currentSpan());
    await tracer.flush();`;
  const lines = await linesOf(script, { ...receiver.environment, OTEL_SERVICE_NAME: "desk-infra" });
  expect(lines).toEqual(["POST /v2/deployments answered 422: canary", "undefined"]);
  const [parent, child] = [receiver.only("create"), receiver.only("POST")];
  expect(receiver.parentOf(child)).toBe(parent);
  expect(parent.parentSpanId ?? "").toBe("");
  expect(parent.attributes).toEqual({ kind: "Deployment", "error.type": "422" });
  expect(receiver.bodies.join("\n")).not.toContain("canary");
  expect(receiver.serviceNames).toEqual(["desk-infra"]);
});

test("no fact of a span is a secret that the process knows", async () => {
  const script = `
    require("./base/masker").noteSecrets("canary-1");
    await within(tracer.start("create", { "agent_platform.request_id": "canary-1" }), () => Promise.resolve());
    await tracer.flush();`;
  await linesOf(script, receiver.environment);
  expect(receiver.only("create").attributes).toEqual({ "agent_platform.request_id": "[secret]" });
});

test.each([
  ["hangs", () => (receiver.isStuck = true)],
  ["is not there", () => receiver.close()],
])("a receiver that %s holds the end up for no more than a third of a second", async (_what, breakIt) => {
  const { environment } = receiver;
  breakIt();
  const script = `
    await within(tracer.start("create", {}), async () => undefined);
    let isLate = false;
    setTimeout(() => (isLate = true), 400);
    await tracer.flush();
    console.log(isLate);`;
  // Timers of one process end in their order, however busy the machine is. Waiting for the receiver would take 2 seconds and more.
  expect(await linesOf(script, environment)).toEqual(["false"]);
});

test("nothing is recorded without a receiver, nor where OpenTelemetry is switched off", () => {
  const fail = (message: string): never => {
    throw new Error(message);
  };
  expect(openTracer({}, fail)).toBe(UNTRACED);
  expect(openTracer({ ...receiver.environment, OTEL_SDK_DISABLED: "true" }, fail)).toBe(UNTRACED);
});

test("where the packages are not installed, one warning says what to install, and the work goes on", async () => {
  // Out of reach of this checkout's node_modules.
  const folder = newFolder();
  for (const room of ["base", "tracing"]) cpSync(join(PROVIDER, room), join(folder, room), { recursive: true });
  const work = `await within(tracer.start("create", {}), async () => console.log("done"));`;
  expect(await linesOf(`${work} ${work} await tracer.flush();`, receiver.environment, folder)).toEqual([
    "OTEL_EXPORTER_OTLP_ENDPOINT is set, but no spans are sent, since OpenTelemetry cannot be loaded " +
      "(Cannot find module '@opentelemetry/sdk-trace-node'): install it with `npm install @opentelemetry/api@1.9 " +
      "@opentelemetry/sdk-trace-node@2 @opentelemetry/exporter-trace-otlp-http@0.223`, or unset the variable",
    "done",
    "done",
  ]);
});
