import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { ensureEngine } from "../../tools/engine";
import { combinations, type Combination } from "./combinations";
import { play, type Outcome } from "./project";

const PAGE = join(__dirname, "..", "..", "docs", "compatibility.md");

/** Plays these combinations, one after the other, and writes the page. False where one of them failed. */
export async function report(played: readonly Combination[] = combinations(), page = PAGE): Promise<boolean> {
  const rows: string[] = [];
  const { version } = await ensureEngine();
  let isWhole = true;
  for (const combination of played) {
    process.stderr.write(`${nameOf(combination)} ... `);
    const outcome = await play(combination);
    process.stderr.write(`${outcome.dynamic ?? "ok"}, ${outcome.native ?? "ok"}\n`);
    isWhole &&= outcome.dynamic === undefined && outcome.native === undefined;
    rows.push(rowOf(combination, outcome));
  }
  writeFileSync(page, pageOf(rows, version));
  return isWhole;
}

const nameOf = ({ node, sdk, typescript = "none", modules }: Combination): string =>
  `Node ${node}, @pulumi/pulumi ${sdk}, TypeScript ${typescript}, ${modules}`;

function rowOf({ node, sdk, typescript = "", modules }: Combination, { dynamic, native }: Outcome): string {
  const shown = (problem: string | undefined): string =>
    problem === undefined ? "works" : problem.replaceAll("|", "\\|");
  return `| ${[node, sdk, typescript, modules, shown(dynamic), shown(native)].join(" | ")} |`;
}

function pageOf(rows: readonly string[], engine: string): string {
  return `# Compatibility

\`npm run compat\` writes this page: do not edit it. Each row is a project in an empty folder with the packed package. We ran
\`up\`, a second \`up\` without changes, \`refresh\`, a search for drift that exists, and \`destroy\`, with Pulumi ${engine}. Rows without TypeScript are
programs in JavaScript. Pulumi's SDK does not support TypeScript 7 yet: npm refuses to install both.

Last run on ${new Date().toISOString().slice(0, 10)}:

| Node | @pulumi/pulumi | TypeScript | modules | [before 0.2](before-0.2.md) | plugin |
| --- | --- | --- | --- | --- | --- |
${rows.join("\n")}
`;
}
