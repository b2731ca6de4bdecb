import type { InputsSchema } from "../../provider/lifecycle/definition";
import { inputRows, type Table } from "../../provider/lifecycle/table";
import type { JsonObject, Noun } from "../../provider/reading";
import { deploymentTable } from "../../provider/resources/deployment/fields";
import { deploymentInputs } from "../../provider/resources/deployment/schema";
import { oauthProviderTable } from "../../provider/resources/oauth-provider/fields";
import { oauthProviderInputs } from "../../provider/resources/oauth-provider/schema";
import { sandboxTemplateTable } from "../../provider/resources/sandbox-template/fields";
import { sandboxTemplateInputs } from "../../provider/resources/sandbox-template/schema";

/** How a kind of objects is written down. */
export interface NounSpec {
  readonly kind: Noun;
  /** The argument whose value names an object. */
  readonly naturalKey: string;
  readonly one: string;
  readonly many: string;
  /** Of the file that holds them where there are many objects. */
  readonly file: string;
  /** What the names of their variables end with: so no two kinds share a name, and none is a reserved word. */
  readonly suffix: string;
  readonly table: Table;
  readonly inputs: InputsSchema<unknown>;
}

/** Arguments that have to be there, if only empty. */
export const leastOf = ({ table }: NounSpec): JsonObject =>
  Object.fromEntries(
    inputRows(table.fields).flatMap(([name, { required, type }]) =>
      required && type.kind === "object" ? [[name, {}] as const] : [],
    ),
  );

/** Whether its name, where it is not given, is the resource's in Pulumi. */
export const isNamedByPulumi = ({ table, naturalKey }: NounSpec): boolean =>
  table.fields[naturalKey]?.defaultText !== undefined;

/** The kinds in the order in which a program declares them: a deployment may use the others. */
export const NOUNS: readonly NounSpec[] = [
  {
    kind: "SandboxTemplate",
    naturalKey: "name",
    one: "sandbox template",
    many: "sandbox templates",
    file: "sandbox-templates",
    suffix: "Template",
    table: sandboxTemplateTable,
    inputs: sandboxTemplateInputs,
  },
  {
    kind: "OAuthProvider",
    naturalKey: "providerId",
    one: "OAuth provider",
    many: "OAuth providers",
    file: "oauth-providers",
    suffix: "Provider",
    table: oauthProviderTable,
    inputs: oauthProviderInputs,
  },
  {
    kind: "Deployment",
    naturalKey: "name",
    one: "deployment",
    many: "deployments",
    file: "deployments",
    suffix: "Deployment",
    table: deploymentTable,
    inputs: deploymentInputs,
  },
];

/** "1 deployment", "2 deployments" */
export const countOf = (count: number, { one, many }: Pick<NounSpec, "one" | "many">): string =>
  `${count} ${count === 1 ? one : many}`;
