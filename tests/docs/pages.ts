import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";

export const ROOT = join(__dirname, "..", "..");
const RECORDED = /<!-- recorded: ([\w-]+) -->\n\n?```console\n[^]*?\n```/g;

/** A block of a page: the command as a reader types it, and what it printed. */
export interface Recording {
  readonly command: string;
  readonly output: string;
}

/** The pages of the site and the README, as paths. */
export const pages = (): string[] => [
  join(ROOT, "README.md"),
  ...readdirSync(join(ROOT, "docs"), { recursive: true, encoding: "utf8" })
    .filter((file) => file.endsWith(".md"))
    .map((file) => join(ROOT, "docs", file)),
];

export const read = (page: string): string => readFileSync(page, "utf8");

/** The page with these recordings in the places of its own. */
export const withRecordings = (page: string, recordings: ReadonlyMap<string, Recording>): string =>
  page.replace(RECORDED, (_all, name: string) => {
    const recording = recordings.get(name);
    if (recording === undefined) throw new Error(`nothing is recorded as ${name}`);
    return `<!-- recorded: ${name} -->\n\n\`\`\`console\n$ ${recording.command}\n${recording.output}\n\`\`\``;
  });

/** The recorded blocks of a page. */
export const recordedBlocks = (page: string): (Recording & { readonly name: string })[] =>
  [...page.matchAll(/<!-- recorded: ([\w-]+) -->\n\n?```console\n\$ (.*)\n?([^]*?)\n?```/g)].map(
    ([, name = "", command = "", output = ""]) => ({ name, command, output }),
  );
