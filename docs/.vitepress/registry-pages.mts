import { readFileSync } from "node:fs";
import { join } from "node:path";
import type { MarkdownRenderer, PageData } from "vitepress";

const LAYOUTS = ["package", "installation"];
const NAMES: Readonly<Record<string, string>> = {
  typescript: "TypeScript",
  python: "Python",
  go: "Go",
  csharp: "C#",
  java: "Java",
  yaml: "YAML",
};

const EXAMPLE = "<!-- the example of _index.md -->";

/** Two pages are those of Pulumi's registry: their shortcodes become a group of tabs, and the title of the front matter a heading. The front page has the example of one. */
export function registryPages(md: MarkdownRenderer, docs: string): void {
  md.core.ruler.before("normalize", "registry-pages", (state) => {
    const { title, layout } = state.env.frontmatter ?? {};
    if (state.src.includes(EXAMPLE)) {
      const [example = ""] =
        /\{\{< chooser [^]*\{\{< \/chooser >\}\}/.exec(readFileSync(join(docs, "_index.md"), "utf8")) ?? [];
      state.src = state.src.replace(EXAMPLE, () => withTabs(example));
    }
    if (LAYOUTS.includes(layout)) state.src = `# ${title}\n\n${withTabs(state.src)}`;
  });
}

const withTabs = (text: string): string =>
  text
    .replace(/\{\{< chooser [^>]*>\}\}/g, "::: code-group")
    .replace(/\{\{< \/chooser >\}\}/g, ":::")
    .replace(
      /\{\{% choosable language (\w+) %\}\}[^]*?^(```\w+)\n([^]*?^```)\n[^]*?\{\{% \/choosable %\}\}/gm,
      (_all, language: string, fence: string, code: string) => `${fence} [${NAMES[language]}]\n${code}`,
    );

/** The site has one layout for all of its pages. */
export function withoutRegistryLayout({ frontmatter }: PageData): void {
  if (LAYOUTS.includes(frontmatter["layout"])) delete frontmatter["layout"];
}
