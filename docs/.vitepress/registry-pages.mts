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

/** Pages are also those of Pulumi's registry: its shortcodes become a group of tabs, and the title of the front matter a heading. */
export function registryPages(md: MarkdownRenderer): void {
  md.core.ruler.before("normalize", "registry-pages", (state) => {
    const { title, layout } = state.env.frontmatter ?? {};
    if (!LAYOUTS.includes(layout)) return;
    const text = state.src
      .replace(/\{\{< chooser [^>]*>\}\}/g, "::: code-group")
      .replace(/\{\{< \/chooser >\}\}/g, ":::")
      .replace(
        /\{\{% choosable language (\w+) %\}\}[^]*?^(```\w+)\n([^]*?^```)\n[^]*?\{\{% \/choosable %\}\}/gm,
        (_all, language: string, fence: string, code: string) => `${fence} [${NAMES[language]}]\n${code}`,
      );
    state.src = `# ${title}\n\n${text}`;
  });
}

/** The site has one layout for all of its pages. */
export function withoutRegistryLayout({ frontmatter }: PageData): void {
  if (LAYOUTS.includes(frontmatter["layout"])) delete frontmatter["layout"];
}
