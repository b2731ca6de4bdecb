import { countsOf } from "../base/managed-types";
import { span } from "./print";
import type { NeededSetting, ProgramLanguage } from "./program";
import type { Survey } from "./survey";
import { isInsecure } from "../../provider/base/address";
import type { Connection } from "../../provider/base/connection";
import { configKey, type Setting, SETTING_ROWS } from "../../provider/base/settings";
import { shellWord } from "../../provider/base/shell";

/** A summary of the objects: "2 sandbox templates, 1 OAuth provider and 3 deployments". Of what there is none, it says nothing. */
export function summaryOf({ objects }: Pick<Survey, "objects">): string {
  const counts = countsOf(objects.map(({ spec }) => spec.kind));
  const last = counts.pop() ?? "no objects";
  return counts.length === 0 ? last : `${counts.join(", ")} and ${last}`;
}

/** What a README says besides the objects: its lists are sentences of Markdown. */
interface Remarks {
  readonly language: ProgramLanguage;
  readonly settings: readonly NeededSetting[];
  /** What to look at before the first `pulumi up`. */
  readonly remarks: readonly string[];
  /** What the program leaves out of the objects. */
  readonly hidden: readonly string[];
  /** What is not in the program. */
  readonly unread: readonly string[];
}

/** The README of a generated project: what is in it, how to go on, and what is not in it. */
export function readmeOf(
  title: string,
  connection: Connection,
  read: Pick<Survey, "objects">,
  { language, settings, remarks, hidden, unread }: Remarks,
): string {
  const steps = [
    ...settingsOf(connection).map(([key, value]) => `pulumi config set ${configKey(key)} ${shellWord(value)}`),
    ...(["apiKey", "bearerToken"] as const)
      .filter((each) => connection[each] !== undefined)
      .map((each) => `pulumi config set --secret ${configKey(each)}`),
    ...settings.map(({ key, isSecret }) => `pulumi config set ${isSecret ? "--secret " : ""}${key}`),
  ];
  const typecheck =
    language === "typescript"
      ? " `npm run typecheck` finds wrong types; `pulumi`\ndoes not look for them, so that it starts soon."
      : "";
  return `# ${title}

A Pulumi program for what was at ${span(connection.baseUrl)}: ${summaryOf(read)}.
\`npx pulumi-agent-platform generate\` wrote it once; from now on it is yours to edit.

## Next steps

\`\`\`sh
npm install
pulumi stack init dev
${steps.join("\n")}
pulumi up
\`\`\`

The first \`pulumi up\` takes over what exists (\`adopt\`). It changes nothing on the platform, unless something there has changed
in the meantime. After that, you can remove \`adopt\`. From then on, change the program to change the platform.${typecheck} If you remove a
resource from the program, the next \`pulumi up\` deletes its object.
${section("To look at first", "", remarks)}${section("Left out of the program", HIDDEN, hidden)}${section("Not in the program", "", unread)}`;
}

const HIDDEN = `These stay as they are. Once the program declares them, the next \`pulumi up\` sends the values that you set. For variables it makes a new
revision, and removes those that the program does not declare; where the platform shows their values, it does not say which are secret.`;

function section(title: string, introduction: string, lines: readonly string[]): string {
  if (lines.length === 0) return "";
  const list = lines.map((line) => `- ${line}`).join("\n");
  return `\n## ${title}\n\n${introduction === "" ? "" : `${introduction}\n\n`}${list}\n`;
}

function settingsOf(connection: Connection): (readonly [Setting, string])[] {
  const { baseUrl, sandboxBaseUrl, tenantId, organizationId, contract } = connection;
  return [
    ["baseUrl", baseUrl] as const,
    ...(sandboxBaseUrl === baseUrl ? [] : [["sandboxBaseUrl", sandboxBaseUrl] as const]),
    ...(tenantId === undefined ? [] : [["tenantId", tenantId] as const]),
    ...(organizationId === undefined ? [] : [["organizationId", organizationId] as const]),
    ...(contract === SETTING_ROWS.contract.default ? [] : [["contract", contract] as const]),
    ...([baseUrl, sandboxBaseUrl].some(isInsecure) ? [["allowInsecure", "true"] as const] : []),
  ];
}
