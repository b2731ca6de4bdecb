import { readFileSync } from "node:fs";
import { join } from "node:path";
import { version } from "../../provider/base/version";
import { findCheckout } from "../engine/layout";
import { additionsOf, breaksOf, BREAKS, unmeant, type Break } from "./breaks";
import { Schema } from "./shape";

/** Today's schema beside that of the last release. */
export interface Comparison {
  readonly released: string;
  readonly breaks: readonly Break[];
  /** Those that neither a new major version nor its changelog means. */
  readonly unmeant: readonly Break[];
  readonly added: readonly string[];
}

/** Compares plugin/schema.json with the released one, and CHANGELOG.md says what is meant. */
export function compareSchemas(): Comparison {
  const read = (file: string): string => readFileSync(join(findCheckout(), file), "utf8");
  const schemaIn = (file: string): Schema => Schema.parse(JSON.parse(read(file)));
  const [released, current] = [schemaIn("tools/schema/released.json"), schemaIn("plugin/schema.json")];
  const breaks = breaksOf(released, current);
  return {
    released: released.version,
    breaks,
    unmeant: unmeant(breaks, released, { version: version(), changelog: read("CHANGELOG.md") }),
    added: [...new Set(additionsOf(released, current))].sort(),
  };
}

/** The comparison as a comment on a pull request. */
export function pullRequestComment({ released, breaks, unmeant: unsaid, added }: Comparison): string {
  const rows = breaks.map((each) => {
    const isMeant = unsaid.includes(each) ? "no" : "yes";
    return `| ${[`\`${each.about}\``, each.problem.replaceAll("|", "\\|"), isMeant, BREAKS[each.kind].remedy].join(" | ")} |\n`;
  });
  const verdict =
    breaks.length === 0
      ? "No program for it breaks.\n"
      : `${breaks.length} of its changes break programs, ${unsaid.length} of them without a new major version whose section in CHANGELOG.md names it:\n\n` +
        `| What | Change | Meant | Without a break |\n| --- | --- | --- | --- |\n${rows.join("")}`;
  const news = added.length === 0 ? "" : `\nNew: ${added.map((name) => `\`${name}\``).join(", ")}.\n`;
  return `## The schema, compared with that of version ${released}\n\n${verdict}${news}`;
}
