import type { Table } from "../../provider/lifecycle/table";
import { deploymentTable } from "../../provider/resources/deployment/fields";
import { oauthProviderTable } from "../../provider/resources/oauth-provider/fields";
import { rolloutTable } from "../../provider/resources/rollout/fields";
import { runCheckTable } from "../../provider/resources/run-check/fields";
import { sandboxTemplateTable } from "../../provider/resources/sandbox-template/fields";
import { withRegion } from "./region";
import { argsModule, outputMembers, resultMembers } from "./resource";
import { platformModule, readmeWithSettings } from "./settings";

interface Noun {
  /** Of its folder and files. */
  readonly file: string;
  readonly table: Table;
  /** The interface of the arguments that its table has. */
  readonly args: string;
  /** Whether a function reads it. */
  readonly isRead: boolean;
}

/** The nouns; where the class takes more arguments than the table has, it extends the interface. */
const NOUNS: readonly Noun[] = [
  { file: "deployment", table: deploymentTable, args: "DeclaredDeploymentArgs", isRead: true },
  { file: "rollout", table: rolloutTable, args: "RolloutArgs", isRead: false },
  { file: "oauth-provider", table: oauthProviderTable, args: "OAuthProviderArgs", isRead: true },
  { file: "sandbox-template", table: sandboxTemplateTable, args: "SandboxTemplateArgs", isRead: true },
  { file: "run-check", table: runCheckTable, args: "DeclaredRunCheckArgs", isRead: false },
];

/** Everything that is generated, as file and text. @param read The text of a file as it is: some are generated in part. */
export function generatedFiles(read: (file: string) => string): ReadonlyMap<string, string> {
  return new Map([
    ...NOUNS.flatMap((noun) => filesOf(noun, read)),
    ["sdk/platform.generated.ts", platformModule()],
    ["README.md", readmeWithSettings(read("README.md"))],
  ]);
}

function filesOf({ file, table, args, isRead }: Noun, read: (file: string) => string): (readonly [string, string])[] {
  const inPart = (path: string, generated: string) => [path, withRegion(path, read(path), generated)] as const;
  return [
    [`sdk/resources/${file}.generated.ts`, argsModule(table, args, `provider/resources/${file}/fields.ts`)],
    inPart(`sdk/resources/${file}.ts`, outputMembers(table.fields)),
    ...(isRead ? [inPart(`sdk/functions/${file}.ts`, resultMembers(table.fields))] : []),
  ];
}
