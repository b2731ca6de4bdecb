import type { MarkdownRenderer } from "vitepress";

/** Pages are Markdown without HTML: "after <the one before>" is text. Comments are left out; the place that a link names stays. */
export function plainText(md: MarkdownRenderer): void {
  const text = (content: string): string =>
    content.startsWith("<!--") ? "" : /^<(a id="[\w-]+"|\/a)>$/.test(content) ? content : md.utils.escapeHtml(content);
  md.renderer.rules.html_inline = (tokens, index) => text(tokens[index]?.content ?? "");
  md.renderer.rules.html_block = md.renderer.rules.html_inline;
}
