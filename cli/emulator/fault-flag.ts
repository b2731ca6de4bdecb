import { EmulatorError } from "../../emulator/base/emulator-error";
import type { Fault } from "../../emulator/faults/fault";
import { faultKinds } from "../../emulator/faults/options";
import { readFault } from "../../emulator/faults/fault-schema";
import { CliError } from "../base/cli-error";

/** The text of --help about `--fault`. */
export const FAULT_HELP = `
A fault is "[METHOD] [PATH] WHAT [WHICH]"; without METHOD or PATH, or with *, it strikes all of them. In PATH, * stands
for a part between slashes and ** for any rest.
  WHAT   latency=50ms and/or jitter=20ms; a status such as 503, with retry-after=2;
         ${list(faultKinds.filter((kind) => !["latency", "status", "hold"].includes(kind)))}
         options: slow-body every=20ms bytes=1; truncated-json by=cut after=512 (bytes, also of a stream;
         malformed-json ends it there as if it were complete); 404 body=text, html, json or empty (as from a gateway); wrong-content-type type=text/plain;
         stale-read writes=1 or ago=5s; after-commit (latency, status, html: after the write) or before-route
  WHICH  p=0.1 (probability per request), nth=3 (only the third), x2 (two requests), for=60s (from the first strike on);
         default: all
Examples: --fault "POST /v2/deployments reset-after-commit x2" --fault "GET * 503 p=0.1" --fault "* latency=50ms jitter=20ms"`;

function list(kinds: readonly string[]): string {
  const half = Math.ceil(kinds.length / 2);
  return `${kinds.slice(0, half).join(", ")},\n         ${kinds.slice(half).join(", ")};`;
}

type Draft = Record<string, unknown>;

/** Each reads one token into the draft, or returns false if it does not recognize the token. */
const TOKEN_READERS: readonly ((token: string, draft: Draft) => boolean)[] = [
  (token, draft) => faultKinds.some((kind) => kind === token) && set(draft, "kind", token),
  (token, draft) => /^\d{3}$/.test(token) && set(draft, "kind", "status") && set(draft, "status", Number(token)),
  (token, draft) => (token === "after-commit" || token === "before-route") && set(draft, "phase", token),
  (token, draft) => /^x\d+$/.test(token) && set(draft, "count", Number(token.slice(1))),
  keyValue("latency", duration, "ms", setLatencyKind),
  keyValue("jitter", duration, "jitterMs", setLatencyKind),
  keyValue("p", number, "probability"),
  keyValue("nth", number),
  keyValue("retry-after", numberOrText, "retryAfter"),
  keyValue("every", duration, "everyMs"),
  keyValue("bytes", number),
  keyValue("after", number),
  keyValue("by", (text) => text),
  keyValue("type", (text) => text, "contentType"),
  keyValue("body", (text) => text),
  keyValue("for", duration, "forMs"),
  keyValue("writes", number),
  keyValue("ago", duration, "agoMs"),
];

/** The fault that a `--fault` describes. Throws a CliError that names the wrong token. */
export function parseFault(text: string): Fault {
  const tokens = text.split(/\s+/).filter((token) => token !== "");
  const draft: Draft = {};
  try {
    if (/^(\*|[A-Z]+)$/.test(tokens[0] ?? "")) draft.method = tokens.shift();
    if (/^(\*|\/)/.test(tokens[0] ?? "")) draft.path = tokens.shift();
    for (const token of tokens) {
      if (!TOKEN_READERS.some((read) => read(token, draft))) throw new CliError(`"${token}" is not understood.`);
    }
    if (draft.kind === undefined) throw new CliError("it does not say what happens, such as 503 or html.");
    if (draft.kind === "hold") throw new CliError("hold is for tests in the same process: nothing here releases it.");
    return readFault(draft);
  } catch (error) {
    if (!(error instanceof EmulatorError || error instanceof CliError)) throw error;
    throw new CliError(`--fault "${text}": ${error.message} See --help.`, { cause: error });
  }
}

/** Always true, because the token is read. Throws CliError when an earlier token set the same field. */
function set(draft: Draft, name: string, value: unknown): boolean {
  if (name in draft) throw new CliError(`it has two of: ${name}.`);
  draft[name] = value;
  return true;
}

/** latency=… and jitter=… together are one fault. */
function setLatencyKind(draft: Draft): boolean {
  if (draft.kind === "latency") return true;
  return set(draft, "kind", "latency");
}

/** @param field What the fault calls it. @param also What follows from it. */
function keyValue(
  name: string,
  read: (text: string, token: string) => unknown,
  field = name,
  also: (draft: Draft) => boolean = () => true,
): (token: string, draft: Draft) => boolean {
  return (token, draft) =>
    token.startsWith(`${name}=`) && set(draft, field, read(token.slice(name.length + 1), token)) && also(draft);
}

function duration(text: string, token: string): number {
  const [, amount, unit] = /^(\d+(?:\.\d+)?)(ms|s)$/.exec(text) ?? [];
  if (amount === undefined) throw new CliError(`"${token}" needs a time such as 50ms or 2s.`);
  return Number(amount) * (unit === "s" ? 1000 : 1);
}

function number(text: string, token: string): number {
  if (!/^\d+(\.\d+)?$/.test(text)) throw new CliError(`"${token}" needs a number.`);
  return Number(text);
}

function numberOrText(text: string): number | string {
  return /^\d+$/.test(text) ? Number(text) : text;
}
