import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";

const FOLDER = join(__dirname, "captures");

/** An answer that the official Python agent server once gave; recorded with `curl -N -i`. */
export interface Capture {
  readonly name: string;
  /** "POST /runs/stream", and the body that went with it. */
  readonly request: string;
  readonly sent: string;
  readonly status: number;
  readonly contentType: string;
  readonly body: Buffer;
}

/** The recorded answers that have a status line, by name. */
export function captures(): Capture[] {
  const names = readdirSync(FOLDER).filter((name) => /^[0-9].*\.txt$/.test(name) && !name.includes("rawsocket"));
  return names.map(read).filter(({ status }) => status > 0);
}

function read(name: string): Capture {
  const bytes = readFileSync(join(FOLDER, name));
  const begin = bytes.indexOf("#----\n") + "#----\n".length;
  const asked = bytes.toString("utf8", 0, begin);
  const separator = /\r?\n\r?\n/.exec(bytes.toString("latin1", begin));
  const end = separator === null ? bytes.length : begin + separator.index;
  const head = bytes.toString("latin1", begin, end);
  return {
    name: name.replace(/\.txt$/, ""),
    request: /^# ([A-Z]+ .*)$/m.exec(asked)?.[1] ?? "",
    sent: /^# body: (.*)$/m.exec(asked)?.[1] ?? "",
    status: Number(/^HTTP\/1\.1 (\d+)/.exec(head)?.[1] ?? 0),
    contentType: /^content-type: *([^\r\n]*)/im.exec(head)?.[1] ?? "",
    body: bytes.subarray(end + (separator?.[0].length ?? 0)),
  };
}

/** The capture of this name. */
export function capture(name: string): Capture {
  const found = captures().find((each) => each.name === name);
  if (found === undefined) throw new Error(`there is no capture ${name}`);
  return found;
}

/** A body of another file, as it came. */
export const rawBody = (file: string): Buffer => readFileSync(join(FOLDER, file));

/** The frames of a stream, read in another way than the product reads them: as one text, cut at blank lines. */
export function framesOf(body: Buffer): { readonly event: string; readonly data: unknown }[] {
  const blocks = body.toString("utf8").replaceAll("\r\n", "\n").split(/\n\n+/);
  return blocks.flatMap((block) => {
    const lines = block.split("\n").filter((line) => line !== "" && !line.startsWith(":"));
    const valuesOf = (field: string) =>
      lines
        .filter((line) => line.startsWith(`${field}:`))
        .map((line) => line.slice(field.length + 1).replace(/^ /, ""));
    const data = valuesOf("data");
    if (data.length === 0) return [];
    const parsed: unknown = JSON.parse(data.join("\n"));
    return [{ event: valuesOf("event")[0] ?? "message", data: parsed }];
  });
}
