import { deployments } from "../../emulator";
import { changingRequests } from "../support/agent-server";
import { notOk, ok } from "../support/cli-stack";
import { describeWithEngine } from "../support/with-engine";
import { onAgent } from "../engine/on-emulator";

const on = onAgent("desk");

const program = (tone: string, image = "1"): string => `
  const desk = new platform.Deployment("desk", {
    source: "external_docker",
    sourceRevisionConfig: { imageUri: "registry.example/desk:${image}" },
  });
  const triage = new platform.Assistant("triage", { deployment: desk, graphId: "agent", context: { tone: "${tone}" } });
  new platform.Cron("digest", { assistant: triage, schedule: "0 9 * * 1-5" });
  exports.id = triage.id;
  exports.version = triage.version;
`;
const own = () => [...on.agent.assistants.values()].filter(({ metadata }) => metadata["created_by"] !== "system");
const sent = (): string[] => changingRequests(on.agent);

describeWithEngine("assistants and crons", () => {
  test("are made once the agent answers, kept by a new revision, put back after drift, and deleted before their deployment", async () => {
    const stack = await on.platform.stackOf(program("brief"));
    ok(await stack.up());
    expect(sent()).toEqual(["POST /assistants", "POST /runs/crons"]);
    const { id, version } = await stack.outputs();
    expect([own().map(({ assistant_id: each }) => each), version]).toEqual([[id], 1]);
    ok(await stack.nothingToDo());

    stack.write(program("brief", "2"));
    ok(await stack.up());
    stack.write(program("long", "2"));
    ok(await stack.up());
    expect([sent(), (await stack.outputs())["version"]]).toEqual([["PATCH /assistants/:id"], 2]);

    const [theirs] = own();
    Object.assign(theirs ?? {}, { context: { tone: "theirs" } });
    notOk(await stack.refresh("--expect-no-changes"));
    ok(await stack.up());
    expect([sent(), own()[0]?.context]).toEqual([["PATCH /assistants/:id"], { tone: "long" }]);

    ok(await stack.destroy());
    const deletes = ["DELETE /runs/crons/:id", "DELETE /assistants/:id"];
    expect([sent(), on.platform.kept(deployments)]).toEqual([deletes, []]);
  });
});
