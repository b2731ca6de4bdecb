import { EmulatorError } from "../../emulator/base/emulator-error";
import { faultKinds, type Fault, readFault } from "../../emulator/faults/fault";

/** The text of --help about `--fault`. */
export const faultHelp = `
A fault is "[METHOD] [PATH] WHAT [WHICH]". In PATH, * stands for a part between slashes and ** for any rest; METHOD and
PATH left out, or *, mean all.
  WHAT   latency=50ms and/or jitter=20ms; a status such as 503, with retry-after=2;
         ${list(faultKinds.filter((kind) => !["latency", "status", "hold"].includes(kind)))}
         options: slow-body every=20ms bytes=1; truncated-json by=cut after=512 (bytes, also of a stream;
         malformed-json ends it there as if it were whole); 404 body=text, html, json or empty (a gateway's words); wrong-content-type type=text/plain;
         stale-read writes=1 or ago=5s; after-commit (latency, status, html: once all is written) or before-route
  WHICH  p=0.1 (chance of each request), nth=3 (the third only), x2 (two requests), for=60s (from the first strike on);
         default: all
Examples: --fault "POST /v2/deployments reset-after-commit x2" --fault "GET * 503 p=0.1" --fault "* latency=50ms jitter=20ms"`;

function list(kinds: readonly string[]): string {
  const half = Math.ceil(kinds.length / 2);
  return `${kinds.slice(0, half).join(", ")},\n         ${kinds.slice(half).join(", ")};`;
}

type Draft = Record<string, unknown>;

/** Each reads one word into the draft; false: the word is not of its sort. */
const readers: readonly ((word: string, draft: Draft) => boolean)[] = [
  (word, draft) => faultKinds.some((kind) => kind === word) && set(draft, "kind", word),
  (word, draft) => /^\d{3}$/.test(word) && set(draft, "kind", "status") && set(draft, "status", Number(word)),
  (word, draft) => (word === "after-commit" || word === "before-route") && set(draft, "phase", word),
  (word, draft) => /^x\d+$/.test(word) && set(draft, "count", Number(word.slice(1))),
  named("latency", duration, (draft, value) => set(draft, "ms", value) && together(draft)),
  named("jitter", duration, (draft, value) => set(draft, "jitterMs", value) && together(draft)),
  named("p", number, (draft, value) => set(draft, "probability", value)),
  named("nth", number, (draft, value) => set(draft, "nth", value)),
  named("retry-after", numberOrText, (draft, value) => set(draft, "retryAfter", value)),
  named("every", duration, (draft, value) => set(draft, "everyMs", value)),
  named("bytes", number, (draft, value) => set(draft, "bytes", value)),
  named("after", number, (draft, value) => set(draft, "after", value)),
  named(
    "by",
    (text) => text,
    (draft, value) => set(draft, "by", value),
  ),
  named(
    "type",
    (text) => text,
    (draft, value) => set(draft, "contentType", value),
  ),
  named(
    "body",
    (text) => text,
    (draft, value) => set(draft, "body", value),
  ),
  named("for", duration, (draft, value) => set(draft, "forMs", value)),
  named("writes", number, (draft, value) => set(draft, "writes", value)),
  named("ago", duration, (draft, value) => set(draft, "agoMs", value)),
];

/** The fault that a `--fault` names. Throws EmulatorError that says which word is wrong. */
export function parseFault(text: string): Fault {
  const words = text.split(/\s+/).filter((word) => word !== "");
  const draft: Draft = {};
  try {
    if (/^(\*|[A-Z]+)$/.test(words[0] ?? "")) draft.method = words.shift();
    if (/^(\*|\/)/.test(words[0] ?? "")) draft.path = words.shift();
    for (const word of words) {
      if (!readers.some((read) => read(word, draft))) throw new EmulatorError(`"${word}" is not understood.`);
    }
    if (draft.kind === undefined) throw new EmulatorError("it does not say what happens, such as 503 or html.");
    if (draft.kind === "hold")
      throw new EmulatorError("hold is for tests in the same process: nothing here releases it.");
    return readFault(draft);
  } catch (error) {
    if (!(error instanceof EmulatorError)) throw error;
    throw new EmulatorError(`--fault "${text}": ${error.message} See --help.`, { cause: error });
  }
}

/** Always true: the word is read. A word that says again what another one said is an error. */
function set(draft: Draft, name: string, value: unknown): boolean {
  if (name in draft) throw new EmulatorError(`it has two of: ${name}.`);
  draft[name] = value;
  return true;
}

/** latency=… and jitter=… are one fault. */
function together(draft: Draft): boolean {
  if (draft.kind === "latency") return true;
  return set(draft, "kind", "latency");
}

function named(
  name: string,
  read: (text: string, word: string) => unknown,
  keep: (draft: Draft, value: unknown) => boolean,
): (word: string, draft: Draft) => boolean {
  return (word, draft) => word.startsWith(`${name}=`) && keep(draft, read(word.slice(name.length + 1), word));
}

function duration(text: string, word: string): number {
  const [, amount, unit] = /^(\d+(?:\.\d+)?)(ms|s)$/.exec(text) ?? [];
  if (amount === undefined) throw new EmulatorError(`"${word}" needs a time such as 50ms or 2s.`);
  return Number(amount) * (unit === "s" ? 1000 : 1);
}

function number(text: string, word: string): number {
  if (!/^\d+(\.\d+)?$/.test(text)) throw new EmulatorError(`"${word}" needs a number.`);
  return Number(text);
}

function numberOrText(text: string): number | string {
  return /^\d+$/.test(text) ? Number(text) : text;
}
