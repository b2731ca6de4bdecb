import { contextWith } from "../../../tests/support/context";
import type { Json } from "../../base/json";
import { noteSecrets } from "../../base/masker";
import type { Send } from "../../http/request";
import { untilBuilt } from "./built";

noteSecrets("registry-password");
const started = { id: "1", status: "building" };
const is = (status: string, message?: string): Json => ({
  ...{ ...started, status },
  ...(message !== undefined && { status_message: message }),
});
const wait = {
  ...{ what: "the thing", limitMs: 60_000, limit: "buildTimeout", urn: "urn:row" },
  ...{ isOurs: false, unfinished: {}, afterFailure: "It stays" },
  collection: { pathOf: () => "/things/1", delete: () => Promise.reject(new Error("it was deleted")) },
};

/** The end of a wait for answers that come one after the other, the last one for ever. */
async function endOf(answers: readonly Json[], signal?: AbortSignal): Promise<string> {
  let polls = 0;
  const send: Send = (_request, schema) =>
    Promise.resolve({ data: schema.parse(answers[Math.min(polls++, answers.length - 1)]), date: undefined });
  return untilBuilt(contextWith({ send, signal }), started, wait).then(
    ({ status }) => `it is ${String(status)}`,
    (error: unknown) => String(error),
  );
}

test.each<[reason: string, answers: readonly Json[], end: RegExp]>([
  ["a status that this version does not know is waited for", [is("queued"), is("ready")], /^it is ready$/],
  [
    "the limit ends it",
    [started],
    /the thing is still building after 1m\. It goes on building: .* or raise buildTimeout/,
  ],
  ["a deletion ends it", [is("deleting")], /the thing no longer exists on the platform/],
  [
    "the reason of a failure shows no secret of the program",
    [is("failed", "cannot pull with registry-password.")],
    /its build failed: cannot pull with \[secret\]\. It stays/,
  ],
  ["a failure may have no reason", [is("failed")], /its build failed: the platform gives no reason\. /],
  ["a long reason is cut", [is("failed", "x".repeat(9000))], /failed: x{499}…\. It stays/],
])("%s", async (_reason, answers, end) => expect(await endOf(answers)).toMatch(end));

test("a cancelled run ends it at once, with what goes on", async () => {
  expect(await endOf([started], AbortSignal.abort())).toMatch(
    /the wait ended after 0s, .*: the run was cancelled\. It goes on building: run `pulumi up` again, which waits on/,
  );
});
