import { parseEvents } from "./engine-events";

const ID = "d097043c-08bb-448d-a169-b08e995200a";
const urnOf = (kind: string, name: string): string => `urn:pulumi:prod::desk::agent-platform:index:${kind}::${name}`;
const failed = (kind: string, name: string, message: string): string =>
  JSON.stringify({ diagnosticEvent: { urn: urnOf(kind, name), message, severity: "error" } });
const wrongKey = (number: number): string =>
  failed(
    "Deployment",
    `agent-${number}`,
    `Deployment "agent-${number}" (${ID}${number % 10}): GET /v2/deployments/${ID}${number % 10} answered 401`,
  );

test.each<[what: string, lines: readonly string[], messages: readonly string[]]>([
  [
    "one message",
    [wrongKey(1)],
    [`Deployment agent-1: Deployment "agent-1" (${ID}1): GET /v2/deployments/${ID}1 answered 401`],
  ],
  ["the same twice", [failed("Listener", "a", "gone"), failed("Listener", "a", "gone")], ["Listener a: gone"]],
  [
    "one cause of several resources: once, with their names",
    [wrongKey(1), wrongKey(2), failed("Deployment", "other", "no listener has this id"), wrongKey(3)],
    [
      `Deployment agent-1: Deployment "agent-1" (${ID}1): GET /v2/deployments/${ID}1 answered 401 (the same of agent-2, agent-3)`,
      "Deployment other: no listener has this id",
    ],
  ],
  [
    "of objects whose names on the platform are not those in the program",
    [1, 2].map((at) => failed("Deployment", `a-${at}`, `Deployment "prod-a-${at}" (${ID}${at}): read failed`)),
    [`Deployment a-1: Deployment "prod-a-1" (${ID}1): read failed (the same of a-2)`],
  ],
  [
    "of a type whose objects have no name: the id stands behind the type",
    [1, 2].map((at) => failed("Rollout", `agent-${at}`, `Rollout ${ID}${at}: GET /v2/deployments answered 401`)),
    [`Rollout agent-1: Rollout ${ID}1: GET /v2/deployments answered 401 (the same of agent-2)`],
  ],
  [
    "other types, whose cause may be another one",
    [failed("Listener", "a", "answered 401"), failed("Assistant", "b", "answered 401")],
    ["Listener a: answered 401", "Assistant b: answered 401"],
  ],
  [
    "what differs in more than the name",
    [failed("Listener", "a", 'Listener "a" has "x"'), failed("Listener", "b", 'Listener "b" has "y"')],
    ['Listener a: Listener "a" has "x"', 'Listener b: Listener "b" has "y"'],
  ],
])("errors: %s", (_what, lines, messages) => expect(parseEvents(lines.join("\n")).errors).toEqual(messages));

test("of many names, ten are shown", () => {
  const [message = ""] = parseEvents(Array.from({ length: 30 }, (_, at) => wrongKey(at + 1)).join("\n")).errors;
  expect(message).toMatch(/^Deployment agent-1: .* \(the same of agent-2, .*, agent-11 and 19 more\)$/);
});
