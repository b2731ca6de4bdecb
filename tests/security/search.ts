import { readdirSync, readFileSync, statSync } from "node:fs";
import { join } from "node:path";

/** A secret that is looked for. */
export interface Canary {
  readonly name: string;
  readonly value: string;
  /** Whether the engine knows it as a secret of the configuration, which it masks in its own logs (docs/internals/engine.md, trap 24). */
  readonly fromConfig: boolean;
}

/** A canary found where none may be. */
export interface Hit {
  readonly place: string;
  readonly canary: string;
  readonly spelling: string;
}

/** How a secret can be written. Written apart from provider/base/masker.ts on purpose: a slip there must not hide here. */
export function spellingsOf(value: string): Map<string, string> {
  const bytes = Buffer.from(value);
  const json = JSON.stringify(value).slice(1, -1);
  const spellings = new Map<string, string>([
    ["as is", value],
    ["JSON", json],
    ["JSON in JSON", JSON.stringify(json).slice(1, -1)],
    ["Go string", json.replaceAll("&", "\\u0026").replaceAll("<", "\\u003c").replaceAll(">", "\\u003e")],
    ["Python literal", json.replaceAll('\\"', '"')],
    ["URL-encoded", encodeURIComponent(value)],
    ["URL-encoded in small letters", encodeURIComponent(value).replace(/%../g, (code) => code.toLowerCase())],
    ["form", new URLSearchParams({ a: value }).toString().slice(2)],
    ["hex", bytes.toString("hex")],
    ["HEX", bytes.toString("hex").toUpperCase()],
  ]);
  for (const offset of [0, 1, 2]) {
    for (const encoding of ["base64", "base64url"] as const) {
      // The digits that the secret alone decides, whatever stands before and behind it.
      const digits = Buffer.concat([Buffer.alloc(offset), bytes])
        .toString(encoding)
        .replace(/=+$/, "");
      const end = Math.floor(((offset + bytes.length) * 8) / 6);
      spellings.set(`${encoding} at ${offset}`, digits.slice(Math.ceil((offset * 8) / 6), end));
    }
  }
  return spellings;
}

/** The texts to look for: each canary as a whole, and each of its lines, since displays cut text at line breaks. */
function needlesOf({ name, value }: Canary): { canary: string; spelling: string; text: string }[] {
  const lines = value.split("\n");
  const parts = lines.length > 1 ? [value, ...lines] : [value];
  return parts.flatMap((part) => [...spellingsOf(part)].map(([spelling, text]) => ({ canary: name, spelling, text })));
}

/** Looks for canaries. */
export class Search {
  readonly hits: Hit[] = [];

  constructor(private readonly canaries: readonly Canary[]) {}

  look(place: string, text: string, which: (canary: Canary) => boolean = () => true): void {
    for (const canary of this.canaries.filter(which)) {
      for (const { spelling, text: needle } of needlesOf(canary)) {
        if (text.includes(needle)) this.hits.push({ place, canary: canary.name, spelling });
      }
    }
  }

  /** All files of a folder, at any depth, as bytes: each character of the text is one byte. */
  lookIn(place: string, folder: string): void {
    for (const file of readdirSync(folder, { recursive: true, encoding: "utf8" })) {
      const path = join(folder, file);
      if (statSync(path).isFile()) this.look(place, readFileSync(path, "utf8"));
    }
  }
}
