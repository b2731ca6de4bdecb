/** The section of a version in the changelog. Throws where there is none. */
export function sectionOf(changelog: string, version: string): string {
  const heading = `## ${version}`;
  const section = changelog.split(/^(?=## )/m).find((each) => each.startsWith(`${heading}\n`));
  if (section === undefined) throw new Error(`CHANGELOG.md has no section "${heading}": write what is new in it`);
  return `${section.trimEnd()}\n`;
}
