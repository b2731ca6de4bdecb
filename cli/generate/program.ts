import { SPECS } from "../base/managed-types";
import { hiddenOf, type NeededSetting, type Notation, remarksOf } from "./hidden";
import { declaredNames, type DeclaredObject, listenerOf } from "./names";
import { type Comments, literal, printImport, printKey, printResource } from "./print";
import type { Surveyed } from "./survey";
import type { JsonObject } from "../../provider/base/json";
import { isNamedByPulumi } from "../../provider/lifecycle/fields/table";

/** The files of a program, and remarks about it, each a sentence of Markdown. */
export interface Program {
  readonly files: ReadonlyMap<string, string>;
  /** What the platform does not show of the objects. */
  readonly hidden: readonly string[];
  /** What to look at before the first `pulumi up`. */
  readonly remarks: readonly string[];
  /** What has to be set before the first `pulumi up`. */
  readonly settings: readonly NeededSetting[];
  /** Objects that the language cannot declare. */
  readonly unread?: readonly string[];
  /** What the first `pulumi up` does, and what can go after it: sentences of Markdown. */
  readonly takeover: string;
}

const typescript: Notation = {
  setting: (key, isSecret) => `config.${isSecret ? "requireSecret" : "require"}("${key}")`,
  property: (name, value) => `${printKey(name)}: ${value},`,
  group: (name, lines) => [`${name}: {`, ...lines.map((line) => `  ${line}`), "},"],
  earliest: "",
  toAddEarly: () => "Add it before the first `pulumi up`",
};

/** More objects than this go into several files. */
const MANY = 30;

/** The program that declares these objects and takes them over. The same objects give the same program. */
export function programOf(objects: readonly Surveyed[], origin: string): Program {
  const isSplit = objects.length > MANY;
  const declared = declaredNames(objects);
  const parts = SPECS.flatMap((spec) => {
    const ofKind = declared.filter(({ object }) => object.spec === spec);
    if (ofKind.length === 0) return [];
    const resources = ofKind.map((each) => resourceOf(each, listenerOf(each, declared), isSplit));
    return [{ spec, resources }];
  });
  const all = parts.flatMap(({ resources }) => resources);
  const files = isSplit
    ? [
        [
          "index.ts",
          indexOf(
            parts.map(({ spec }) => spec.file),
            origin,
          ),
        ] as const,
        ...parts.map(({ spec, resources }) => [`${spec.file}.ts`, fileOf(resources, origin, isSplit)] as const),
      ]
    : [["index.ts", fileOf(all, origin, isSplit)] as const];
  return {
    files: new Map(files),
    hidden: all.flatMap(({ hidden }) => hidden),
    settings: all.flatMap(({ settings }) => settings),
    remarks: all.flatMap(({ remarks }) => remarks),
    takeover: `The first \`pulumi up\` takes over what exists (\`adopt\`). It changes nothing on the platform, unless something there has changed
in the meantime. After that, you can remove \`adopt\`.`,
  };
}

interface Resource {
  readonly type: string;
  readonly code: string;
  readonly isConfigured: boolean;
  /** The listener that the code names. */
  readonly uses: DeclaredObject | undefined;
  readonly hidden: readonly string[];
  readonly settings: readonly NeededSetting[];
  readonly remarks: readonly string[];
}

function resourceOf(
  { object, name, variable }: DeclaredObject,
  listener: DeclaredObject | undefined,
  isSplit: boolean,
): Resource {
  const { spec, failed } = object;
  const hidden = hiddenOf(object, variable, typescript);
  const { name: given, ...others } = object.args;
  const isNamed = isNamedByPulumi(spec.table, spec.naturalKey) && given === name;
  const needed = Object.fromEntries(object.needs.map((key) => [key, null]));
  const args: JsonObject = { adopt: adoptionOf(object), ...(isNamed ? others : object.args), ...needed };
  if (failed !== undefined) args["awaitRollout"] = false;
  const comments = failed === undefined ? hidden.comments : notingFailure(hidden.comments, failed);
  const references = new Map(listener && [["sourceConfig.listenerId", `${listener.variable}.id`]]);
  const expressions = new Map([...references, ...hidden.needed]);
  const head = `${isSplit ? "export const" : "const"} ${variable} = `;
  return {
    code: printResource(head, spec.kind, name, args, { comments, expressions }),
    type: spec.kind,
    isConfigured: hidden.keys.length + hidden.settings.length > 0,
    uses: listener,
    hidden: hidden.unread,
    settings: hidden.settings,
    remarks: remarksOf(object),
  };
}

/** The value of `adopt`: the id, so that nothing is created if the object is gone by then. Old templates have no id. */
function adoptionOf({ id, name, spec }: Surveyed): string | true {
  return spec.kind === "SandboxTemplate" && id === name ? true : id;
}

function notingFailure(comments: Comments, status: string): Comments {
  const line = `Its latest revision is ${literal(status)}: waiting for it would fail. Once it is corrected, remove awaitRollout.`;
  return new Map([...comments, ["", [line, ...(comments.get("") ?? [])]]]);
}

function fileOf(resources: readonly Resource[], origin: string, isSplit: boolean): string {
  const types = [...new Set(resources.map(({ type }) => type))].sort();
  const isConfigured = resources.some((resource) => resource.isConfigured);
  const used = isSplit ? [...new Set(resources.flatMap(({ uses }) => uses ?? []))] : [];
  const imports = [
    ...(isConfigured ? ['import * as pulumi from "@pulumi/pulumi";'] : []),
    ...(types.length > 0 ? [printImport(types, "pulumi-agent-platform")] : []),
    ...used
      .slice(0, 1)
      .map(({ object }) => printImport(used.map(({ variable }) => variable).sort(), `./${object.spec.file}`)),
  ];
  const blocks = [
    [headOf(origin), ...imports].join("\n") + "\n",
    ...(isConfigured
      ? ["/** For the values that the platform does not show. */\nconst config = new pulumi.Config();\n"]
      : []),
    ...resources.map(({ code }) => code),
    ...(resources.length === 0 ? ["export {};\n"] : []),
  ];
  return blocks.join("\n");
}

const indexOf = (modules: readonly string[], origin: string): string =>
  [headOf(origin), ...modules.map((name) => `import "./${name}";`)].join("\n") + "\n";

const headOf = (origin: string): string =>
  `// What was at ${literal(origin)}, written by \`pulumi-agent-platform generate\`.`;
