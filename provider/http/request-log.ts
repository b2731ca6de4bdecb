import { openSync, writeSync } from "node:fs";
import type { Connection } from "../base/connection";
import { messageOf } from "../base/errors";
import { isObject, isParsedJson, stringifyJson, parseJson, type Json } from "../base/json";
import { REDACTED, safeText, Spellings } from "../base/masker";
import type { Request } from "./request";

/** How one try of a request ended: with a status, or with the reason why there was no answer. */
export interface Tried {
  readonly attempt: number;
  readonly tookMs: number;
  readonly status?: number;
  readonly requestId?: string | undefined;
  readonly answer?: string;
  readonly problem?: string;
}

/** Where a connection's log of requests goes if no file is set. */
export interface Fallback {
  debug(line: string): void;
  warn(message: string): void;
}

/** The platform does not document the header: these are the usual names. */
const HEADERS = ["x-request-id", "x-correlation-id", "request-id"];

/** The id by which the platform's operators find a request, if the answer has one that looks like an id. */
export function requestIdOf(headers: Readonly<Record<string, unknown>>): string | undefined {
  const ids = HEADERS.map((name) => headers[name]);
  const id = ids.find((each) => typeof each === "string" && /^[\w.:=+/-]{1,128}$/.test(each));
  return typeof id === "string" ? safeText(id) : undefined;
}

/** Writes one line about a try; undefined if the connection asks for no log. */
export function requestLog(
  { log, logFile }: Connection,
  baseUrl: string,
  fallback: Fallback | undefined,
): ((request: Request, tried: Tried) => void) | undefined {
  if (log === "off") return undefined;
  const write = logFile === undefined ? (line: string) => fallback?.debug(line) : appendTo(logFile, fallback);
  return (request, tried) => {
    const also = new Spellings(request.secrets ?? []);
    write(lineOf(request, tried, baseUrl, (text) => safeText(text, also)));
  };
}

/** One file descriptor for each file of this process: all its connections may share it. */
const files = new Map<string, number>();

function appendTo(path: string, fallback: Fallback | undefined): (line: string) => void {
  let isBroken = false;
  return (line) => {
    if (isBroken) return;
    try {
      const file = files.get(path) ?? openSync(path, "a", 0o600);
      files.set(path, file);
      writeSync(file, `${new Date().toISOString()} ${line}\n`);
    } catch (error) {
      // A failure of the log must not fail the request.
      isBroken = true;
      fallback?.warn(`The log of requests cannot be written (logFile): ${messageOf(error)}`);
    }
  };
}

/** @param clean Removes secrets: from each part before it is cut, and from the whole line, in case a secret spans two parts. */
function lineOf(request: Request, tried: Tried, baseUrl: string, clean: (text: string) => string): string {
  const { method, path, query = {}, body } = request;
  const texts = Object.fromEntries(Object.entries(query).map(([name, value]) => [name, String(value)]));
  const search = new URLSearchParams(texts).toString();
  const { status, requestId, answer, problem, tookMs, attempt } = tried;
  const facts = [
    `${method} ${baseUrl}${path}${search === "" ? "" : `?${search}`}`,
    problem === undefined ? `answered ${status}` : `got no answer: ${problem}`,
    `in ${Math.round(tookMs)} ms`,
    ...(attempt > 1 ? [`(try ${attempt})`] : []),
    ...(requestId === undefined ? [] : [`(request id ${requestId})`]),
    ...(body === undefined ? [] : [`sent ${masked(stringifyJson(body), clean)}`]),
    ...(answer === undefined || answer === "" ? [] : [`got ${masked(answer, clean)}`]),
  ];
  return clean(facts.join(" "));
}

const LONGEST = 4000;

/** A body with its structure, but only with texts whose field names show that they are not secret. For anything but JSON, only the length. */
function masked(text: string, clean: (text: string) => string): string {
  try {
    const value = parseJson(text);
    if (!isParsedJson(value)) return "";
    const shown = clean(stringifyJson(maskedValue(value, "")));
    return shown.length > LONGEST ? `${shown.slice(0, LONGEST)}... (${shown.length} characters)` : shown;
  } catch {
    return `(${text.length} characters that are not JSON)`;
  }
}

/** Maps whose keys the user or a graph chooses: a header may be called `source`, and a variable `id`. */
const OWN_WORDS = /headers|metadata|environment|variables|labels|annotations|params|^(?:input|context|configurable)$/;

function maskedValue(value: Json, name: string, isOwn = false): Json {
  if (Array.isArray(value)) return value.map((each) => maskedValue(each, name, isOwn));
  if (isObject(value)) {
    return Object.fromEntries(
      Object.entries(value).flatMap(([key, each]) =>
        each === undefined ? [] : [[key, maskedValue(each, key, isOwn || OWN_WORDS.test(name))] as const],
      ),
    );
  }
  if (typeof value !== "string") return value;
  const isShown = !isOwn && (SHOWN.has(name) || (/_(?:id|at)$/.test(name) && !name.includes("upload")));
  return isShown ? value.replace(/[^\s"'<>]+/g, withoutCredentials) : REDACTED;
}

/** An address without user and password, and without its query, which signs an upload. */
function withoutCredentials(word: string): string {
  const begin = word.indexOf("://") + 3;
  if (begin < 3) return word;
  const at = word.lastIndexOf("@");
  const server = at < begin ? word : `${word.slice(0, begin)}${REDACTED}${word.slice(at)}`;
  const query = server.indexOf("?");
  return query < 0 ? server : `${server.slice(0, query + 1)}${REDACTED}`;
}

/** The fields whose texts are shown, beside ids and times: they are not secret and help to see what happened. */
const SHOWN: ReadonlySet<string> = new Set([
  "id",
  "name",
  "status",
  "source",
  "detail",
  "error",
  "msg",
  "type",
  "loc",
  "image",
  "image_uri",
  "image_version",
  "repo_url",
  "repo_ref",
  "repo_branch",
  "repo_commit_sha",
  "langgraph_config_path",
  "deployment_type",
  "custom_url",
  "display_name",
  "compute_type",
  "token_endpoint_auth_method",
  "code_challenge_method",
]);
