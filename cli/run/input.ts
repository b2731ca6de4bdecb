import { readFileSync } from "node:fs";
import { text } from "node:stream/consumers";
import type { Readable } from "node:stream";
import { messageOf } from "../../provider/base/errors";
import { isParsedJson, type Json, parseJson } from "../../provider/base/json";
import { wrongUsage } from "../base/cli-error";

/** The value of --input: JSON, `@file`, or `-` for standard input. Messages never show its text, which may be confidential. */
export async function readInput(given: string, stdin: Readable): Promise<Json> {
  if (given === "-") return parse(await text(stdin), "standard input is not JSON");
  if (given.startsWith("@")) return parse(readText(given.slice(1)), `the file ${given.slice(1)} is not JSON`);
  return parse(given, `is not JSON (in a shell, quote it: --input '{"topic": "cats"}')`);
}

function readText(file: string): string {
  try {
    return readFileSync(file, "utf8");
  } catch (error) {
    throw wrongUsage(`--input: cannot be read: ${messageOf(error)}`);
  }
}

function parse(json: string, problem: string): Json {
  try {
    // Some editors begin a file with a byte order mark.
    const value = parseJson(json.replace(/^\uFEFF/, ""));
    if (isParsedJson(value)) return value;
  } catch {
    // The parser's message repeats a part of the text.
  }
  throw wrongUsage(`--input: ${json.trim() === "" ? "is empty; leave it out for no input" : problem}`);
}
