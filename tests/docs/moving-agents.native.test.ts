import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { onAgent } from "../engine/on-emulator";
import { changingRequests } from "../support/agent-server";
import { ok, type CliStack } from "../support/cli-stack";
import { describeWithEngine } from "../support/with-engine";
import { blocksRunBy, inJavaScript } from "./blocks";

const blocks = blocksRunBy("tests/docs/moving-agents.native.test.ts");
const codeOf = (name: string): string[] => blocks.flatMap(({ page, code }) => (page.endsWith(name) ? [code] : []));
const [movedOut = "", showIds = "", movedIn = ""] = codeOf("teams.md");
const [aliased = "", , inEnvironment = ""] = codeOf("rename-a-resource.md");
/** What the stack has before the resources get other names. */
const before = movedOut.replaceAll(", stays)", ")");

const on = onAgent("desk");

/** Writes a program of the pages as it stands there, with the ids that it asks for. */
function write(stack: CliStack, code: string, ids: { readonly assistant?: string; readonly cron?: string } = {}): void {
  const filled = code.replace("<id of the assistant>", ids.assistant ?? "").replace("<id of the cron>", ids.cron ?? "");
  writeFileSync(join(stack.folder, "index.js"), inJavaScript(filled));
}

/** The ids that the command of the pages shows. */
async function idsOf(stack: CliStack): Promise<{ readonly assistant: string; readonly cron: string }> {
  const shown = ok(await stack.run(showIds.trim().split(" ").slice(1)));
  const idOf = (kind: string): string => new RegExp(`:${kind} [^]*?ID: (\\S+)`).exec(shown)?.[1] ?? "";
  return { assistant: idOf("Assistant"), cron: idOf("Cron") };
}

const kept = () => [
  [...on.agent.assistants.values()].flatMap(({ metadata, assistant_id }) =>
    metadata["created_by"] === "system" ? [] : [assistant_id],
  ),
  [...on.agent.crons.keys()],
];

describeWithEngine("an agent with an assistant and a cron", () => {
  const stackOf = () => on.platform.stackOf("");
  /** The stack before anything moves; its agent's log begins behind it. */
  const started = async (): Promise<CliStack> => {
    const stack = await stackOf();
    write(stack, before);
    ok(await stack.up());
    changingRequests(on.agent);
    return stack;
  };

  test("moves to another stack as the page says, and one cron fires", async () => {
    const [first, second] = [await started(), await stackOf()];
    write(first, movedOut);
    ok(await first.up());
    const ids = await idsOf(first);
    expect(kept()).toEqual([[ids.assistant], [ids.cron]]);
    changingRequests(on.agent);
    first.write("");
    ok(await first.up());
    write(second, movedIn, ids);
    ok(await second.up());
    ok(await second.preview("--expect-no-changes"));
    expect([changingRequests(on.agent), kept()]).toEqual([[], [[ids.assistant], [ids.cron]]]);
    ok(await second.destroy());
    expect(kept()).toEqual([[], []]);
  });

  test("where the page's cron is not to stay, the second stack makes the only one", async () => {
    const [first, second] = [await stackOf(), await stackOf()];
    write(first, movedOut.replace('1-5" }, stays)', '1-5" })'));
    ok(await first.up());
    const ids = await idsOf(first);
    first.write("");
    ok(await first.up());
    expect(kept()).toEqual([[ids.assistant], []]);
    write(second, movedIn.replace(', adopt: "<id of the cron>"', ""), ids);
    ok(await second.up());
    expect(kept()[1]).toHaveLength(1);
  });

  test("gets other names in the program as the page says, and nothing is sent", async () => {
    const stack = await started();
    const ids = kept();
    write(stack, aliased);
    ok(await stack.preview("--expect-no-changes"));
    ok(await stack.up());
    expect([changingRequests(on.agent), kept()]).toEqual([[], ids]);
    write(stack, aliased.replace(/{ aliases: .* }/g, "{}"));
    ok(await stack.preview("--expect-no-changes"));
  });

  test("stays where its deployment gets another name, and adopts the old one", async () => {
    const stack = await started();
    const ids = kept();
    write(stack, before.replace('"desk", {', '"support", { name: "desk", adopt: true,'));
    ok(await stack.up());
    expect([changingRequests(on.agent), kept()]).toEqual([[], ids]);
    ok(await stack.destroy());
    expect(kept()).toEqual([[], []]);
  });

  test("moves into an AgentEnvironment as the page says, and nothing is sent", async () => {
    const stack = await started();
    const ids = await idsOf(stack);
    expect(kept()).toEqual([[ids.assistant], [ids.cron]]);
    write(stack, inEnvironment, ids);
    ok(await stack.up());
    expect([changingRequests(on.agent), kept()]).toEqual([[], [[ids.assistant], [ids.cron]]]);
    write(stack, inEnvironment.replace(/adopt: true,|, adopt: "[^"]*"/g, ""));
    ok(await stack.preview("--expect-no-changes"));
    ok(await stack.destroy());
    expect(kept()).toEqual([[], []]);
  });

  test("moves into an AgentEnvironment without the ids, and one cron fires", async () => {
    const stack = await started();
    write(stack, inEnvironment.replace(/, adopt: "[^"]*"/g, ""));
    ok(await stack.up());
    expect(kept().map((all) => all.length)).toEqual([1, 1]);
    ok(await stack.destroy());
    expect(kept()).toEqual([[], []]);
  });
});
