import type { Send } from "../../http/request";
import { entriesSince } from "./logs";

test("a log without end is an error, not a wait for ever", async () => {
  let asked = 0;
  const send: Send = (_request, answer) => {
    asked += 1;
    const data = answer.parse({
      logs: [{ id: String(asked), timestamp: "", message: "" }],
      next_offset: String(asked),
    });
    return Promise.resolve({ data, date: undefined, status: 200 });
  };
  const log = { kind: "deploy", deploymentId: "d", revisionId: "r" } as const;
  await expect(entriesSince(send, log, undefined)).rejects.toThrow(
    /POST \/v1\/projects\/d\/revisions\/r\/deploy_logs.*the list has no end: 10000 pages have brought something new/,
  );
  expect(asked).toBe(10_000);
});
