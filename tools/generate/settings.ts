import { settingRow, SETTINGS, type SettingRow, type SettingType } from "../../provider/base/settings";
import { settingType } from "../../provider/native/schema";
import { comment } from "./comment";
import { head } from "./resource";
import { oneOf } from "./types";

const ABOUT =
  "How to reach a platform. Settings that you leave out come from the stack's configuration (`agent-platform:<name>`), then from the environment " +
  "(`AGENT_PLATFORM_<NAME>`); but the address (`baseUrl`, `region`, `sandboxBaseUrl`) has to come from one place, and so do the " +
  "credentials (`apiKey`, `bearerToken`, with their `tenantId` and `organizationId`). If you set an address here, set a key here, too.";

/** The module of the arguments of a `Platform`. */
export function platformModule(): string {
  const members = SETTINGS.map((setting) => {
    const row = settingRow(setting);
    return `${comment(textOf(row), "  ")}  ${setting}?: pulumi.Input<${typeOf(row.type)}>;\n`;
  });
  const args = `${comment(ABOUT)}export interface PlatformArgs {\n${members.join("")}}\n`;
  return [head("provider/base/settings.ts"), 'import type * as pulumi from "@pulumi/pulumi";\n', args].join("\n");
}

function textOf(row: SettingRow): string {
  const secret = row.secret ? " Encrypted in state." : "";
  const otherwise = row.defaultText ?? (row.default !== undefined && literal(row.type, row.default));
  return `${row.description}${secret}${otherwise ? ` @default ${otherwise}` : ""}`;
}

const literal = ({ kind }: SettingType, text: string): string => (kind === "choice" ? JSON.stringify(text) : text);

const typeOf = (type: SettingType): string => (type.kind === "choice" ? oneOf(type.choices) : settingType(type).type);
