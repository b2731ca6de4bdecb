/** The line that says where a page comes from. */
export const mark = (source: string): string =>
  `<!-- Generated from ${source} by \`npm run generate\`: do not edit. -->\n`;

/** A description, with links instead of the paths and the types that a comment names. For a page in docs/reference. */
export const linked = (text: string): string =>
  text
    .replace(/\{@link (\w+)\}/g, "`$1`")
    .replace(
      /\(docs\/((?:[\w-]+\/)?([\w-]+)\.md)\)/g,
      (_all, page: string, title: string) => `([${title}](../${page}))`,
    )
    .replace('Needs contract "extended"', "Needs [contract](../concepts/contracts.md) `extended`")
    .replace(/ ?\(docs\/internals\/platform\.md, [^)]*\)/g, "");
