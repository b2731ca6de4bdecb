import { z } from "zod";
import { agentUnderTest, type AgentUnderTest } from "../support/agent-under-test";
import { captures, framesOf } from "../support/capture";
import { essence } from "./essence";

const Refusal = z.object({ detail: z.string() });
const POST = /^POST (\/threads\/[^/]+)?\/runs\/stream$/;
const UNKNOWN = /^\/threads\/(0{8}|nope)/;
// Of a busy thread: emulator/agents/runs.test.ts. The emulator's debug chunks do not say which thread the task of a subgraph has.
const ELSEWHERE = ["46-err-busy-thread", "11-thread-debug"];
const recorded = captures().filter(({ request, name }) => POST.test(request) && !ELSEWHERE.includes(name));

describe("the emulator's agents answer as the official server for Python was recorded to", () => {
  let agent: AgentUnderTest;
  beforeAll(async () => void (agent = await agentUnderTest()));

  test.each(recorded.map((each) => [`${each.name}: ${each.sent}`, each] as const))(
    "%s",
    async (_name, { request, sent, status, contentType, body }) => {
      const [, thread = ""] = POST.exec(request) ?? [];
      const on = thread === "" || UNKNOWN.test(thread) ? thread : `/threads/${await agent.thread()}`;
      const answer = await agent.post(`${on}/runs/stream`, sent);
      expect([answer.status, answer.headers.get("content-type")]).toEqual([status, contentType]);
      const text = await answer.text();
      const frames = (of: Buffer) => essence(framesOf(of));
      if (status === 200) {
        expect(frames(Buffer.from(text))).toEqual(frames(body));
        return;
      }
      // The words of a schema are the server's own.
      const [ours, theirs] = [text, body.toString()].map((each) => Refusal.parse(JSON.parse(each)).detail);
      if (theirs?.includes("schema[") !== true) expect(ours).toBe(theirs);
    },
  );
});
