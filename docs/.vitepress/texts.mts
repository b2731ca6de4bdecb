import { readFileSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";

/** For readers that are programs: llms.txt lists the pages, and llms-full.txt has the text of all. */
export function writeTexts(docs: string, folder: string, pages: readonly string[]): void {
  const all = pages
    .filter((page) => !page.startsWith("internals/"))
    .map((page) => ({ page, text: textOf(join(docs, page)) }));
  const lines = all.map(({ page, text }) => {
    const title = /^(?:# |title: )(.+)$/m.exec(text)?.[1] ?? page;
    return `- [${title}](${page.replace(/\.md$/, ".html")}): ${beginningOf(text).split(/(?<=\.) /)[0]}`;
  });
  const [index] = all.filter(({ page }) => page === "index.md");
  const head = `# pulumi-agent-platform\n\n> ${beginningOf(index?.text ?? "")}\n`;
  writeFileSync(join(folder, "llms.txt"), `${head}\n## Pages\n\n${lines.join("\n")}\n`);
  writeFileSync(join(folder, "llms-full.txt"), `${head}\n${all.map(({ text }) => text.trim()).join("\n\n")}\n`);
}

/** The page, with the files that it includes, and without comments. */
function textOf(file: string): string {
  const included = (path: string): string => readFileSync(join(dirname(file), path), "utf8").trim();
  return readFileSync(file, "utf8")
    .replace(/<!--@include: (\S+)-->/g, (_all, path: string) => included(path))
    .replace(/^<<< (\S+)$/gm, (_all, path: string) => `\`\`\`\n${included(path)}\n\`\`\``)
    .replace(/^:::.*\n\n?/gm, "")
    .replace(/^<!--[^\n]*-->\n/gm, "");
}

/** The first paragraph, on one line. */
const beginningOf = (text: string): string =>
  text
    .split("\n\n")
    .find((part) => /^[A-Z*`]/.test(part))
    ?.replaceAll("\n", " ")
    .replaceAll(/\[([^\]]*)\]\([^)]*\)/g, "$1") ?? "";
