import {
  configKey,
  environmentName,
  PLUGIN_SETTING,
  type Setting,
  settingRow,
  SETTINGS,
  type SettingType,
} from "../../../provider/base/settings";
import { choicesIn } from "./facts";
import { linked, mark, markdownTable } from "../markdown";

/** The reference page of the settings. */
export const settingsPage = (): string =>
  [
    "# Settings\n",
    mark("provider/base/settings.ts"),
    "Settings say how a program reaches a platform. The first of these places that has a setting counts:\n",
    '1. a `Platform`, the explicit connection of some resources: `new Platform("eu", { baseUrl })`\n' +
      `2. the stack's configuration: \`pulumi config set ${configKey("baseUrl")} https://platform.example.com\`\n` +
      `3. the environment: \`${environmentName("baseUrl")}\`, \`${environmentName("requestTimeout")}\` and so on\n`,
    "Two groups have to come from one place: the address (`baseUrl`, `region`, `sandboxBaseUrl`), and the credentials (`apiKey`, `bearerToken`, with " +
      "`tenantId` and `organizationId`). So a `Platform` with its own address needs its own key, and a key in the environment next to an address is sent " +
      "only there.\n",
    "Resources use a `Platform` through the option `provider`:\n",
    `\`\`\`ts
import * as pulumi from "@pulumi/pulumi";
import { Platform, SandboxTemplate } from "pulumi-agent-platform";

const config = new pulumi.Config();
const eu = new Platform("eu", { region: "eu", apiKey: config.requireSecret("euApiKey") });
new SandboxTemplate("notebook", { image: "python:3.12-slim", resources: { cpu: "500m", memory: "512Mi" } }, { provider: eu });
\`\`\`
`,
    "In TypeScript, a `Platform` gets what it leaves out from the stack's configuration. In other languages (`Provider`, in YAML `pulumi:providers:agent-platform`) " +
      "it gets its own inputs and the environment alone, as any provider of Pulumi. Pass it what it needs, as with " +
      '`base_url=pulumi.Config("agent-platform").get("baseUrl")` in Python.\n',
    "The state records the address and the tenant. The provider refuses a connection to another one, because everything would look deleted. A new key " +
      "[needs an `up`](../how-to/rotate-a-secret.md#the-providers-own-key).\n",
    markdownTable([["Name", "Type", "Default", "Meaning"], ...SETTINGS.map(row), PLUGIN_ROW]),
  ].join("\n");

const PLUGIN_ROW = [
  `\`${PLUGIN_SETTING}\``,
  '`"native"` or `"dynamic"`',
  "`dynamic`",
  "`native`, as [Start](../start.md) sets it: the [plugin](../native-plugin.md). The default is for TypeScript from [before 0.2](../before-0.2.md). Only in the stack's configuration.",
];

function row(name: Setting): string[] {
  const { description, type, default: value, defaultText = "", secret } = settingRow(name);
  const how = secret ? " Secret: set it with `--secret`." : "";
  return [`\`${name}\``, typeOf(type), value === undefined ? defaultText : `\`${value}\``, linked(description) + how];
}

const TYPES = {
  flag: "true or false",
  amount: "number above 0",
  url: "URL",
  domain: "domain",
  path: "path of a file",
  header: "text",
} as const;
const typeOf = (type: SettingType): string => (type.kind === "choice" ? choicesIn(type.choices) : TYPES[type.kind]);
