import * as connection from "../cli/base/connection";
import * as stackState from "../cli/base/stack-state";
import { revisions, startEmulator } from "../emulator";
import { deployed } from "../tests/support/agent-under-test";
import { ask } from "../tests/support/ask";
import { ofTest } from "../tests/support/of-suite";
import { servingOf } from "./rotate";

test("who serves a new secret is asked of no revision older than the one with it", async () => {
  const emulator = ofTest(await startEmulator({ buildSeconds: 0 }));
  const id = await deployed(emulator, "registry.example/desk:0");
  const patch = (version: number) =>
    ask(emulator, "PATCH", `/v2/deployments/${id}`, {
      source_revision_config: { image_uri: `registry.example/desk:${version}` },
    });
  // More than a page.
  for (let version = 1; version <= 100; version++) await patch(version);
  const [latest] = emulator.outOfBand(revisions).list().slice(-1);
  const outputs = { secretsRevisionId: latest?.id };
  const type = "agent-platform:index:Deployment";
  const urn = `urn:pulumi:prod::desk::${type}::desk`;
  const resources = [{ type, urn, id, outputs, provider: "" }];
  jest.spyOn(stackState, "stateOf").mockResolvedValue({ resources, begun: [] });
  const environment = { AGENT_PLATFORM_BASE_URL: emulator.url, AGENT_PLATFORM_API_KEY: emulator.apiKey };
  const here = { platform: undefined, source: [() => undefined, environment] as const, isOf: () => true };
  jest
    .spyOn(connection, "connectionsOf")
    .mockResolvedValue({ where: "here", all: [here], objects: [], rolledBack: [] });
  emulator.clearLog();
  const serving = await servingOf({ id: "desk/prod", stack: "prod", folder: ".", labels: {} }, "/fleet");
  expect(serving).toEqual([{ agent: "desk", serves: "new", reason: `serves revision ${latest?.id ?? ""}` }]);
  expect(emulator.requests.filter(({ path }) => path.endsWith("/revisions"))).toHaveLength(1);
});
