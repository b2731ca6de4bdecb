import {
  configKey,
  environmentName,
  PLUGIN_SETTING,
  NAMESPACE,
  settingRow,
  SETTINGS,
  type Setting,
  type SettingType,
} from "../../../provider/base/settings";
import { markdownTable } from "../markdown";
import { settingRows } from "../settings";
import { linked, mark } from "./page";

/** The reference page of the settings. */
export const settingsPage = (): string =>
  [
    "# Settings\n",
    mark("provider/base/settings.ts"),
    "Settings say how a program reaches a platform. You can set each one in three places; the first place that has it counts:\n",
    '1. on a `Platform`, the explicit connection of some resources: `new Platform("eu", { baseUrl })`\n' +
      "2. in the stack's configuration: `pulumi config set agent-platform:baseUrl https://platform.example.com`\n" +
      "3. in the environment: `AGENT_PLATFORM_BASE_URL`\n",
    "Two groups of settings have to come from the same place: the address (`baseUrl`, `region`, `sandboxBaseUrl`), and the credentials (`apiKey`, `bearerToken`, with " +
      "`tenantId` and `organizationId`). So a `Platform` with its own address needs its own key, and a key in the environment next to an address is sent " +
      "only there. `region` is looked up in the `baseUrlUs` and `baseUrlEu` of all places.\n",
    "Resources use a `Platform` through the option `provider`:\n",
    `\`\`\`ts
import * as pulumi from "@pulumi/pulumi";
import { Platform, SandboxTemplate } from "pulumi-agent-platform";

const config = new pulumi.Config();
const eu = new Platform("eu", { region: "eu", apiKey: config.requireSecret("euApiKey") });
new SandboxTemplate("notebook", { image: "python:3.12-slim", resources: { cpu: "500m", memory: "512Mi" } }, { provider: eu });
\`\`\`
`,
    "The state records the address and the tenant. The provider refuses a connection to another one, because everything would look deleted. After `config set` of " +
      "a new key, run `pulumi up` or `pulumi refresh --run-program`: all other commands, `drift` included, use the key recorded in state " +
      "([Rotate a secret](../how-to/rotate-a-secret.md#the-providers-own-key)).\n",
    markdownTable([["Name", "Meaning", "Default"], ...settingRows().map((row) => row.map(fromHere))]),
    ...SETTINGS.map(section),
    `## \`${PLUGIN_SETTING}\`\n\nWhich plugin the stack's resources use: \`dynamic\` or \`native\` ([the native plugin](../native-plugin.md)). You can only set it for ` +
      `a stack.\n\n- **Type:** \`"dynamic"\` or \`"native"\`\n- **Default:** \`dynamic\`\n- **Stack:** \`${NAMESPACE}:${PLUGIN_SETTING}\`\n`,
  ].join("\n");

const fromHere = (cell: string): string => cell.replaceAll("](docs/", "](../");

function section(name: Setting): string {
  const { description, type, default: value, defaultText, secret } = settingRow(name);
  const otherwise = defaultText ?? (value === undefined ? undefined : `\`${value}\``);
  const facts = [
    ["Type", typeOf(type)],
    ["Default", otherwise],
    ["Stack", `\`${configKey(name)}\``],
    ["Environment", `\`${environmentName(name)}\``],
    ["Secret", secret ? "yes: set it with `--secret`. Encrypted in state, never shown." : undefined],
  ];
  const lines = facts.flatMap(([fact, text]) => (text === undefined ? [] : [`- **${fact ?? ""}:** ${text}\n`]));
  return `## \`${name}\`\n\n${linked(description)}\n\n${lines.join("")}`;
}

function typeOf(type: SettingType): string {
  switch (type.kind) {
    case "flag":
      return "true or false";
    case "amount":
      return `a number above 0: ${type.of}`;
    case "choice":
      return type.choices.map((each) => `\`"${each}"\``).join(" or ");
    case "url":
      return "a URL";
    case "domain":
      return "a domain";
    case "path":
      return "the path of a file";
    case "header":
      return "text";
  }
}
