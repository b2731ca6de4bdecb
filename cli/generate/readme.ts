import { countsOf } from "../base/managed-types";
import { span } from "./print";
import type { Program } from "./program";
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

/** The README of a generated project: what is in it, how to go on, and what is not in it. */
export function readmeOf(title: string, connection: Connection, read: Survey, program: Program): string {
  const settings = settingsOf(connection).map(
    ([key, value]) => `pulumi config set ${configKey(key)} ${shellWord(value)}`,
  );
  const credentials = (["apiKey", "bearerToken"] as const)
    .filter((each) => connection[each] !== undefined)
    .map((each) => `pulumi config set --secret ${configKey(each)}`);
  const needed = program.settings.map(({ key, isSecret }) => `pulumi config set ${isSecret ? "--secret " : ""}${key}`);
  const typecheck = program.files.has("index.ts")
    ? " `npm run typecheck` finds wrong types; `pulumi`\ndoes not look for them, so that it starts soon."
    : "";
  return `# ${title}

A Pulumi program for what was at ${span(connection.baseUrl)}: ${summaryOf(read)}.
\`npx pulumi-agent-platform generate\` wrote it once; from now on it is yours to edit.

## Next steps

\`\`\`sh
npm install
pulumi stack init dev
${settings.join("\n")}
${[...credentials, ...needed].join("\n")}
pulumi up
\`\`\`

${program.takeover} From then on, change the program to change the platform.${typecheck} If you remove a
resource from the program, the next \`pulumi up\` deletes its object.
${section("To look at first", "", program.remarks)}${section(
    "Not shown by the platform",
    "These stay as they are until the program declares them. The comments in the program say how. The next `pulumi up` then sends\nthe values that you set, which for variables makes a new revision.",
    program.hidden,
  )}${section("Not in the program", "", read.unread)}`;
}

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
