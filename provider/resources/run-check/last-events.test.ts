import { inspect } from "node:util";
import type { RunEvent } from "../../streaming/events";
import { disclosureOf, LastEvents } from "./last-events";
import { noteSecrets } from "../../base/masker";

const shown = disclosureOf({ url: "https://a.example", assistantId: "agent", showData: true });
const token = (content: string, node: string): RunEvent => ({
  mode: "messages-tuple",
  namespace: [],
  data: [{ content }, { langgraph_node: node }],
});
const sizeOf = (events: LastEvents): number =>
  inspect(events, { depth: 9, maxStringLength: null, maxArrayLength: null }).length;

test("of a flood of tokens only the end is kept, and the count tells the rest", () => {
  const events = new LastEvents();
  for (let count = 0; count < 3000; count++) events.see(token("x".repeat(100_000), "chat"));
  expect(sizeOf(events)).toBeLessThan(300_000);
  expect(events.show({ ...shown, showsData: false })).toEqual(["messages-tuple chat (300000000 characters)"]);
});

test("nodes without end, and events as long as they may be, do not fill the memory", () => {
  const events = new LastEvents();
  for (let count = 0; count < 5000; count++) events.see(token("a token", `node-${count}`));
  for (let count = 0; count < 10; count++)
    events.see({ mode: "values", namespace: ["n".repeat(1_000_000)], data: { text: "x".repeat(1_000_000) } });
  expect(sizeOf(events)).toBeLessThan(1_000_000);
  for (const line of events.show(shown)) expect(line.length).toBeLessThan(700);
});

test("a secret is removed although its beginning is not shown, and wherever the tokens cut it", () => {
  const secret = "canary-secret-0123456789";
  noteSecrets(secret);
  for (let at = 1; at < secret.length; at++) {
    const events = new LastEvents();
    for (const part of ["x".repeat(200_000), secret.slice(0, at), secret.slice(at), "y".repeat(290)])
      events.see(token(part, "chat"));
    expect(events.show(shown).join()).not.toMatch(/canary|secret-0|456789/);
  }
});
