import { join } from "node:path";
import { parse } from "yaml";
import { z } from "zod";
import { read, ROOT } from "./pages";

/** The languages of the registry's pages, as its shortcodes call them. */
export const LANGUAGES = ["typescript", "python", "go", "csharp", "java", "yaml"] as const;
export type PageLanguage = (typeof LANGUAGES)[number];

const page = (name: string): string => read(join(ROOT, "docs", name));

export const OVERVIEW = page("_index.md");
export const INSTALLATION = page("installation-configuration.md");

/** The example of the overview in a language. */
export function programIn(language: PageLanguage): string {
  const choosable = new RegExp(
    `^\\{\\{% choosable language ${language} %\\}\\}\\n[^]*?^\`\`\`${language}\\n([^]*?)^\`\`\`\\n\\n\\{\\{% /choosable %\\}\\}$`,
    "gm",
  );
  const found = [...OVERVIEW.matchAll(choosable)];
  if (found.length !== 1) throw new Error(`docs/_index.md has ${found.length} examples in ${language}`);
  return found[0]?.[1] ?? "";
}

const program = z.object({
  resources: z.record(z.string(), z.object({ type: z.string(), properties: z.record(z.string(), z.unknown()) })),
});

/** The resources of the example in YAML: those of every other language are compared with them. */
export const declared = Object.values(program.parse(parse(programIn("yaml"))).resources).map(
  ({ type, properties }) => ({
    kind: type.replace(/^agent-platform:/, ""),
    properties,
  }),
);
