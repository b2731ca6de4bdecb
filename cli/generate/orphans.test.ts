import { originOf } from "../../provider/lifecycle/identity/origin";
import { dynamicToken } from "../../provider/resources/resource-types";
import { connectionTo } from "../../tests/support/connection";
import { SPECS } from "../base/managed-types";
import { objectsIn } from "../base/stack-objects";
import { stateIn } from "../base/stack-state";
import { orphansIn } from "./orphans";
import type { Surveyed } from "./survey";

const HERE = "https://a.example";

function provider(id: string): Surveyed {
  const spec = SPECS.find(({ kind }) => kind === "OAuthProvider");
  if (spec === undefined) throw new Error("no spec");
  return { spec, id, name: `name of ${id}`, outputs: {}, args: {}, needs: [] };
}

/** The objects of a stack whose state has these OAuth providers. */
function stateWith(stack: string, ids: readonly string[], { external = false, at = HERE } = {}) {
  const type = dynamicToken("OAuthProvider");
  const resources = ids.map((id) => ({
    ...{ urn: `urn:pulumi:prod::shop::${type}::${id}`, type, custom: true, id, external, inputs: {} },
    outputs: { providerId: id, origin: originOf(at, undefined) },
  }));
  return objectsIn(stack, stateIn(JSON.stringify({ version: 3, deployment: { resources } })));
}

const read = { objects: ["a", "b", "c"].map(provider), unread: ["The first."], refused: [] };
const idsOf = ({ objects }: { readonly objects: readonly Surveyed[] }): string[] => objects.map(({ id }) => id);

test("what a stack holds is left out, and is named with every stack that has it", () => {
  const objects = [...stateWith("shop/prod", ["a", "b"]), ...stateWith("shop/dev", ["b"])];
  const orphans = orphansIn(read, connectionTo(HERE), { objects, failed: [] });
  expect(idsOf(orphans.read)).toEqual(["c"]);
  expect(orphans.read.unread).toEqual([
    "The first.",
    'The OAuth provider `"name of a"` (`"a"`): it is in the state of `"shop/prod"`.',
    'The OAuth provider `"name of b"` (`"b"`): it is in the state of `"shop/dev"`, `"shop/prod"`.',
  ]);
  expect(orphans.held).toEqual([["shop/prod"], ["shop/dev", "shop/prod"]]);
});

test.each([
  ["what a stack only reads", { external: true }],
  ["what a stack holds on another platform", { at: "https://other.example" }],
])("%s stays in the program", (_what, how) => {
  const orphans = orphansIn(read, connectionTo(HERE), { objects: stateWith("shop/prod", ["a"], how), failed: [] });
  expect([idsOf(orphans.read), orphans.held]).toEqual([["a", "b", "c"], []]);
});

test("without the state of one stack nothing is told: the error names the stack and the reason", () => {
  const failed = [{ stack: "shop/locked", reason: "it is gone" }];
  expect(() => orphansIn(read, connectionTo(HERE), { objects: [], failed })).toThrow(
    /^nothing was written, .*may hold some of the objects:\nshop\/locked: it is gone$/s,
  );
});
