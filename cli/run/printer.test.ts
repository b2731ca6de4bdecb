import type { Json } from "../../provider/base/json";
import { eventOf, type RunEvent, STREAM_MODES, type StreamMode } from "../../provider/streaming/events";
import { captures, framesOf } from "../../tests/support/capture";
import { jsonPrinter, peoplePrinter, type Printer } from "./printer";
import { styleFor } from "../base/style";

const ALL = new Set<StreamMode>(STREAM_MODES);
const isJson = (value: unknown): value is Json => value !== undefined;

/** The events of a recorded answer. */
function recorded(name: string): RunEvent[] {
  const found = captures().find((each) => each.name === name);
  if (found === undefined) throw new Error(`there is no capture ${name}`);
  return framesOf(found.body).flatMap(({ event, data }) =>
    event === "metadata" || event === "error" || !isJson(data) ? [] : [eventOf(event, data, ALL)],
  );
}

const token = (content: Json, node: Json = "chat", more: { id?: Json; from?: readonly string[] } = {}) =>
  eventOf(
    ["messages", ...(more.from ?? [])].join("|"),
    [{ content, id: more.id ?? "m" }, { langgraph_node: node }],
    ALL,
  );

function printer(options: { width?: number; colour?: boolean } = {}): Printer {
  const { width = 100, colour = false } = options;
  return peoplePrinter({ style: styleFor(colour, {}), lineWidth: () => width });
}

/** The printed form of the events, one of them each second. */
function printed(events: readonly RunEvent[], to = printer()): string {
  return events.map((event, index) => to.event(event, index)).join("") + to.end();
}

describe("tokens are running text, under a heading with the node", () => {
  test.each<[reason: string, events: RunEvent[], text: string]>([
    ["a text that ends its line is not ended twice", [token("Hi\n")], "[chat]\nHi\n"],
    ["parallel nodes take turns", [token("a"), token("b", "side"), token("c")], "[chat]\na\n[side]\nb\n[chat]\nc\n"],
    [
      "another message of the same node begins a line, without a heading",
      [token("a", "chat", { id: "1" }), token("b", "chat", { id: "2" })],
      "[chat]\na\nb\n",
    ],
    [
      "the same node in a subgraph is another place; the task's id is short",
      [token("a"), token("b", "chat", { from: ["sub:6b19631c-bc81-d740-f0e3-0a620efcc18e"] })],
      "[chat]\na\n[sub:6b19631c > chat]\nb\n",
    ],
    ["a tool call has no text, and no heading", [token(""), token([{ type: "tool_use" }], "tools")], ""],
    [
      "blocks of content",
      [
        token([
          { type: "text", text: "a" },
          { type: "text", text: "b" },
        ]),
      ],
      "[chat]\nab\n",
    ],
    ["a node that is not named", [token("a", null)], "[(unnamed node)]\na\n"],
    ["letters, emoji and joiners stay", [token("ə 👩‍💻 שלום")], "[chat]\nə 👩‍💻 שלום\n"],
  ])("%s", (_reason, events, text) => {
    expect(printed(events)).toBe(text);
  });

  test("of a recorded run: the text of the model, whole", () => {
    expect(printed(recorded("12-subgraphs-messages-tuple"))).toMatch(
      /^\[chat\]\nHi cats\n\[sub:[0-9a-f]{8} > inner\]\nok\n$/,
    );
  });

  test("an event between tokens stands on a line of its own, and the text goes on under its heading", () => {
    const lines = printed([token("a"), eventOf("custom", 1, ALL), token("b")]).split("\n");
    expect(lines.map((line) => line.trim())).toEqual(["[chat]", "a", "1.00s  custom  1", "[chat]", "b", ""]);
  });
});

describe("what a model writes cannot steer a terminal, nor a pipeline's runner", () => {
  test.each<[reason: string, text: string, shown: string]>([
    ["a colour", "\x1b[31mred", "\\u001b[31mred"],
    ["the title of the window", "\x1b]0;pwned\x07", "\\u001b]0;pwned\\u0007"],
    ["a sequence of the second control block", "\u009b2J", "\\u009b2J"],
    ["a return, which overwrites the line", "safe\rrm -rf", "safe\\u000drm -rf"],
    ["a backspace", "a\b", "a\\u0008"],
    ["text turned around", "\u202Etxt.exe", "\\u202etxt.exe"],
    ["line ends of Windows, and tabs, are harmless", "a\r\n\tb", "a\n\tb"],
  ])("%s", (_reason, text, shown) => {
    expect(printed([token(text)])).toBe(`[chat]\n${shown}\n`);
  });

  test("also where a sequence comes in two tokens, or in the name of a node", () => {
    expect(printed([token("\x1b"), token("[2J")])).toBe("[chat]\n\\u001b[2J\n");
    expect(printed([token("a", "\x1b[2J\n")])).toBe("[\\u001b[2J\\u000a]\na\n");
  });

  test("in the line of an event, wherever it stands", () => {
    const evil = "\x1b[2J\u009b\n";
    const rows = printed([
      eventOf("updates", { [evil]: { [evil]: evil } }, ALL),
      eventOf(`custom|${evil}`, evil, ALL),
      eventOf(evil, evil, ALL),
    ]);
    expect(rows.split("\n")).toHaveLength(4);
    expect(rows.replaceAll("\n", "")).not.toMatch(/\p{Cc}/u);
  });

  test.each<[reason: string, tokens: string[], shown: string]>([
    ["whole", ["##vso[task.setvariable]x"], "\\u0023#vso[task.setvariable]x"],
    ["in two tokens", ["a #", "#vso[task.setvariable]x"], "a \\u0023#vso[task.setvariable]x"],
    ["in many", [":", ":", "set", "-output name=x::y"], "\\u003a:set-output name=x::y"],
    ["unfinished, it is text", ["a ##", "x"], "a ##x"],
    ["and so it is at the end", ["Note:"], "Note:"],
  ])("a command of a runner: %s", (_reason, tokens, shown) => {
    expect(printed(tokens.map((text) => token(text)))).toBe(`[chat]\n${shown}\n`);
  });

  test("what may begin a command comes before what follows it, at the latest", () => {
    expect(printed([token("a:"), token("b", "side"), token("c#"), eventOf("custom", 1, ALL)])).toMatch(
      /^\[chat\]\na:\n\[side\]\nb\n\[chat\]\nc#\n3\.00s {2}custom/,
    );
  });
});

describe("any other event is a line", () => {
  test("with the time, the mode, the subgraph and the data", () => {
    expect(printed(recorded("12-subgraphs-updates"), printer({ width: 96 }))).toBe(
      [
        '0.00s  updates  {"side":{"log":["side"]}}',
        '1.00s  updates  {"chat":{"messages":[{"content":"Hi cats","additional_kwargs":{},"response_meta…',
        '2.00s  updates  sub:6b19631c  {"inner":{"inner":"ok"}}',
        '3.00s  updates  {"sub":{"topic":"cats","inner":"ok"}}',
        '4.00s  updates  {"last":{"log":["last"]}}',
        "",
      ].join("\n"),
    );
  });

  test.each<[reason: string, name: string, data: Json, line: string]>([
    ["data may be anything", "custom", null, "0.00s  custom  null\n"],
    ["an unknown name is shown as it is", "checkpoints", { a: 1 }, '0.00s  checkpoints  {"a":1}\n'],
  ])("%s", (_reason, name, data, line) => {
    expect(printed([eventOf(name, data, ALL)])).toBe(line);
  });

  test.each([80, 100, 200])("a line is no longer than a terminal of %i columns", (width) => {
    const lines = printed(recorded("20-list-all"), printer({ width })).split("\n");
    expect(Math.max(...lines.map((line) => line.length))).toBe(width);
  });

  test("a long name does not push the text of every line away", () => {
    const rows = printed([eventOf("updates", { ["n".repeat(500)]: 1 }, ALL)]);
    expect(rows.length).toBeLessThan(102);
  });

  test("a huge state costs no more than what is shown of it", () => {
    const to = printer();
    const huge = eventOf("values", { text: "😀".repeat(5_000_000) }, ALL);
    const begin = performance.now();
    to.event(huge, 0);
    expect(performance.now() - begin).toBeLessThan(1500);
  });
});

test("each recorded event is one line of JSON that says all of it", () => {
  const names = captures().flatMap(({ name, contentType }) =>
    contentType.startsWith("text/event-stream") ? [name] : [],
  );
  const events = names.flatMap(recorded);
  expect(events.length).toBeGreaterThan(100);
  for (const event of events) {
    const line = jsonPrinter.event(event, 1.23456);
    expect(line.indexOf("\n")).toBe(line.length - 1);
    expect(JSON.parse(line)).toEqual({ time: 1.235, ...event });
  }
});

describe("colours", () => {
  test.each<[reason: string, isTerminal: boolean, environment: NodeJS.ProcessEnv, coloured: boolean]>([
    ["on a terminal", true, {}, true],
    ["not with NO_COLOR", true, { NO_COLOR: "1" }, false],
    ["an empty NO_COLOR says nothing", true, { NO_COLOR: "" }, true],
    ["not on a dumb terminal", true, { TERM: "dumb" }, false],
  ])("%s", (_reason, isTerminal, environment, coloured) => {
    expect(styleFor(isTerminal, environment).heading("x")).toBe(coloured ? "\x1b[36mx\x1b[0m" : "x");
  });

  test("are never in the text of a model", () => {
    expect(printed([token("Hi")], printer({ colour: true }))).toBe("\x1b[36m[chat]\x1b[0m\nHi\n");
  });
});
