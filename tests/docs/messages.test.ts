import { readFileSync } from "node:fs";
import { join } from "node:path";
import { GAP, messages, messagesOf } from "./messages";

const PAGE = readFileSync(join(__dirname, "..", "..", "docs", "troubleshooting.md"), "utf8");
/** The lines of the page's blocks of messages. */
const ENTRIES = [...PAGE.matchAll(/^```text\n([^]*?)^```$/gm)].flatMap(([, block = ""]) => block.trim().split("\n"));

describe("the messages of the sources", () => {
  test.each<[why: string, module: string, texts: readonly string[]]>([
    ["a text", 'throw new CliError("it is gone");', ["it is gone"]],
    ["a template", "throw new CliError(`${what} is gone`);", [`${GAP} is gone`]],
    ["a sum", 'throw new CliError("it " + "is gone");', ["it is gone"]],
    ["one of two", 'throw new CliError(a ? "it is gone" : "it is there");', ["it is gone", "it is there"]],
    ["a constant", 'const reason = "it is gone"; throw new CliError(reason);', ["it is gone"]],
    ["a function", 'function why() { return "it is gone"; } throw new CliError(why());', ["it is gone"]],
    ["a reason by its name", 'const reason = "is too long"; return [{ path, reason }];', ["is too long"]],
    ["the argument of an ArgumentError", 'throw new ArgumentError("url", "is too long");', ["is too long"]],
    ["a reason with a value in it", "return z.custom(takes, `must be one of ${all}`);", [`must be one of ${GAP}`]],
    ["no error", 'console.log("it is gone");', []],
  ])("%s is found", (_why, module, texts) => {
    expect(messagesOf("provider/a.ts", module)).toEqual(texts);
  });

  test("are many", () => expect(messages().length).toBeGreaterThan(150));
});

describe("docs/troubleshooting.md", () => {
  const all = messages();

  test("has every error: a missing line goes into the block of its family", () => {
    expect(all.filter((message) => !ENTRIES.includes(message))).toEqual([]);
  });

  test("has no error that is not there any more", () => {
    expect(ENTRIES.filter((entry) => !all.includes(entry))).toEqual([]);
  });

  test("has each once", () => {
    expect(ENTRIES.filter((entry, at) => ENTRIES.indexOf(entry) !== at)).toEqual([]);
  });
});
