import { declaredNames, type DeclaredObject, referencesOf } from "./names";
import { type Expressions, literal, printObject } from "./print";
import type { Surveyed } from "./survey";
import { yamlBlock } from "./yaml";
import { isObject, type JsonObject } from "../../provider/base/json";
import { NAMESPACE } from "../../provider/base/settings";
import { filledInputs } from "../../provider/lifecycle/fields/table";
import type { ObjectType } from "../../provider/resources/resource-types";

/** The languages of a generated program. */
export const PROGRAM_LANGUAGES = ["typescript", "yaml"] as const;
export type ProgramLanguage = (typeof PROGRAM_LANGUAGES)[number];

/** A setting that has to be there before the first `pulumi up`. */
export interface NeededSetting {
  readonly key: string;
  readonly isSecret: boolean;
}

/** A program that declares objects and takes them over, and the settings that it reads. */
export interface Program {
  /** The text of a file in TypeScript, or, in YAML, of a Pulumi.yaml below its head. */
  readonly text: string;
  readonly settings: readonly NeededSetting[];
}

/** The program that declares these objects and takes them over. The same objects give the same program. */
export function programOf(objects: readonly Surveyed[], origin: string, language: ProgramLanguage): Program {
  const { print, ...notation } = language === "yaml" ? YAML : TYPESCRIPT;
  const names = declaredNames(objects);
  const all = names.map((each) => declarationOf(each, referencesOf(each, names), notation));
  const settings = all.flatMap((each) => each.settings);
  const written = `What was at ${literal(origin)}, written by \`pulumi-agent-platform generate\`.`;
  return { text: print(written, all, settings), settings };
}

/** A resource of a program. */
interface Declaration {
  readonly kind: ObjectType;
  readonly name: string;
  readonly variable: string;
  readonly args: JsonObject;
  /** In place of arguments. */
  readonly expressions: Expressions;
  readonly settings: readonly NeededSetting[];
}

/** How a language refers to something. */
interface Notation {
  readonly setting: (setting: NeededSetting) => string;
  readonly outputOf: (variable: string, output: string) => string;
}

/** A language, and how it writes a program. @param written Says what it is, as its comment. */
interface Language extends Notation {
  readonly print: (written: string, all: readonly Declaration[], settings: readonly NeededSetting[]) => string;
}

function declarationOf(
  { object, name, variable }: DeclaredObject,
  references: ReturnType<typeof referencesOf>,
  { setting, outputOf }: Notation,
): Declaration {
  const { spec, failed, needs } = object;
  const { name: given, ...others } = object.args;
  const declared = "name" in filledInputs(spec.table) && given === name ? others : object.args;
  const needed = needs.map((path) => {
    const key = variable + path.charAt(0).toUpperCase() + path.slice(1);
    return { path, key, isSecret: spec.table.fields[path]?.secret === true };
  });
  return {
    kind: spec.kind,
    name,
    variable,
    args: {
      adopt: adoptionOf(object),
      ...declared,
      ...Object.fromEntries(needs.map((path) => [path, null])),
      ...(failed === undefined ? {} : { awaitRollout: false }),
    },
    expressions: new Map([
      ...references.map(([path, { object: to, variable: other }]) => {
        // Known at the first preview, if it is also an argument.
        const output = to.spec.table.reading?.idIsKey === true ? to.spec.naturalKey : "id";
        return [path, outputOf(other, output)] as const;
      }),
      ...needed.map((each) => [each.path, setting(each)] as const),
    ]),
    settings: needed.map(({ key, isSecret }) => ({ key, isSecret })),
  };
}

/** The value of `adopt`: the id, so that nothing is created if the object is gone by then. Old templates have no id. */
function adoptionOf({ id, name, spec }: Surveyed): string | true {
  return spec.kind === "SandboxTemplate" && id === name ? true : id;
}

const TYPESCRIPT: Language = {
  setting: ({ key, isSecret }) => `config.${isSecret ? "requireSecret" : "require"}("${key}")`,
  outputOf: (variable, output) => `${variable}.${output}`,
  print: (written, all, settings) => {
    const kinds = [...new Set(all.map(({ kind }) => kind))].sort();
    const isConfigured = settings.length > 0;
    const head = [
      `// ${written}`,
      ...(isConfigured ? ['import * as pulumi from "@pulumi/pulumi";'] : []),
      kinds.length === 0 ? "export {};" : `import { ${kinds.join(", ")} } from "pulumi-agent-platform";`,
    ];
    const resources = all.map(
      ({ variable, kind, name, args, expressions }) =>
        `const ${variable} = new ${kind}(${literal(name)}, ${printObject(args, expressions)});`,
    );
    const config = isConfigured
      ? ["/** For the values that the platform does not show. */\nconst config = new pulumi.Config();"]
      : [];
    return `${[head.join("\n"), ...config, ...resources].join("\n\n")}\n`;
  },
};

const YAML: Language = {
  setting: ({ key }) => `\${${key}}`,
  outputOf: (variable, output) => `\${${variable}.${output}}`,
  print: (written, all, settings) => {
    const rollouts = all.filter(({ kind, args }) => kind === "Deployment" && args["awaitRollout"] !== false);
    const resources = [...all, ...rollouts.map(rolloutOf)];
    const config = Object.fromEntries(
      settings.map(({ key, isSecret }): [string, JsonObject] => [
        key,
        { type: "string", ...(isSecret && { secret: true }) },
      ]),
    );
    const program = {
      // A key is unique among all resources, a name within its kind.
      resources: Object.fromEntries(
        resources.map(({ variable, kind, name, args }) => [
          variable,
          { type: `${NAMESPACE}:${kind}`, name, properties: args },
        ]),
      ),
      ...(settings.length > 0 && { config }),
    };
    const expressions = resources.flatMap(({ variable, expressions: own }) =>
      [...own].map(([path, text]) => [`resources.${variable}.properties.${path}`, text] as const),
    );
    return `${[`# ${written}`, ...yamlBlock(program, "", new Map(expressions))].join("\n")}\n`;
  },
};

/** In TypeScript the class of a Deployment has one. */
function rolloutOf({ variable, name, args: { sourceConfig } }: Declaration) {
  const outputs = { deploymentId: "id", deploymentName: "name", revisionId: "latestRevisionId" };
  const follows = isObject(sourceConfig) && sourceConfig["buildOnPush"] === true;
  return {
    kind: "Rollout",
    name,
    variable: `${variable}Rollout`,
    args: {
      ...Object.fromEntries(Object.keys(outputs).map((path) => [path, null])),
      ...(follows && { followsPushes: true }),
    },
    expressions: new Map(Object.entries(outputs).map(([path, output]) => [path, YAML.outputOf(variable, output)])),
  };
}
