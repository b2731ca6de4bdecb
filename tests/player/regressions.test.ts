import { z } from "zod";
import { deployments, type FaultInput } from "../../emulator";
import { UNKNOWN, type JsonObject } from "../../provider/base/json";
import type { ManagedType } from "../../provider/resources/resource-types";
import { CASES } from "../conformance/cases";
import { templatesOn } from "../support/ask";
import { failureOf, PlatformUnderTest } from "../support/platform-under-test";
import type { EngineModel } from "../support/engine-model";
import { platformWith, type Program } from "./play";
import { lie, planOf } from "./promises";
import { Counts } from "./witness";

// The smallest programs in which a player has found a broken promise, each once.

let platform: PlatformUnderTest;
beforeAll(async () => {
  platform = await PlatformUnderTest.start({ buildSeconds: 2, anyListener: true });
});
beforeEach(() => {
  platform.reset();
  // The emulator keeps its history for stale reads only while such a fault is on; this one never strikes.
  platform.emulator.faults.add({ kind: "stale-read", method: "OPTIONS" });
});
afterAll(() => platform.close());

const template = (name: string): JsonObject => ({ name, image: "image:1", resources: { cpu: "1", memory: "1Gi" } });
const agent = {
  name: "agent",
  source: "external_docker",
  sourceRevisionConfig: { imageUri: "registry.example/agent:1" },
};
const stale: FaultInput = { kind: "stale-read", method: "GET", count: 1 };

const templateNames = () => templatesOn(platform.emulator);
const live = () => platform.emulator.outOfBand(deployments).get("agent");
const made = async (kind: "SandboxTemplate" | "OAuthProvider" | "Deployment", program: JsonObject) => {
  const resource = await platform.resource(kind);
  await resource.up(program);
  return resource;
};
const strike = (...faults: FaultInput[]) => faults.forEach((fault) => platform.emulator.faults.add(fault));

describe("one stale list of templates", () => {
  let resource: EngineModel;
  beforeEach(async () => {
    resource = await made("SandboxTemplate", template("a"));
  });

  test("that does not show a template yet deletes it nevertheless", async () => {
    strike(stale);
    await resource.destroy();
    expect(templateNames()).toEqual([]);
  });

  test("that does not show a template yet does not drop it from state", async () => {
    strike(stale);
    expect(await resource.refresh()).toBe(false);
    expect(resource.state).toBeDefined();
  });

  test("that shows its name from before a rename: the delete finds it under the new one", async () => {
    await resource.up(template("b"));
    strike(stale);
    await resource.destroy();
    expect(templateNames()).toEqual([]);
    expect(platform.warnings).toEqual([]);
  });

  test("that shows its name from before a rename: the next rename finds it under the new one", async () => {
    await resource.up(template("b"));
    strike(stale);
    await resource.up(template("c"));
    expect(templateNames()).toEqual(["c"]);
  });

  test("that shows the previous name: a rename back to it is not taken for done", async () => {
    await resource.up(template("b"));
    strike(stale);
    await resource.up(template("a"));
    expect(templateNames()).toEqual(["a"]);
  });
});

describe("an HTML page from a gateway, with status 200", () => {
  test.each([
    ["SandboxTemplate", template("a")],
    ["OAuthProvider", CASES.OAuthProvider.program],
    ["Deployment", agent],
  ] as const)("does not say that a %s is deleted: DELETE is sent again", async (kind, program) => {
    const resource = await made(kind, program);
    platform.emulator.clearLog();
    strike({ kind: "html", phase: "before-route", method: "DELETE", count: 1 });
    await resource.destroy();
    expect(platform.changing()).toEqual(["DELETE", "DELETE"]);
  });

  test("that never goes away is an error, and keeps the state", async () => {
    const resource = await made("SandboxTemplate", template("a"));
    strike({ kind: "html", phase: "before-route", method: "DELETE" });
    expect(await failureOf(resource.destroy())).toMatch(/the body is not JSON \(text\/html/);
    expect(resource.state).toBeDefined();
  });
});

describe("an adoption sends the fields that the answer does not show", () => {
  test.each<[string, JsonObject, () => void]>([
    ["a display name", { displayName: "Agent" }, () => expect(live().display_name).toBe("Agent")],
    [
      "commands",
      { sourceConfig: { installCommand: "make deps", buildCommand: "make" } },
      () => expect(live().source_config).toMatchObject({ install_command: "make deps", build_command: "make" }),
    ],
    ["fields that this version does not know", { extra: { tag: 1 } }, () => expect(live().extra).toEqual({ tag: 1 })],
  ])("%s", async (_what, over, check) => {
    await made("Deployment", agent);
    await made("Deployment", { ...agent, ...over, adopt: true });
    check();
  });
});

describe("an update of a deployment is not taken for done", () => {
  test("by an answer that does not show all of it, next to a revision of another user", async () => {
    const resource = await made("Deployment", { ...agent, redeployTrigger: 1, extra: { tag: 1 } });
    await platform.ask("PATCH", `/v2/deployments/${resource.current.id}`, {
      source_revision_config: { image_uri: "registry.example/agent:1" },
    });
    await resource.up({ ...agent, redeployTrigger: 2, extra: { tag: 2 } });
    expect(live().extra).toEqual({ tag: 2 });
  });

  test("by a stale answer from an earlier time with the same configuration", async () => {
    const first = { ...agent, sourceRevisionConfig: { imageUri: "registry.example/agent:1" } };
    const second = { ...agent, sourceRevisionConfig: { imageUri: "registry.example/agent:2" } };
    const resource = await made("Deployment", first);
    platform.clock.advance(10_000);
    await resource.up(second);
    platform.clock.advance(10_000);
    strike(stale);
    await resource.up(first);
    expect(live().source_revision_config).toEqual({ image_uri: "registry.example/agent:1" });
  });
});

const Sent = z.record(z.string(), z.unknown()).catch({});
const desk: JsonObject = { name: "desk", source: "external_docker", sourceRevisionConfig: { imageUri: "a:1" } };
const python = { name: "python", dockerImage: "registry.example/python:3.12", fsCapacityBytes: 1_000_000_000 };
const proxied = { ...template("code"), proxyConfig: { rules: [{ name: "r", matchHosts: ["a.example"] }] } };

interface PlanRow {
  readonly why: string;
  readonly type: ManagedType;
  readonly before: readonly JsonObject[];
  /** What a preview knows of the next program, and that itself. */
  readonly seen: JsonObject;
  readonly after: JsonObject;
}
const named: JsonObject = { ...desk, displayName: "Desk" };

/** What a plan said wrongly. */
const PLANS: readonly PlanRow[] = [
  {
    why: "a part of extra that is not known is empty: nothing of it is sent",
    type: "Deployment",
    before: [desk],
    seen: { ...named, extra: { source_revision_config: UNKNOWN } },
    after: { ...named, extra: { source_revision_config: {} } },
  },
  {
    why: "a part of extra that is not known makes a revision",
    type: "Deployment",
    before: [desk],
    seen: { ...desk, extra: { source_config: UNKNOWN } },
    after: { ...desk, extra: { source_config: { resource_spec: { db_cpu: 1 } } } },
  },
  {
    why: "the id of a registry that is not known is none: nothing changes",
    type: "SandboxSnapshot",
    before: [python],
    seen: { ...python, registryId: UNKNOWN },
    after: { ...python, registryId: null },
  },
  {
    why: "the rules of a proxy are not known",
    type: "SandboxTemplate",
    before: [],
    seen: { ...proxied, proxyConfig: { rules: UNKNOWN } },
    after: proxied,
  },
];

test.each(PLANS)("a plan: $why", async ({ type, before, seen, after }) => {
  const resource = await platform.resource(type);
  for (const each of before) await resource.up(each);
  const state = structuredClone(resource.state);
  platform.emulator.clearLog();
  const operation = await resource.up(after);
  const sent = platform.emulator.requests
    .filter(({ method }) => method !== "GET")
    .map(({ method, requestBody }) => ({ method, fields: Object.keys(Sent.parse(requestBody)).sort() }));
  for (const hasInputs of [true, false])
    expect(lie(planOf(type, operation, seen, state, hasInputs).requests, sent)).toBeUndefined();
});

/** Programs of the random player that broke a promise, or seemed to. */
const PROGRAMS: readonly (Program & { readonly why: string })[] = [
  {
    why: "the first revision after somebody's has the declared image, although something else has changed",
    quirk: "extended",
    declares: ["Deployment"],
    steps: [["up"], ["push a revision that serves"], ["change a field", 0, 6], ["up"]],
  },
  {
    why: "an object that somebody makes under the declared name is named, and not taken over",
    quirk: "extended",
    declares: ["Listener", "OAuthProvider"],
    steps: [["take its name by hand"], ["take its name by hand", 1], ["up"]],
  },
  {
    why: "a creation whose answer is lost is looked for before it is sent again",
    quirk: "a name twice",
    declares: ["Deployment", "Cron"],
    steps: [
      ["up", 0, 0, ["lost answer", "POST", 1, 1]],
      ["rename", 1],
      ["drop", 1],
      ["up"],
      ["declare", 1],
      ["up", 0, 0, ["lost answer", "POST", 1, 1]],
    ],
  },
  {
    why: "a key of another workspace sees nothing, and takes nothing for gone",
    quirk: "extended",
    declares: ["Listener", "Deployment"],
    steps: [["up"], ["refresh with another key"], ["destroy with another key"]],
  },
  {
    why: "a revision by hand lacks a variable that the program took out: the next one is without it, too",
    quirk: "names only",
    declares: ["Deployment"],
    steps: [
      ["up"],
      ["change two fields", 0, 26],
      ["up"],
      ["take a field out"],
      ["push a revision that serves"],
      ["change a field"],
      ["up"],
    ],
  },
  {
    why: "a delete that was done and answered with an error, then no delete is declared any more",
    quirk: "extended",
    declares: ["Deployment", "OAuthProvider"],
    steps: [["up"], ["destroy", 0, 0, ["status 500 after commit", "DELETE", 1, 2]], ["change a field", 1], ["up"]],
  },
  {
    why: "a check that fails goes back, and is taken out of the program before the image is changed",
    quirk: "late revisions",
    declares: ["Deployment"],
    steps: [
      ["check it, and go back"],
      ["up"],
      ["up with an image that fails its check"],
      ["up"],
      ["check it, and go back"],
      ["drop"],
      ["destroy"],
    ],
  },
  {
    why: "after a check went back, the variables that no answer shows are those from before",
    quirk: "names only",
    declares: ["Deployment"],
    steps: [["check it, and go back"], ["up"], ["up with an image that fails its check"]],
  },
  {
    why: "after a check went back, the revision that serves is not the one that the state awaits",
    quirk: "late revisions",
    declares: ["Deployment"],
    steps: [["check it, and go back"], ["up"], ["up with an image that fails its check", 0, 6]],
  },
  {
    why: "somebody's variables, seen by a refresh, and then the program's own revision again by hand: there is nothing left to send",
    quirk: "extended",
    declares: ["Deployment"],
    steps: [
      ["up"],
      ["push other variables", 0, 2],
      ["refresh"],
      ["redeploy its first revision by hand", 0, 55],
      ["up"],
    ],
  },
  {
    why: "an update of a deployment whose look failed has made no revision, so the next one does",
    quirk: "small pages",
    declares: ["Deployment"],
    steps: [["up"], ["change a field", 0, 30], ["up", 0, 0, ["503 for a minute", "PUT", 1, 2]]],
  },
  {
    why: "an update of unknown end, at a platform that shows no provider, and then the program as before: nothing stays in doubt",
    quirk: "degraded",
    declares: ["OAuthProvider", "Deployment"],
    steps: [["up"], ["go back after an update without an answer", 0, 47]],
  },
  {
    why: "a create with an error hook, at a platform that cannot look up what its first attempt has made",
    quirk: "documented, small pages",
    declares: ["OAuthProvider"],
    steps: [
      ["drop", 0, 21],
      ["up", 0, 19],
      ["declare", 0, 63],
      ["up with an error hook", 0, 0, ["half a body", "POST", 1, 1]],
    ],
  },
  {
    why: "an update whose look failed has sent nothing, so its plan is certain as before",
    quirk: "a name twice",
    declares: ["PlatformAgent", "SandboxTemplate", "Assistant", "Deployment", "SandboxRegistry"],
    steps: [
      ["up --refresh", 4, 0, ["a body too slow", "GET", 1, 8]],
      ["change two fields", 4, 60],
      ["up", 2, 0, ["503 of everything", "PUT", 1, 8]],
    ],
  },
  {
    why: "variables that a look has found to be somebody's were put right, and somebody pushes others again: the program has changed them",
    quirk: "documented, small pages",
    declares: ["Deployment"],
    steps: [
      ["up", 0, 48],
      ["push other variables", 0, 58],
      ["up --refresh"],
      ["push other variables", 0, 63],
      ["up with another image over somebody's variables", 0, 34],
    ],
  },
  {
    why: "a refresh whose first answer was stale: the next one shows what somebody has made anew, and then it may be deleted",
    quirk: "small pages",
    declares: ["SandboxTemplate", "Deployment", "PlatformAgent"],
    beside: "another backend",
    steps: [
      ["up"],
      ["delete and make again by hand", 2, 54],
      ["change a field", 0, 54],
      ["up --refresh", 0, 0, ["an answer 2 writes old", "GET", 1, 1]],
      ["destroy"],
    ],
  },
  {
    why: "a refresh that a stale answer misled, of a revision whose check has failed: the next up finds that it is made already",
    quirk: "older agent",
    declares: ["Assistant", "Deployment", "SandboxVolume", "OAuthProvider", "Cron"],
    steps: [
      ["check it, and go back", 1, 11],
      ["up", 1, 61],
      ["up with an image that fails its check", 1, 53],
      ["refresh", 1, 0, ["an answer 3 writes old", "GET", 1, 1]],
      ["up", 1, 57],
    ],
  },
  {
    why: "the revision after somebody's keeps what somebody has set and nobody declares",
    quirk: "extended",
    declares: ["Deployment"],
    steps: [["up"], ["change a field by hand", 0, 21], ["push a revision that is stuck", 0, 37]],
  },
  {
    why: "a program that ignores changes of its secrets keeps what a refresh has found there of somebody's",
    quirk: "extended",
    declares: ["Deployment"],
    steps: [["ignore changes of its secrets"], ["up"], ["change its variables by hand"]],
  },
  {
    why: "a workspace secret that somebody has made anew goes with a destroy: only its name identifies it",
    quirk: "extended",
    declares: ["WorkspaceSecret"],
    steps: [["up"], ["delete and make again by hand"], ["destroy"]],
  },
  {
    why: "two backends with one name: what carries a key of its own is made once in each",
    quirk: "older agent",
    declares: ["Cron", "Assistant"],
    beside: "another backend",
    steps: [
      ["up", 0],
      ["up", 2],
    ],
  },
  {
    why: "a delete without an answer: one list that is late, also behind one from before the delete, says nothing",
    quirk: "extended",
    declares: ["SandboxRegistry", "SandboxVolume"],
    steps: [
      ["up"],
      ["drop", 1],
      ["up", 0, 0, ["lost answer, then a late list", "DELETE", 1, 1]],
      ["destroy --refresh", 0, 0, ["lost answer, then a late list", "DELETE", 1, 1]],
    ],
  },
  {
    why: "a delete without an answer, where every list is late: what is gone is not said to stay",
    quirk: "late lists",
    declares: ["SandboxTemplate", "SandboxRegistry"],
    steps: [["up"], ["destroy", 0, 0, ["lost answer", "DELETE", 1, 1]]],
  },
  {
    why: "an adoption takes a deployment over with the revision that it has",
    quirk: "small pages",
    declares: ["Deployment"],
    steps: [["take its name by hand"], ["up"], ["up"], ["up with another name over somebody's revision"]],
  },
  {
    why: "a short page whose offset stays looks like the end of a list, and a second list shows more",
    quirk: "documented, small pages",
    declares: ["SandboxTemplate"],
    steps: [["up"], ["refresh", 0, 0, ["an offset that stays", "GET", 1, 8]]],
  },
  {
    why: "a provider that somebody has deleted stays in the state where no answer can show that",
    quirk: "degraded",
    declares: ["OAuthProvider"],
    steps: [["up"], ["delete by hand"]],
  },
  {
    why: "a delete that was done and answered with an error: the next up sends nothing, also for a row without an id",
    quirk: "old rows",
    declares: ["SandboxTemplate"],
    steps: [["up"], ["destroy", 0, 0, ["status 500 after commit", "DELETE", 1, 1]]],
  },
  {
    why: "a command of the build that no answer shows is there again after a check went back",
    quirk: "extended",
    declares: ["Deployment"],
    steps: [
      ["check it, and go back", 0, 43],
      ["up with a check that expects more", 0, 8],
      ["change a field", 0, 52],
      ["up --refresh"],
    ],
  },
];

test.each(PROGRAMS)("a program: $why", async (program) => {
  const { play, close } = await platformWith(program.quirk, new Counts());
  await play(program).finally(close);
});
