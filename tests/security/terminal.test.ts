import type { Layer } from "../../emulator";
import { startEmulator, type Emulator } from "../../emulator";
import { isObject, isParsedJson, type Json } from "../../provider/base/json";
import { commandLine } from "../support/command-line";
import { deployed } from "../support/agent-under-test";

// Whoever may write on the platform, or answers in its place, chooses these texts; a terminal must not obey them.

/** A title of the window, a colour, the one-character forms of both (C1), a bell, a mark that reverses the line, and a line of its own. */
const COMMANDS = "\x1b]0;owned\x07\x1b[31m\x9d0;owned\x9c\x9b31m\x07\u202e\r";
const OBEYED = /[^\P{Cc}\n\t]|[\u202a-\u202e\u2066-\u2069]/u;

/** Fields whose texts a client follows. */
const FOLLOWED = /^(id|url|.*revision_id|run_id|thread_id|.*_at|type|next_offset)$|^source/;

function steered(value: Json, name = ""): Json {
  if (typeof value === "string") return FOLLOWED.test(name) ? value : `${value}${COMMANDS}`;
  if (Array.isArray(value)) return value.map((each) => steered(each, name));
  if (!isObject(value)) return value;
  return Object.fromEntries(Object.entries(value).map(([key, each]) => [key, steered(each ?? null, key)]));
}

let emulator: Emulator;
let isSteering = false;
let steeredAnswers = 0;
let refusal: Response | undefined;
const layer: Layer = {
  beforeRoute({ request }) {
    const isOfRun = request.url.includes("/runs");
    return Promise.resolve(refusal?.ok === true && !isOfRun ? undefined : refusal?.clone());
  },
  async afterCommit(_exchange, response) {
    if (!isSteering) return response;
    const text = await response.text();
    steeredAnswers += 1;
    if (!response.headers.get("content-type")?.includes("json")) {
      // The stream of a run: its names of events and nodes, and its texts.
      const body = text.replace(
        /"([a-z_]*(?:content|error|message|name|node)[a-z_]*)":"/g,
        `"$1":"${JSON.stringify(COMMANDS).slice(1, -1)}`,
      );
      return new Response(body, response);
    }
    const parsed: unknown = JSON.parse(text);
    return new Response(JSON.stringify(isParsedJson(parsed) ? steered(parsed) : parsed), response);
  },
};
let id = "";
beforeAll(async () => {
  emulator = await startEmulator({ buildSeconds: 0, layers: [layer], revisionLog: () => [`a line${COMMANDS}`] });
  id = await deployed(emulator, "a:1", "desk");
  isSteering = true;
});
afterEach(() => (refusal = undefined));
afterAll(() => emulator.close());

const run = (...words: string[]) =>
  commandLine([...words, "--cwd", "/"], {
    AGENT_PLATFORM_BASE_URL: emulator.url,
    AGENT_PLATFORM_API_KEY: emulator.apiKey,
    PATH: process.env["PATH"],
  });

const COMMAND_LINES: readonly (readonly string[])[] = [
  ["doctor"],
  ["doctor", "--format", "json"],
  ["revisions", "ID"],
  ["revisions", "ID", "--format", "json"],
  ["logs", "ID"],
  ["logs", "ID", "--build"],
  ["logs", "ID", "--format", "json"],
  ["run", "ID", "--assistant", "agent", "--input", '{"topic":"cats"}'],
  ["run", "ID", "--assistant", "agent", "--input", "{}", "--format", "json"],
];

describe.each(COMMAND_LINES.map((words) => [words.join(" "), words] as const))("%s", (_line, words) => {
  test.each<[reason: string, answer: Response | undefined]>([
    ["what it shows", undefined],
    ["a refusal as JSON", new Response(JSON.stringify({ detail: `no${COMMANDS}` }), { status: 403 })],
    ["a refusal as text", new Response(`no${COMMANDS}`, { status: 500 })],
    ["a run of a strange type", new Response("no", { headers: { "content-type": `text/plain; a="\x9b31m"` } })],
  ])("%s", async (_reason, answer) => {
    refusal = answer;
    const before = steeredAnswers;
    const { out, err } = await run(...words.map((word) => (word === "ID" ? id : word)));
    expect(OBEYED.exec(out + err)).toBeNull();
    expect((out + err).length).toBeGreaterThan(10);
    if (answer === undefined) expect(steeredAnswers).toBeGreaterThan(before);
  });
});
