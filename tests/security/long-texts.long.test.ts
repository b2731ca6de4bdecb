import { readFileSync } from "node:fs";
import { join } from "node:path";
import { createContext, Script } from "node:vm";
import ts from "typescript";
import { Spellings } from "../../provider/base/masker";
import { ROOT, sources } from "../support/sources";

// A text from elsewhere may be long and made to be slow. Whoever reads it must not stop: neither an expression that backtracks, nor a loop
// in a loop. Each exported function that takes a text is found by its signature, so that none is forgotten.

const LENGTH = 2 ** 20;
/** A quiet machine takes a second at most, one with six times as much to do twenty; the slow functions of old took minutes. Whatever runs is ended after so long. */
const LIMIT_MS = 60_000;
/** For a first look, since a loop in a loop takes 256 times as long for 16 times as many: who ends this soon would end in time then. */
const FEWER = LENGTH / 16;
const SOON_MS = Math.floor(LIMIT_MS / 256);

/** A server refuses a longer path, and a longer secret is none. */
const SOME = 2 ** 14;

/** Each is bad for some expression: one that begins everywhere and ends nowhere. */
const shapesOf = (length: number): Readonly<Record<string, string>> => {
  const repeated = (part: string): string => part.repeat(Math.ceil(length / part.length)).slice(0, length);
  return {
    letters: repeated("a"),
    "letters with another end": `${repeated("a")}!`,
    capitals: `${repeated("A")}!`,
    digits: `${repeated("1")}x`,
    spaces: `x${repeated(" ")}x`,
    tabs: `x${repeated("\t")}x`,
    "line ends": `x${repeated("\n")}x`,
    "carriage returns": `x${repeated("\r")}x`,
    escapes: repeated("\x1b"),
    "begun commands": repeated("\x1b]"),
    "begun control sequences": repeated("\x1b[0"),
    "device control strings": `${repeated("\x90")}a`,
    "single control sequences": repeated("\x9b"),
    stars: repeated("*"),
    "stars between letters": `${repeated("*a")}!`,
    slashes: `x${repeated("/")}x`,
    dots: `${repeated("1.")}x`,
    hyphens: `x${repeated("-._")}x`,
    equals: `x${repeated("=")}x`,
    brackets: repeated("["),
    "nested brackets": repeated("[]{}()"),
    angles: repeated("<"),
    scripts: repeated("<script "),
    markup: repeated("<{%"),
    references: repeated("${A"),
    backticks: `${repeated("`")}a`,
    quotes: `"${repeated('\\"')}`,
    underscores: repeated("_a"),
    "combining marks": `a${repeated("\u0301")}`,
    "halves of characters": repeated("\ud800"),
    "user names": repeated("//a"),
    keys: `eyJ${repeated("-----BEGIN A")}`,
  };
};
const [short, long] = [shapesOf(FEWER), shapesOf(LENGTH)];

type Calls = (text: string) => readonly (readonly unknown[])[];

/** Functions that need more than one text: all that is given to them. */
const ARGUMENTS: Readonly<Record<string, Calls>> = {
  "provider/base/address.ts sameAddress": (text) => [
    [text, text],
    [`https://${text}`, "a"],
  ],
  "provider/base/address.ts isInsecure": (text) => [[`http://${text}`]],
  "cli/doctor/platform.ts inPlatform": (text) => [
    [text, ""],
    ["a", text],
  ],
  "cli/generate/names.ts numbered": (text) => [[[text, text], "-"]],
  "cli/drift/many.ts namedStacks": (text) => [
    [[text, `acme/${text}/prod`], false],
    [[text], true],
  ],
  "provider/base/nearest.ts nearest": (text) => [
    [text, ["deployment"]],
    ["deployment", [text]],
  ],
  "provider/base/nearest.ts didYouMean": (text) => [
    [text, ["deployment"]],
    ["deployment", [text]],
  ],
  "provider/resources/deployment/refused.ts reservation": (text) => [
    [text, "github"],
    ["desk", text],
  ],
  "provider/base/version.ts isAtLeast": (text) => [
    [text, "1.2.3"],
    ["1.2.3", text],
  ],
  "provider/base/plain-text.ts cutOff": (text) => [[text, 60]],
  "provider/base/plain-text.ts withoutEnd": (text) => [[text, "/\r-._=x!"]],
  "provider/base/wildcard.ts matchesWildcard": (text) => [[text, text]],
  "provider/base/wildcard.ts fitsOne": (text) => [
    [[text], text],
    [["*a*a*a*a*a*a*a*a*b"], text],
    [["*"], text],
  ],
  "provider/lifecycle/identity/ownership.ts isSuccessor": (text) => [
    ["uuid", { id: text, outputs: { uuid: text } }, { id: text, outputs: { uuid: `${text}a` } }],
  ],
  "provider/http/detail.ts isPlatformsOwn": (text) => [
    [text, "application/json"],
    ["{}", text],
  ],
  "provider/http/excerpt.ts excerptOf": (text) => [
    [[text], ["a secret"]],
    [["a log"], [text.slice(0, SOME)]],
  ],
  "provider/base/masker.ts safeText": (text) => [
    [text, new Spellings(["a secret"])],
    ["a log", new Spellings([text.slice(0, SOME)])],
  ],
  "provider/lifecycle/identity/origin.ts originOf": (text) => [
    [text, text],
    [`https://${text}`, undefined],
  ],
  "provider/lifecycle/identity/origin.ts keyMarkOf": (text) => [[text, text]],
  "provider/lifecycle/identity/ownership.ts markOf": (text) => [["it", { it: text }]],
  "provider/lifecycle/identity/origin.ts digest": (text) => [[text, 6]],
  "provider/lifecycle/fields/rename.ts wireName": (text) => [[text, {}]],
  "provider/streaming/events.ts eventOf": (text) => [
    [text, text, new Set()],
    ["messages", [{ content: text }, {}], new Set(["messages-tuple"])],
  ],
  "provider/resources/deployment/revision.ts ownBefore": (text) => [
    [text, { __ownRevisionId: `${text}a`, latestRevisionId: text }],
  ],
  "cli/base/printable.ts shortText": (text) => [[text, 60]],
  "cli/base/markdown.ts commentText": (text) => [["Drift", text]],
  "cli/base/markdown.ts fitting": (text) => [[[text, text], 60]],
  "cli/base/printable.ts problemText": (text) => [["problem", text]],
  "cli/base/printable.ts sentenceLines": (text) => [[text]],
  "cli/base/printable.ts nameLines": (text) => [[[text, text], 80]],
  "cli/redeploy/command.ts environmentText": (text) => [[[text]]],
  "cli/base/stacks.ts matching": (text) => [
    [[text], ["*a*a*a*a*a*a*a*a*b"]],
    [[text], [text]],
  ],
  "emulator/agents/options.ts ownServer": (text) => [
    ["desk", text],
    ["desk", { command: text }],
  ],
  "cli/base/stack-objects.ts objectsIn": (text) => [["dev", text]],
  "emulator/agents/schedule.ts nextRun": (text) => [
    [text, "UTC", 0],
    [`* * * * ${text}`, "UTC", 0],
    ["@daily", text, 0],
  ],
  "emulator/routes/agent-lookups.ts uuidIn": (text) => [[text, "cron"]],
  "emulator/agents/sse.ts frame": (text) => [["values", text]],
  "emulator/agents/state.ts fillText": (text) => [
    [text, {}],
    ["{a}", { a: text }],
  ],
  "emulator/faults/trigger.ts pathMatches": (text) => [
    [text, "/v2/deployments"],
    [`/**${"*a".repeat(98)}b`, text.slice(0, SOME)],
    [`/v2/${"*".repeat(21)}/x`, `/v2/${text.slice(0, SOME)}`],
    [`${"*a".repeat(20)}!`, text.slice(0, SOME)],
    [`${"**a".repeat(20)}!`, text.slice(0, SOME)],
  ],
  "emulator/routes/validation.ts jsonBody": (text) => [
    [text, "application/json"],
    ["{}", text],
  ],
  "emulator/routes/validation.ts queryInt": (text) => [[text, "limit", 1, 100, 10]],
  "emulator/routes/validation.ts queryBoolean": (text) => [[text, "enabled"]],
  "fleet/locks.ts locksIn": (text) => [
    [text],
    [`the stack is currently locked by 1 lock(s)\nfile:///a/.pulumi/locks/b: created by ${text}`],
    [`the stack is currently locked by 1 lock(s)\n${"created by ".repeat(text.length / 11)}${text.slice(0, 9)}`],
  ],
  "fleet/engine.ts summaryOf": (text) => [[`Resources:\n${text}`]],
};

/** Functions whose first text nobody else chooses, and why. */
const EXCUSED: Readonly<Record<string, readonly string[]>> = {
  "The text is written in the code that calls it.": [
    "provider/engine/sdk.ts fromSdk",
    "provider/functions/arguments.ts checkNames",
    "provider/functions/arguments.ts optionalText",
    "provider/functions/arguments.ts optionalTexts",
    "provider/functions/arguments.ts requiredText",
    "provider/functions/arguments.ts idOrName",
    "provider/functions/arguments.ts atMost",
    "provider/lifecycle/fields/types.ts oneOfKnown",
    "provider/lifecycle/fields/types.ts adoptField",
    "provider/resources/rows.ts pulumiName",
    "provider/resources/rows.ts providersTime",
    "provider/resources/deployment/agent.ts refuseAgent",
    "provider/resources/deployment/agent.ts addressRefusal",
    "sdk/platform.ts settingsOf",
    "sdk/components/agent.ts agentParts",
    "sdk/components/agent.ts named",
    "cli/base/options.ts notEmpty",
    "emulator/store/define-collection.ts defineCollection",
  ],
  "The text stands in a sentence as it is.": [
    "provider/base/errors.ts noUpdateOffered",
    "provider/http/pages.ts endless",
    "provider/lifecycle/observe/workspace.ts confirmSame",
    "provider/resources/deployment/sources.ts listed",
    "provider/resources/rollout/revision-status.ts notActive",
    "cli/base/pulumi.ts engineFailed",
    "cli/doctor/finding.ts ok",
    "cli/doctor/finding.ts fix",
    "cli/doctor/finding.ts skip",
    "cli/generate/readme.ts readmeOf",
    "fleet/process.ts say",
  ],
  "The text is a file or a folder.": [
    "cli/review/preview.ts writeOutput",
    "cli/base/stack-config.ts projectFile",
    "cli/base/stack-config.ts projectFileIn",
    "cli/base/stack-config.ts projectName",
    "cli/doctor/project.ts projectAt",
    "cli/generate/folder.ts requireFree",
    "cli/generate/folder.ts writeProject",
    "cli/generate/project.ts projectOf",
    "cli/review/preview.ts loadPreview",
    "emulator/base/own-file.ts readOwnFile",
    "emulator/store/persistence.ts loadStore",
    "emulator/store/persistence.ts requireWritable",
    "fleet/file.ts folderOf",
    "fleet/file.ts readFleetFile",
    "fleet/plan.ts projectIn",
    "fleet/runs.ts logOf",
  ],
  "The text is the user's own file, which the package yaml reads.": ["fleet/file.ts fleetFileOf"],
  "The text is only kept, or is a key of a table.": [
    "cli/drift/report.ts reportOf",
    "emulator/routes/agent-answers.ts eventStream",
    "emulator/store/collection.ts newRecord",
    "emulator/platform/source-rules.ts checkCreate",
    "emulator/platform/source-rules.ts checkChange",
    "fleet/runs.ts approvalOf",
    "fleet/seal.ts sealed",
    "fleet/seal.ts opened",
  ],
};

interface TextFunction {
  readonly file: string;
  readonly name: string;
  readonly isList: boolean;
  /** How many parameters a call has to give. */
  readonly needed: number;
}
const keyOf = ({ file, name }: TextFunction): string => `${file} ${name}`;

/** The exported functions of a file whose first parameter is a text, or a list of texts. */
function textFunctionsIn(file: string): TextFunction[] {
  const source = ts.createSourceFile(file, readFileSync(join(ROOT, file), "utf8"), ts.ScriptTarget.Latest, true);
  const exported = source.statements.filter(
    (statement): statement is ts.FunctionDeclaration | ts.VariableStatement =>
      (ts.isFunctionDeclaration(statement) || ts.isVariableStatement(statement)) &&
      (statement.modifiers ?? []).some(({ kind }) => kind === ts.SyntaxKind.ExportKeyword),
  );
  const named = exported.flatMap((statement): { name: string; signature: ts.SignatureDeclaration }[] =>
    ts.isFunctionDeclaration(statement)
      ? [{ name: statement.name?.text ?? "", signature: statement }]
      : statement.declarationList.declarations.flatMap(({ name, initializer }) =>
          initializer !== undefined && ts.isArrowFunction(initializer)
            ? [{ name: name.getText(), signature: initializer }]
            : [],
        ),
  );
  return named.flatMap(({ name, signature: { parameters, type: answer } }) => {
    const type = parameters[0]?.type?.getText() ?? "";
    const isList = type === "readonly string[]";
    // What answers later asks somebody else: what it reads with is a function of its own.
    if (answer?.getText().startsWith("Promise<")) return [];
    if (!isList && !type.split(" | ").includes("string")) return [];
    const needed = parameters.filter(({ questionToken, initializer }) => !questionToken && !initializer).length;
    return [{ file, name, isList, needed }];
  });
}

const functions = ["provider", "sdk", "cli", "emulator", "fleet"].flatMap(sources).flatMap(textFunctionsIn);
const excused = Object.values(EXCUSED).flat();
const called = functions.filter((each) => !excused.includes(keyOf(each)));

// One for all: to make one takes longer than most functions.
const place: Record<string, () => void> = {};
createContext(place);
const call = new Script("ended()");

/** Runs it, and ends it if it does not end: jest itself cannot stop what never waits. Whether it throws is not the question here. */
function endsInTime(run: () => unknown, timeout: number): boolean {
  let hasEnded = false;
  place["ended"] = () => {
    try {
      run();
    } catch {
      // A text that is refused was read, too.
    }
    hasEnded = true;
  };
  try {
    call.runInContext(place, { timeout });
  } catch {
    // The limit was reached.
  }
  return hasEnded;
}

test("the tables name nothing that is gone, and say what to call where one text is not enough", () => {
  expect(called.length).toBeGreaterThan(60);
  const keys = functions.map(keyOf);
  expect([...excused, ...Object.keys(ARGUMENTS)].filter((key) => !keys.includes(key))).toEqual([]);
  expect(called.filter((each) => each.needed > 1 && ARGUMENTS[keyOf(each)] === undefined).map(keyOf)).toEqual([]);
});

test("what never ends is ended", () => {
  const forever = (): never => {
    for (;;);
  };
  expect([endsInTime(forever, 10), endsInTime(() => "a", 10_000)]).toEqual([false, true]);
});

test.each(called.map((each) => [keyOf(each), each] as const))("%s reads a long text to its end", async (key, each) => {
  const module: unknown = await import(join(ROOT, each.file));
  const tested: unknown = Reflect.get(Object(module), each.name);
  if (typeof tested !== "function") throw new Error(`${key} is no function.`);
  const callsOf = ARGUMENTS[key] ?? ((text) => [[each.isList ? [text] : text]]);
  const endsWith = (text: string, timeout: number): boolean =>
    endsInTime(() => {
      for (const given of callsOf(text)) {
        const answer: unknown = Reflect.apply(tested, undefined, given);
        // A function is asked with what is left.
        if (typeof answer === "function") Reflect.apply(answer, undefined, given.slice(each.needed));
      }
    }, timeout);
  const slow = Object.entries(long).filter(
    ([shape, text]) => !endsWith(short[shape] ?? text, SOON_MS) && !endsWith(text, LIMIT_MS),
  );
  expect(slow.map(([shape]) => shape)).toEqual([]);
});
