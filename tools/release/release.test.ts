import { sectionOf } from "./release";

const CHANGELOG = "# Changelog\n\n## 1.10.0\n\n- Ten.\n\n### More\n\n- More.\n\n## 1.1.0\n\n- One.\n";

test.each([
  ["the first section, with the headings in it", "1.10.0", "## 1.10.0\n\n- Ten.\n\n### More\n\n- More.\n"],
  ["the last section", "1.1.0", "## 1.1.0\n\n- One.\n"],
])("%s", (_, version, section) => expect(sectionOf(CHANGELOG, version)).toBe(section));

test.each(["1.1", "1.10", "2.0.0", "Changelog"])("no section for %s", (version) =>
  expect(() => sectionOf(CHANGELOG, version)).toThrow(`CHANGELOG.md has no section "## ${version}"`),
);
