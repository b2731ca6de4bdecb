import { openSync, writeSync } from "node:fs";
import type { Connection } from "../base/connection";
import { messageOf } from "../base/errors";
import { isObject, isParsedJson, type Json } from "../base/json";
import { redact, REDACTED } from "../base/masker";
import type { Request } from "./request";

/** How one try of a request ended: with a status, or with the problem that kept an answer away. */
export interface Tried {
  readonly tookMs: number;
  readonly status?: number;
  readonly requestId?: string | undefined;
  /** The body of the answer. */
  readonly answer?: string;
  readonly problem?: string;
}

/** Where a connection's log of requests goes. */
export interface RequestLog {
  /** Where no file is set. */
  readonly fallback: { debug(line: string): void; warn(message: string): void };
}

/** No page of the platform names the header: these are the usual ones. */
const HEADERS = ["x-request-id", "x-correlation-id", "request-id"];

/** The id by which the platform's operators find a request, if the answer has one that looks like an id. */
export function requestIdOf(headers: Readonly<Record<string, unknown>>): string | undefined {
  const ids = HEADERS.map((name) => headers[name]);
  return ids.find((id): id is string => typeof id === "string" && /^[\w.:=+/-]{1,128}$/.test(id));
}

/** Writes one line about a try; undefined if the connection asks for no log. */
export function requestLog(
  { log, logFile }: Connection,
  baseUrl: string,
  fallback: RequestLog["fallback"] | undefined,
): ((request: Request, tried: Tried & { readonly attempt: number }, secrets: readonly string[]) => void) | undefined {
  if (log === "off") return undefined;
  const write = logFile === undefined ? (line: string) => fallback?.debug(line) : appendTo(logFile, fallback);
  return (request, tried, secrets) => write(redact(lineOf(request, tried, baseUrl), secrets));
}

/** One file descriptor for each file of this process: all its connections may share it. */
const files = new Map<string, number>();

function appendTo(path: string, fallback: RequestLog["fallback"] | undefined): (line: string) => void {
  let isBroken = false;
  return (line) => {
    if (isBroken) return;
    try {
      const file = files.get(path) ?? openSync(path, "a", 0o600);
      files.set(path, file);
      writeSync(file, `${new Date().toISOString()} ${line}\n`);
    } catch (error) {
      // What the platform is asked matters more than the log of it.
      isBroken = true;
      fallback?.warn(`The log of requests cannot be written (logFile): ${messageOf(error)}`);
    }
  };
}

function lineOf(request: Request, tried: Tried & { readonly attempt: number }, baseUrl: string): string {
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
    ...(body === undefined ? [] : [`sent ${masked(JSON.stringify(body))}`]),
    ...(answer === undefined || answer === "" ? [] : [`got ${masked(answer)}`]),
  ];
  return facts.join(" ");
}

/** More of a body helps nobody who reads a log. */
const LONGEST = 4000;

/** A body with its structure, and of its texts only those that are no secret by their name. Anything but JSON is only measured. */
function masked(text: string): string {
  try {
    const value: unknown = JSON.parse(text);
    if (!isParsedJson(value)) return "";
    const shown = JSON.stringify(maskedValue(value, ""));
    return shown.length > LONGEST ? `${shown.slice(0, LONGEST)}... (${shown.length} characters)` : shown;
  } catch {
    return `(${text.length} characters that are not JSON)`;
  }
}

function maskedValue(value: Json, name: string): Json {
  if (Array.isArray(value)) return value.map((each) => maskedValue(each, name));
  if (isObject(value)) {
    return Object.fromEntries(
      Object.entries(value).flatMap(([key, each]) =>
        each === undefined ? [] : [[key, maskedValue(each, key)] as const],
      ),
    );
  }
  return typeof value !== "string" || SHOWN.has(name) || /_(?:id|at)$/.test(name) ? value : REDACTED;
}

/** The fields whose texts are shown: what they hold is no secret, and tells what happened. Beside them, ids and times. */
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
