import { join } from "node:path";
import {
  RESOURCE_TYPES,
  MANAGED_TYPES,
  providerString,
  dynamicToken,
  type ResourceType,
} from "../../provider/resources/resource-types";
import { isObject, type JsonObject } from "../../provider/base/json";
import { NAMESPACE } from "../../provider/base/settings";
import type { AgentServer } from "../support/agent-server";
import type { EngineModel } from "../support/engine-model";
import { PlatformUnderTest } from "../support/platform-under-test";
import { asAgent } from "./agent";
import { resourceOf } from "./engine-changes";
import { PASSPHRASE, PLATFORM } from "./platform";
import { FILES, Recorded } from "./recorded";
import { decryptedResources, resourcesOf, type StoredResource } from "./state-file";
import { ORIGIN, originOf } from "../../provider/lifecycle/identity/origin";
import { migrateState } from "../../provider/lifecycle/state";
import { newFolder } from "../support/new-folder";

/** The code of a dynamic resource, and what only earlier versions kept. */
const DROPPED = ["__provider", "__durationsMs"];

const kindOf = ({ type }: StoredResource): ResourceType | undefined =>
  RESOURCE_TYPES.find((kind) => dynamicToken(kind) === type);
// Spelled out: a type that this version no longer knows must not be passed over.
const isOurs = ({ type }: StoredResource): boolean => type.startsWith("pulumi-nodejs:dynamic/");
const isManaged = (resource: StoredResource): boolean => isOurs(resource) && !resource.external;
/** Whether there is an object of its own on the platform. */
const hasObject = (resource: StoredResource): boolean =>
  isManaged(resource) && MANAGED_TYPES.some((kind) => dynamicToken(kind) === resource.type);
const rows = (recorded: Recorded, which: (resource: StoredResource) => boolean) =>
  resourcesOf(recorded.read("state"))
    .filter(which)
    .map(({ urn }) => [resourceOf(urn), urn] as const);

/** The settings of the connection that a resource was made with: the stack's too are inputs of a provider. */
function settingsOf({ provider }: StoredResource, all: readonly StoredResource[]): Record<string, string> {
  const { inputs = {} } = all.find(({ urn, id }) => `${urn}::${id}` === provider) ?? {};
  return Object.fromEntries(
    Object.entries(inputs).flatMap(([name, value]) =>
      typeof value === "string" ? [[name.replace(`${NAMESPACE}:`, ""), value] as const] : [],
    ),
  );
}

// The native plugin has the same handlers, and its states are decoded by the engine: upgrade.long.test.ts.
describe.each(Recorded.all("dynamic").map((recorded) => [recorded.name, recorded] as const))(
  "state %s",
  (_name, recorded) => {
    let folder: string;
    let agent: AgentServer | undefined;
    let platform: PlatformUnderTest;
    let resources: readonly StoredResource[];
    beforeAll(async () => {
      folder = newFolder();
      const dataFile = join(folder, FILES.platform);
      recorded.copyPlatform(dataFile);
      agent = await recorded.startAgent();
      platform = await PlatformUnderTest.start({ ...PLATFORM, ...asAgent(agent), dataFile });
      resources = decryptedResources(recorded.at(platform.emulator.url, "state"), PASSPHRASE);
    });
    afterAll(async () => {
      await platform.close();
      await agent?.close();
    });

    const stored = (urn: string): StoredResource => {
      const found = resources.find((resource) => resource.urn === urn);
      if (found === undefined) throw new Error(`${recorded.name} has no ${urn}`);
      return found;
    };
    /** The emulator of 0.1.0 answered an address of its own; the platform answers the custom URL where one is declared. */
    function customUrlOf({ deploymentId, url }: JsonObject): JsonObject {
      const config = resources.find(({ id }) => id === deploymentId)?.inputs["sourceConfig"];
      const customUrl = isObject(config) ? config["customUrl"] : undefined;
      if (typeof customUrl !== "string" || (typeof url === "string" && url.endsWith(customUrl))) return {};
      return { url: customUrl };
    }
    async function model(resource: StoredResource): Promise<EngineModel> {
      const kind = kindOf(resource);
      if (kind === undefined) throw new Error(`${resource.type} is not a type of this version`);
      const loaded = await platform.resource(kind, settingsOf(resource, resources));
      const { id, inputs, outputs } = resource;
      loaded.state = { id, inputs, outputs };
      return loaded;
    }

    test("holds no secret in plaintext", () => {
      // Every secret of every story contains this word; settings and state must not.
      expect(recorded.read("state") + recorded.read("settings")).not.toMatch(/canary/i);
      expect(JSON.stringify(resources)).toMatch(/canary/);
    });

    test.each(rows(recorded, isOurs))("%s: this version has its type and its code", (_resource, urn) => {
      const { type, inputs, outputs, external } = stored(urn);
      const kind = kindOf(stored(urn));
      expect(RESOURCE_TYPES.map(dynamicToken)).toContain(type);
      for (const props of external ? [outputs] : [inputs, outputs])
        expect(props["__provider"]).toBe(kind && providerString(kind));
    });

    test.each(rows(recorded, isManaged))("%s: the digest of its address has not changed", (_resource, urn) => {
      const before = resourcesOf(recorded.read("state")).find((resource) => resource.urn === urn);
      const { tenantId } = settingsOf(stored(urn), resources);
      expect(migrateState(before?.outputs ?? {})[ORIGIN]).toBe(originOf(recorded.url, tenantId));
    });

    test.each(rows(recorded, isManaged))("%s: up with the same inputs changes nothing", async (_resource, urn) => {
      platform.emulator.clearLog();
      const loaded = await model(stored(urn));
      expect(await loaded.up(loaded.current.inputs)).toBe("same");
      expect(platform.emulator.requests).toEqual([]);
    });

    test.each(rows(recorded, isOurs))("%s: a read finds the same as the state holds", async (resource, urn) => {
      const { id, outputs, external } = stored(urn);
      const loaded = await model(stored(urn));
      const drifted = recorded.expected.refresh[resource] !== undefined;
      if (external) loaded.state = { id, inputs: {}, outputs: (await loaded.handler.read(id, outputs)).props };
      else expect(await loaded.refresh()).toBe(drifted);
      // A later version may have more outputs, and the platform may name now what it had not named then (null).
      const known = Object.entries(migrateState(outputs)).filter(
        ([name, value]) => !DROPPED.includes(name) && value !== null,
      );
      const expected = { ...Object.fromEntries(known), ...customUrlOf(outputs) };
      if (!drifted) expect(loaded.current.outputs).toMatchObject(expected);
    });

    test("is destroyed: nothing that this version can delete is left", async () => {
      for (const resource of [...resources].reverse().filter(isManaged)) await (await model(resource)).destroy();
      platform.newProcess();
      for (const resource of resources.filter(hasObject)) {
        const { handler } = await model(resource);
        const left = settingsOf(resource, resources)["contract"] === "documented";
        const { id } = await handler.read(resource.id, resource.outputs);
        expect([resource.urn, id]).toEqual([resource.urn, left ? resource.id : ""]);
      }
    });
  },
);
