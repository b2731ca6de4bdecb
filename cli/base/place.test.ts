import { originOf } from "../../provider/lifecycle/identity/origin";
import { connectionTo } from "../../tests/support/connection";
import { ALL_SPECS } from "./managed-types";
import { ConnectionPlace } from "./place";
import { objectsIn } from "./stack-objects";
import { stateIn } from "./stack-state";

const HERE = "https://platform.example";
const provider = "urn:pulumi:prod::shop::pulumi:providers:agent-platform::there";

/** A secret in the state of a stack whose Platform names its tenant. */
function held(url: string, tenantId: string) {
  const type = "agent-platform:index:WorkspaceSecret";
  const connection = { urn: provider, type: "pulumi:providers:agent-platform", id: "p-1", inputs: { tenantId } };
  const secret = { urn: `urn:pulumi:prod::shop::${type}::key`, type, id: "KEY", provider: `${provider}::p-1` };
  const outputs = { key: "KEY", tenantId: null, __origin: originOf(url, tenantId) };
  const resources = [connection, { ...secret, inputs: { key: "KEY" }, outputs }];
  return objectsIn("acme/shop/prod", stateIn(JSON.stringify({ deployment: { resources } })));
}

test.each<[why: string, url: string, seen: string | undefined, has: boolean | undefined]>([
  ["not known while no answer names the tenant of its key", HERE, undefined, undefined],
  ["so where an answer names it", HERE, "t-1", true],
  ["not so in another tenant", HERE, "t-2", false],
  ["not so at another address", "https://other.example", undefined, false],
])("that a secret of a tenant is where a connection without one leads is %s", (_why, url, seen, has) => {
  const spec = ALL_SPECS.find(({ kind }) => kind === "WorkspaceSecret");
  if (spec === undefined) throw new Error("no spec");
  const live = { spec, id: "KEY", name: "KEY", outputs: seen === undefined ? {} : { tenantId: seen } };
  const place = new ConnectionPlace(connectionTo(HERE), [live]);
  const objects = held(url, "t-1");
  expect(objects.map((object) => place.has(object))).toEqual([has]);
  expect(place.stacksWith(live, objects).holders).toEqual(has === false ? [] : ["acme/shop/prod"]);
});
