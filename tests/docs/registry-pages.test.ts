import { join } from "node:path";
import { parse } from "yaml";
import { z } from "zod";
import { configKey, environmentName, NAMESPACE, nativeTokenOf, SETTINGS } from "../../provider/base/settings";
import { version } from "../../provider/base/version";
import { blocksRunBy } from "./blocks";
import { read, ROOT } from "./pages";
import { declared, INSTALLATION, LANGUAGES, OVERVIEW, programIn, type PageLanguage } from "./registry-pages";

// What Pulumi's registry asks of a package's two pages before it lists the package, and what its own build refuses.

const Names = z.record(z.string(), z.unknown());
const schema = z
  .object({
    name: z.literal(NAMESPACE),
    resources: z.record(z.string(), z.object({ inputProperties: Names, properties: Names })),
    types: z.record(z.string(), z.object({ properties: Names })),
    language: z.object({
      python: z.object({ packageName: z.string() }),
      go: z.object({ importBasePath: z.string() }),
    }),
  })
  .parse(JSON.parse(read(join(ROOT, "plugin", "schema.json"))));

const pascal = (name: string): string => name.charAt(0).toUpperCase() + name.slice(1);
const snake = (name: string): string => name.replace(/[A-Z]/g, (letter) => `_${letter.toLowerCase()}`);

/** What Pulumi's generators call the package in each language. */
const PACKAGES: Readonly<Record<PageLanguage, string>> = {
  typescript: "pulumi-agent-platform",
  python: schema.language.python.packageName,
  go: schema.language.go.importBasePath,
  csharp: `Pulumi.${schema.name.split("-").map(pascal).join("")}`,
  java: `com.pulumi.${schema.name.replaceAll("-", "")}`,
  yaml: schema.name,
};

describe.each([
  ["_index.md", OVERVIEW, "package"],
  ["installation-configuration.md", INSTALLATION, "installation"],
])("docs/%s", (_name, page, layout) => {
  test("has the front matter of the registry", () => {
    const frontMatter = z.strictObject({
      title: z.string().min(1).max(60),
      meta_desc: z.string().min(50).max(160),
      layout: z.literal(layout),
    });
    const [, matter = ""] = /^---\n([^]*?)\n---\n/.exec(page) ?? [];
    expect(frontMatter.safeParse(parse(matter)).error?.issues).toBeUndefined();
  });

  test("has no heading above the second level: the title is the page's", () => {
    const withoutBlocks = page.replace(/^```[^]*?^```$/gm, "");
    expect(withoutBlocks).toMatch(/^## /m);
    expect(withoutBlocks).not.toMatch(/^# /m);
  });

  test("links to addresses alone: the registry has none of our other pages", () => {
    const targets = [...page.matchAll(/\]\(([^)]*)\)/g)].map(([, target]) => target);
    for (const target of targets) expect(target).toMatch(/^https:\/\/[\w.-]+\//);
    expect(page).not.toMatch(/\bdocs\/[\w-]+\.md\b/);
  });
});

describe("the example", () => {
  test("is there in each language, behind one chooser that offers just these", () => {
    expect([...OVERVIEW.matchAll(/\{\{< chooser language "([^"]*)" >\}\}/g)].map(([, names]) => names)).toEqual([
      LANGUAGES.join(","),
    ]);
    const marks = OVERVIEW.match(/\{\{[<%].*?[>%]\}\}/g) ?? [];
    expect(marks).toHaveLength(2 + 2 * LANGUAGES.length);
    expect(marks.at(-1)).toBe("{{< /chooser >}}");
    for (const language of LANGUAGES) expect(programIn(language)).toContain(PACKAGES[language]);
  });

  test("declares what the schema has", () => {
    expect(declared.map(({ kind }) => kind)).toEqual(["SandboxTemplate", "OAuthProvider", "Deployment", "Rollout"]);
    for (const { kind, properties } of declared) {
      const known = Object.keys(schema.resources[nativeTokenOf(kind)]?.inputProperties ?? {});
      expect(Object.keys(properties).filter((name) => !known.includes(name))).toEqual([]);
    }
    expect(Object.keys(schema.types[nativeTokenOf("SourceRevisionConfig")]?.properties ?? {})).toContain("imageUri");
  });

  /** How a program in each language makes a resource, and gives it a property. */
  const forms: Readonly<
    Record<PageLanguage, readonly [make: (kind: string) => string, give: (name: string) => RegExp]>
  > = {
    typescript: [(kind) => `new ${kind}(`, (name) => new RegExp(`\\b${name}: `)],
    python: [(kind) => `platform.${kind}(`, (name) => new RegExp(`\\b${snake(name)}=|"${snake(name)}": `)],
    go: [(kind) => `platform.New${kind}(ctx, `, (name) => new RegExp(`\\b${pascal(name)}: `)],
    csharp: [(kind) => `new Platform.${kind}(`, (name) => new RegExp(`\\b${pascal(name)} =`)],
    java: [(kind) => `new ${kind}(`, (name) => new RegExp(`\\.${name}\\(`)],
    yaml: [(kind) => `type: ${NAMESPACE}:${kind}\n`, (name) => new RegExp(`\\b${name}: `)],
  };

  test.each(LANGUAGES)("in %s is the same program, by the names that Pulumi's generators give", (language) => {
    const program = programIn(language);
    const [make, give] = forms[language];
    // The class of the npm package makes the Rollout itself.
    const own = language === "typescript" ? declared.filter(({ kind }) => kind !== "Rollout") : declared;
    for (const { kind, properties } of own) {
      expect(program).toContain(make(kind));
      for (const [name, value] of Object.entries({ ...properties, ...(kind === "Deployment" && { imageUri: "" }) })) {
        expect(program).toMatch(give(name));
        if (typeof value === "string" && !value.startsWith("${")) expect(program).toContain(value);
      }
    }
  });

  const variables = ["notebook", "github", "desk", "rollout", "desk-rollout"];
  const kindOf: Readonly<Record<string, string>> = {
    notebook: "SandboxTemplate",
    github: "OAuthProvider",
    desk: "Deployment",
    rollout: "Rollout",
    "desk-rollout": "Rollout",
  };

  test.each(LANGUAGES)("in %s reads outputs that the schema has", (language) => {
    const used = [...programIn(language).matchAll(new RegExp(`(?<!["/\\w])(${variables.join("|")})\\.(\\w+)`, "g"))];
    expect(used.length).toBeGreaterThan(2);
    for (const [whole, variable = "", output = ""] of used) {
      const { properties = {} } = schema.resources[nativeTokenOf(kindOf[variable] ?? "")] ?? {};
      const form = language === "python" ? snake : ["go", "csharp"].includes(language) ? pascal : String;
      const known = ["id", ...Object.keys(properties), ...(language === "typescript" ? ["url"] : [])].map(form);
      expect([whole, [...known, ...(language === "go" ? ["ID"] : [])].includes(output)]).toEqual([whole, true]);
    }
  });

  // There is no .NET SDK where the tests run: the program in C# is not compiled.
  test("in C# gives nothing that another language does not", () => {
    const known = declared
      .flatMap(({ properties }) => Object.keys(properties))
      .concat("imageUri")
      .map(pascal);
    const names = [...programIn("csharp").matchAll(/^\s+(\w+) =(?!=)/gm)].map(([, name = ""]) => name);
    expect(names.length).toBeGreaterThan(10);
    expect(names.filter((name) => !known.includes(name))).toEqual([]);
  });
});

describe("the installation", () => {
  test("names the package of each language", () => {
    const { typescript, python, go, csharp } = PACKAGES;
    const pom = read(join(ROOT, "tools", "release", "pom.xml"));
    const [, group, artifact] = /<groupId>(.*)<\/groupId>\s+<artifactId>(.*)<\/artifactId>/.exec(pom) ?? [];
    const names = [typescript, python.replaceAll("_", "-"), go, csharp, `${group ?? ""}:${artifact ?? ""}`];
    for (const name of names) expect(INSTALLATION).toContain(`: \`${name}\`\n`);
  });

  test("has a command that installs the plugin of this version, to copy", () => {
    const [block] = blocksRunBy("tests/docs/registry-pages.test.ts").filter(({ language }) => language === "sh");
    const archive = `pulumi-resource-${NAMESPACE}-v${version()}-linux-amd64.tar.gz`;
    expect(block?.code).toBe(`pulumi plugin install resource ${NAMESPACE} ${version()} --file ${archive}\n`);
  });

  test("shows both ways to configure, and names every setting with its variable", () => {
    expect(INSTALLATION).toMatch(/^pulumi config set agent-platform:\w+ \S+$/m);
    expect(INSTALLATION).toMatch(/^export AGENT_PLATFORM_\w+=/m);
    for (const setting of SETTINGS) {
      expect(INSTALLATION).toContain(`- \`${configKey(setting)}\` (\`${environmentName(setting)}\`): `);
    }
  });
});
