import {
  configKey,
  environmentName,
  NAMESPACE,
  settingRow,
  SETTINGS,
  type Setting,
} from "../../provider/base/settings";
import { version } from "../../provider/base/version";
import { mark } from "./markdown";

/** The package of each language. */
const PACKAGES = {
  "JavaScript and TypeScript (npm)": "pulumi-agent-platform",
  "Python (a wheel)": "pulumi-agent-platform",
  "Go (a module)": "example.com/pulumi-agent-platform/sdk/go/agentplatform",
  ".NET (NuGet)": "Pulumi.AgentPlatform",
  "Java (Maven)": "com.example:pulumi-agent-platform",
};

/** The page of Pulumi's registry that says how to install the package and reach a platform. */
export function installationPage(): string {
  const archive = `pulumi-resource-${NAMESPACE}-v${version()}-linux-amd64.tar.gz`;
  const block = (test: string, ...lines: string[]): string =>
    `<!-- run by: ${test} -->\n\n\`\`\`sh\n${lines.join("\n")}\n\`\`\`\n`;
  const [fast, long] = ["tests/docs/registry-pages.test.ts", "tests/docs/registry-pages.long.test.ts"];
  return [
    "---\ntitle: Agent Platform Installation & Configuration\n" +
      "meta_desc: How to install the Agent Platform provider for Pulumi, and how a program reaches a platform.\nlayout: installation\n---\n",
    mark("provider/base/settings.ts"),
    "## Installation\n",
    "A release has a package for each language, as a file. They are not in the public indexes of these languages (npm, PyPI, NuGet, Maven Central, a Go proxy), nor in " +
      "Pulumi's registry. Where a page says `npm install pulumi-agent-platform`, give npm the file. `pulumi package add` generates the packages of the other languages " +
      "from the plugin:\n",
    Object.entries(PACKAGES)
      .map(
        ([language, name]) => `- ${language}: \`${name}\`
`,
      )
      .join(""),
    "The npm package contains the plugin: name it in `Pulumi.yaml` as `packages: { agent-platform: ./node_modules/pulumi-agent-platform/plugin }`. " +
      "For every other language, and for YAML, which needs no package, install it from the archive of your system, which is part of each release. The archive for " +
      "Linux brings its own Node; elsewhere the plugin needs Node 20 or newer.\n",
    block(fast, `pulumi plugin install resource ${NAMESPACE} ${version()} --file ${archive}`),
    "## Configuration\n",
    "A program needs the address of your platform and a key. Set them for a stack:\n",
    block(
      long,
      `pulumi config set ${configKey("baseUrl")} https://platform.example.com`,
      `pulumi config set --secret ${configKey("apiKey")}`,
    ),
    "The second command asks for the key, so that no other user of the machine sees it. Or set both in the environment:\n",
    block(
      long,
      `export ${environmentName("baseUrl")}=https://platform.example.com`,
      `read -rs ${environmentName("apiKey")} && export ${environmentName("apiKey")}`,
    ),
    "The stack's configuration precedes the environment, and an explicit provider precedes both. The whole address has to come from one place, and so do " +
      "the credentials. The provider's inputs " +
      "have all details.\n",
    SETTINGS.map(item).join(""),
  ].join("\n");
}

function item(name: Setting): string {
  const { description, default: value, defaultText, secret } = settingRow(name);
  const otherwise = defaultText ?? (value === undefined ? undefined : `\`${value}\``);
  const facts = [
    firstSentence(description),
    ...(secret ? ["Secret: set it with `--secret`."] : []),
    ...(otherwise === undefined ? [] : [`Default: ${otherwise}.`]),
  ];
  return `- \`${configKey(name)}\` (environment: \`${environmentName(name)}\`): ${facts.join(" ")}\n`;
}

/** The registry has the whole description at the provider's inputs, and none of the pages that it names. */
const firstSentence = (description: string): string =>
  description.replace(/ \(docs\/[^)]*\)/g, "").replace(/(?<=\.) [^]*$/, "");
