import { printable } from "./value-text";

/** HTML that is safe to put into a page: made by the functions of this file alone. */
export interface Html {
  readonly html: string;
}

const ENTITIES: Readonly<Record<string, string>> = {
  "&": "&amp;",
  "<": "&lt;",
  ">": "&gt;",
  '"': "&quot;",
  "'": "&#39;",
};
const escaped = (text: string): string => text.replace(/[&<>"']/g, (character) => ENTITIES[character] ?? "");

/** What an element holds. */
export type Content = Html | string | readonly (Html | string)[];
const inner = (content: Content): string => {
  if (typeof content === "string") return escaped(content);
  return "html" in content ? content.html : content.map(inner).join("");
};

type Tag =
  | "h1"
  | "h2"
  | "h3"
  | "p"
  | "ul"
  | "li"
  | "code"
  | "pre"
  | "section"
  | "table"
  | "thead"
  | "tbody"
  | "tr"
  | "th"
  | "td"
  | "details"
  | "summary"
  | "span";

/** An element; a text in it is escaped. `look` is a class of the page's style. */
export function element(tag: Tag, content: Content, look?: ElementStyle): Html {
  return { html: `<${tag}${look === undefined ? "" : ` class="${look}"`}>${inner(content)}</${tag}>` };
}

/** How an element looks. */
export type ElementStyle =
  "calm" | "notice" | "warning" | "danger" | "faint" | "badge calm" | "badge notice" | "badge warning" | "badge danger";

/** A table with a head. */
export function htmlTable(head: readonly string[], rows: readonly (readonly Content[])[]): Html {
  const line = (tag: "th" | "td", cells: readonly Content[]) =>
    element(
      "tr",
      cells.map((cell) => element(tag, cell)),
    );
  return element("table", [
    element("thead", line("th", head)),
    element(
      "tbody",
      rows.map((cells) => line("td", cells)),
    ),
  ]);
}

/** Text of several lines, as it is. */
export const preformatted = (text: string): Html => element("pre", text.trim().split("\n").map(printable).join("\n"));

/** A list of sentences; nothing where there are none. */
export const htmlList = (items: readonly Content[]): Html =>
  items.length === 0
    ? { html: "" }
    : element(
        "ul",
        items.map((item) => element("li", item)),
      );

const STYLE = `
:root { color-scheme: light dark; --text: #1f2328; --faint: #59636e; --line: #d1d9e0; --back: #fff; --code: #f6f8fa;
  --calm: #1a7f37; --notice: #0969da; --warning: #9a6700; --danger: #cf222e; }
@media (prefers-color-scheme: dark) {
  :root { --text: #f0f6fc; --faint: #9198a1; --line: #3d444d; --back: #0d1117; --code: #151b23;
    --calm: #3fb950; --notice: #4493f8; --warning: #d29922; --danger: #f85149; }
}
body { margin: 2rem auto; padding: 0 1rem; max-width: 64rem; background: var(--back); color: var(--text);
  font: 16px/1.5 system-ui, sans-serif; overflow-wrap: anywhere; }
h1 { font-size: 1.4rem; } h2 { font-size: 1.1rem; margin: 2rem 0 .25rem; } h3 { font-size: 1rem; }
section, details { border: 1px solid var(--line); border-left-width: 4px; border-radius: 6px; padding: .75rem 1rem; margin: 1rem 0; }
section > h2, section > h3 { margin: 0 0 .25rem; }
summary { cursor: pointer; }
table { border-collapse: collapse; width: 100%; margin-top: .5rem; }
th, td { border-top: 1px solid var(--line); padding: .25rem .5rem; text-align: left; vertical-align: top; }
th { color: var(--faint); font-weight: 600; }
code, pre { font: .875em/1.5 ui-monospace, monospace; }
pre { background: var(--code); padding: .75rem; white-space: pre-wrap; }
.faint { color: var(--faint); }
.calm { border-left-color: var(--calm); } .notice { border-left-color: var(--notice); }
.warning { border-left-color: var(--warning); } .danger { border-left-color: var(--danger); }
.badge { border: 1px solid; border-radius: 1rem; padding: 0 .6rem; font-size: .85rem; white-space: nowrap; }
.badge.calm { color: var(--calm); } .badge.notice { color: var(--notice); }
.badge.warning { color: var(--warning); } .badge.danger { color: var(--danger); }
`;

/** A page of its own: nothing is loaded, and no script can run. Light or dark, as the reader has it. */
export function page(title: string, body: readonly Html[]): string {
  return `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta http-equiv="Content-Security-Policy" content="default-src 'none'; style-src 'unsafe-inline'">
<meta name="viewport" content="width=device-width, initial-scale=1">
<title>${escaped(title)}</title>
<style>${STYLE}</style>
</head>
<body>
<main>
${body.map(({ html }) => html).join("\n")}
</main>
</body>
</html>
`;
}
