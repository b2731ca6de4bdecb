import type { JsonObject } from "../base/json";
import { type Field, type Fields, isWriteOnly, outputRows, pluralOf, type Table } from "../lifecycle/fields/table";
import { count, list, nullable, object, text } from "../lifecycle/fields/types";
import { MANAGED_TYPES, type ManagedType } from "../resources/resource-types";
import { RESOURCES } from "../resources/registry";
import { atMost, idOrName, optionalText, optionalTexts, requiredText } from "./arguments";
import type { PlatformReader } from "./reading";
import { collect, valuesOf } from "./values";

/** A function of the native plugin: it reads the platform as it is, and changes nothing. */
export interface PlatformFunction {
  readonly description: string;
  readonly args: Fields;
  readonly result: Fields;
  /** Throws, before any request, if the arguments are wrong. */
  call(args: JsonObject, platform: PlatformReader): Promise<JsonObject>;
}

const MAXIMUM: Field = {
  type: count(1),
  description: "The maximum number of results, a whole number above 0.",
  defaultText: "all",
};
const id: Field = { type: text(), description: "The platform's id.", required: true };

const REVISION: Fields = {
  id,
  deploymentId: { type: text(), description: "The deployment's id.", required: true },
  status: {
    type: text(),
    description:
      '"DEPLOYED", "BUILDING", "BUILD_FAILED" ...; "UNKNOWN" if the platform does not say. A replaced revision stays "DEPLOYED".',
    required: true,
  },
  createdAt: { type: nullable(text()), description: "When the platform created it (ISO 8601)." },
  imageUri: {
    type: nullable(text()),
    description: "The image that it runs. If the platform builds the image, the built one.",
  },
  repoCommitSha: { type: nullable(text()), description: "The commit that it was built from." },
};

function functionsOf(managedType: ManagedType): (readonly [string, PlatformFunction])[] {
  const { table } = RESOURCES[managedType];
  const { naturalKey = "name", one, reading } = table;
  const many = pluralOf(one);
  const [get, all] = [`get${managedType}`, `list${pluralOf(managedType)}`];
  const result = resultOf(table);
  return [
    [
      get,
      {
        description: `An existing ${one}, by its id or its ${naturalKey}, as it is now. Fails if it does not exist.`,
        args: {
          id: { type: text(), description: `The platform's id. Give this or ${naturalKey}.` },
          [naturalKey]: { type: text(), description: reading?.key ?? `Its ${naturalKey}.` },
        },
        result,
        call: async (args, platform) =>
          valuesOf(await platform.reader(managedType).get(idOrName(get, args, naturalKey))),
      },
    ],
    [
      all,
      {
        description: `The ${many} of the tenant, in the platform's order.`,
        args: { maximum: MAXIMUM },
        result: itemsOf(result, `${managedType}Item`, many),
        async call(args, platform) {
          const maximum = atMost(all, "maximum", args["maximum"]);
          return { items: (await collect(maximum, platform.reader(managedType).list())).map(valuesOf) };
        },
      },
    ],
  ];
}

/**
 * The rows of a table that a function shows: what the platform shows of the properties, and the details. The platform does not say which variables
 * are secret, so none is shown.
 */
export function shownRows({ fields, reading }: Table): Fields {
  const shown = outputRows(fields).filter(([, row]) => !row.secret && !isWriteOnly(row));
  return { ...Object.fromEntries(shown), ...reading?.details };
}

function itemsOf(rows: Fields, name: string, many: string): Fields {
  const type = list(object(rows, { name, description: `One of the ${many}.` }));
  return { items: { type, description: `The ${many}.`, required: true } };
}

function resultOf(table: Table): Fields {
  const rows = Object.entries(shownRows(table));
  return {
    id,
    ...Object.fromEntries(
      rows.map(([name, { type, description, required }]) => [name, { type, description, required }]),
    ),
  };
}

const getRevision: PlatformFunction = {
  description: "A revision of a deployment, as it is now. Does not wait. Fails if either does not exist.",
  args: {
    deploymentId: { type: text(), description: "The deployment's id.", required: true },
    revisionId: { type: text(), description: "The revision's id.", defaultText: "the deployment's latest revision" },
  },
  result: REVISION,
  async call(args, platform) {
    const deploymentId = requiredText("getRevision", "deploymentId", args["deploymentId"]);
    return platform.revision(deploymentId, optionalText("getRevision", "revisionId", args["revisionId"]));
  },
};

const listRevisions: PlatformFunction = {
  description: "The revisions of a deployment, in the platform's order.",
  args: {
    deploymentId: { type: text(), description: "The deployment's id.", required: true },
    statuses: {
      type: list(text()),
      description: 'Those with one of these statuses, such as "DEPLOYED".',
      defaultText: "all",
    },
    maximum: MAXIMUM,
  },
  result: itemsOf(REVISION, "RevisionItem", "revisions"),
  async call(args, platform) {
    const deploymentId = requiredText("listRevisions", "deploymentId", args["deploymentId"]);
    const all = platform.revisions(deploymentId, optionalTexts("listRevisions", "statuses", args["statuses"]));
    return { items: await collect(atMost("listRevisions", "maximum", args["maximum"]), all) };
  },
};

const getGithubIntegration: PlatformFunction = {
  description: "The GitHub integration with this name. Fails if there is none, or if there are several.",
  args: { name: { type: text(), description: "Its name.", required: true } },
  result: {
    id,
    name: { type: text(), description: "Its name.", required: true },
    installationId: { type: nullable(text()), description: "The id of the installation at GitHub." },
  },
  async call(args, platform) {
    const found = await platform.githubIntegration(requiredText("getGithubIntegration", "name", args["name"]));
    // The platform has a number, the schema a text since its first release.
    return { ...found, installationId: found.installationId === null ? null : String(found.installationId) };
  },
};

export const FUNCTIONS: ReadonlyMap<string, PlatformFunction> = new Map([
  ...MANAGED_TYPES.flatMap(functionsOf),
  ...Object.entries({ getRevision, listRevisions, getGithubIntegration }),
]);
