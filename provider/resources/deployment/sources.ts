import type { JsonObject } from "../../base/json";

// docs/internals/platform.md, Source: which arguments a deployment needs, by the source of its code. Used by the check (refused.ts), the wire
// (toWire), the descriptions of the table (fields.ts) and docs/sources.md. Refuses only what an official source refuses.

/** What a deployment has or lacks according to its source, as a path from its arguments. */
export type ArgumentPlace =
  | `sourceConfig.${"integrationId" | "repoUrl" | "deploymentType" | "buildOnPush" | "customUrl" | "resourceSpec"}`
  | `sourceConfig.${"listenerId" | "listenerConfig" | "installCommand" | "buildCommand" | "templateId"}`
  | `sourceRevisionConfig.${"repoRef" | "langgraphConfigPath" | "imageUri" | "sourceTarballPath"}`
  | "secretReferences";

/** The rules of one source. The platform judges every field that is not named here. */
export interface SourceRow {
  readonly description: string;
  readonly needs: readonly ArgumentPlace[];
  /** Beside those, it needs all the places of one of these lists. */
  readonly needsOneOf?: readonly (readonly ArgumentPlace[])[];
  readonly takes?: readonly ArgumentPlace[];
  /** The reason to refuse each. */
  readonly refuses: ReadonlyMap<ArgumentPlace, string>;
  /** What a create sends where a program declares nothing. */
  readonly defaults: JsonObject;
  /** The platform's cloud reserves more names of variables. */
  readonly isOnCloud: boolean;
}

const NO_PUSH = "there is no repository to push to";
const NO_REPOSITORY = "there is no repository";
const ON_CLOUD = "it runs on the platform's cloud";
const SPEC_ELSEWHERE = ["sourceConfig.resourceSpec", 'only "external_docker" takes it'] as const;
const REFERENCES_ELSEWHERE = ["secretReferences", 'only "external_docker" takes them'] as const;
const COMMANDS = ["sourceConfig.installCommand", "sourceConfig.buildCommand"] as const;

const refusing = (...reasons: readonly (readonly [ArgumentPlace, string])[]): SourceRow["refuses"] => new Map(reasons);

const uploaded = (description: string): SourceRow => ({
  description,
  needs: ["sourceConfig.deploymentType"],
  needsOneOf: [
    ["sourceRevisionConfig.imageUri"],
    ["sourceRevisionConfig.sourceTarballPath", "sourceRevisionConfig.langgraphConfigPath"],
  ],
  takes: COMMANDS,
  refuses: refusing(
    ["sourceConfig.buildOnPush", NO_PUSH],
    SPEC_ELSEWHERE,
    ["sourceRevisionConfig.repoRef", NO_REPOSITORY],
    REFERENCES_ELSEWHERE,
  ),
  defaults: {},
  isOnCloud: true,
});

/** The sources of the platform, by name. */
export const SOURCES = {
  github: {
    description: "A repository that the platform's cloud builds and runs",
    needs: [
      "sourceConfig.integrationId",
      "sourceConfig.repoUrl",
      "sourceConfig.deploymentType",
      "sourceRevisionConfig.repoRef",
      "sourceRevisionConfig.langgraphConfigPath",
    ],
    takes: ["sourceConfig.buildOnPush", ...COMMANDS],
    refuses: refusing(
      ["sourceConfig.customUrl", "the platform sets it"],
      SPEC_ELSEWHERE,
      ["sourceConfig.listenerId", ON_CLOUD],
      ["sourceConfig.listenerConfig", ON_CLOUD],
      ["sourceRevisionConfig.imageUri", "the platform builds the image"],
      REFERENCES_ELSEWHERE,
    ),
    defaults: { sourceConfig: { buildOnPush: false } },
    isOnCloud: true,
  },
  external_docker: {
    description: "An image that runs on your own machines",
    needs: ["sourceRevisionConfig.imageUri"],
    takes: [
      "sourceConfig.resourceSpec",
      "sourceConfig.customUrl",
      "sourceConfig.listenerId",
      "sourceConfig.listenerConfig",
      "secretReferences",
    ],
    refuses: refusing(
      ["sourceConfig.integrationId", NO_REPOSITORY],
      ["sourceConfig.repoUrl", NO_REPOSITORY],
      ["sourceConfig.deploymentType", "it is for the platform's cloud"],
      ["sourceConfig.buildOnPush", NO_PUSH],
      ["sourceRevisionConfig.repoRef", NO_REPOSITORY],
      ["sourceRevisionConfig.langgraphConfigPath", "the image has its own configuration"],
    ),
    defaults: { sourceConfig: { resourceSpec: {} } },
    isOnCloud: false,
  },
  internal_docker: uploaded("An image that a client has uploaded, on the platform's cloud"),
  internal_source: uploaded("Code that a client has uploaded, on the platform's cloud"),
  internal_template: {
    description: "A template of the platform, on its cloud",
    needs: ["sourceConfig.deploymentType", "sourceConfig.templateId"],
    refuses: refusing(SPEC_ELSEWHERE),
    defaults: {},
    isOnCloud: true,
  },
} as const satisfies Readonly<Record<string, SourceRow>>;

export type Source = keyof typeof SOURCES;

export const isSource = (name: unknown): name is Source => typeof name === "string" && Object.hasOwn(SOURCES, name);

export const SOURCE_NAMES: readonly Source[] = Object.keys(SOURCES).filter(isSource);

export const sourceRow = (source: Source): SourceRow => SOURCES[source];

/**
 * Whether the platform builds a deployment with these inputs by a langgraph.json: each revision then takes the newest agent server, unless
 * that file pins one (docs/internals/platform.md, Server of a revision).
 */
export function takesNewestServer({ sourceRevisionConfig: config }: Readonly<Record<string, unknown>>): boolean {
  if (typeof config !== "object" || config === null || !("langgraphConfigPath" in config)) return false;
  const isBuilt = !("imageUri" in config) || config.imageUri === undefined;
  return isBuilt && typeof config.langgraphConfigPath === "string";
}

/** The values of `deploymentType`, for the sources that need it. */
export const DEPLOYMENT_TYPES: readonly string[] = ["dev_free", "dev_zero", "dev", "prod"];
/** The words of the deploy CLI, and the platform's for each. */
const CLI_TYPES = new Map([
  ["serverless", "dev_zero"],
  ["dedicated", "prod"],
]);
/** The platform's word for a `deploymentType`. */
export const platformType = <T>(type: T): T | string =>
  typeof type === "string" ? (CLI_TYPES.get(type) ?? type) : type;
/** Further values, known only from official clients. */
export const OTHER_DEPLOYMENT_TYPES: readonly string[] = ["dev_free_zero", ...CLI_TYPES.keys()];

/** How a `repoRef` that names a tag begins. A tag cannot be built on push. */
export const TAG = "refs/tags/";

/** Cores that a part of a deployment may ask for, and its limit (docs/internals/platform.md, resource_spec). */
export const CORES = { request: { least: 0.1, most: 8 }, limit: { least: 0.1, most: 16 } } as const;

/** The range of a key of `resourceSpec`; undefined for one that does not count cores. */
export function coresOf(key: string): { readonly least: number; readonly most: number } | undefined {
  if (/cpu$/i.test(key)) return CORES.request;
  return /cpuLimit$/i.test(key) ? CORES.limit : undefined;
}

const RESERVED = `
  LANGCHAIN_TRACING_V2 LANGSMITH_TRACING_V2 LANGCHAIN_ENDPOINT LANGCHAIN_PROJECT LANGSMITH_PROJECT LANGSMITH_LANGGRAPH_GIT_REPO
  LANGGRAPH_GIT_REPO_PATH LANGCHAIN_API_KEY LANGSMITH_CONTROL_PLANE_API_KEY POSTGRES_URI POSTGRES_PASSWORD DATABASE_URI
  LANGSMITH_LANGGRAPH_GIT_REF LANGSMITH_LANGGRAPH_GIT_REF_SHA LANGGRAPH_AUTH_TYPE LANGSMITH_AUTH_ENDPOINT LANGSMITH_TENANT_ID
  LANGSMITH_AUTH_VERIFY_TENANT_ID LANGSMITH_HOST_PROJECT_ID LANGSMITH_HOST_PROJECT_NAME LANGSMITH_HOST_REVISION_ID LOG_JSON
  LOG_DICT_TRACEBACKS REDIS_URI LANGCHAIN_CALLBACKS_BACKGROUND DD_TRACE_PSYCOPG_ENABLED DD_TRACE_REDIS_ENABLED
  LANGSMITH_DEPLOYMENT_NAME LANGGRAPH_CLOUD_LICENSE_KEY`;
const RESERVED_ON_CLOUD = `
  LANGSMITH_API_KEY LANGSMITH_ENDPOINT POSTGRES_URI_CUSTOM REDIS_URI_CUSTOM PATH PORT MOUNT_PREFIX LSD_ENV LSD_DD_API_KEY
  LSD_DD_ENDPOINT LSD_DEPLOYMENT_TYPE`;

const namesIn = (text: string): readonly string[] => text.trim().split(/\s+/);

/** Names of variables that the platform keeps for itself (docs/internals/platform.md, Environment): everywhere, and on its cloud alone. */
export const RESERVED_NAMES = { everywhere: namesIn(RESERVED), onCloud: namesIn(RESERVED_ON_CLOUD) } as const;

/** What the table of sources says of a place, in whole sentences; empty where it says nothing. */
export function sentencesOf(place: string): string {
  const sentence = (begins: string, placesOf: (row: SourceRow) => readonly string[], ends = ""): readonly string[] => {
    const names = SOURCE_NAMES.filter((name) => placesOf(sourceRow(name)).includes(place));
    return names.length === 0 ? [] : [`${begins} ${listed(names.map(quote), "and")}${ends}.`];
  };
  const either = SOURCE_NAMES.map((name) => sourceRow(name).needsOneOf ?? []).find((all) => all.length > 0) ?? [];
  return [
    ...sentence("Needed by", ({ needs }) => needs),
    ...sentence("For", ({ needsOneOf = [] }) => needsOneOf.flat(), `: ${alternatives(either)}`),
    ...sentence("Refused by", ({ refuses }) => [...refuses.keys()]),
  ].join(" ");
}

const quote = (name: string): string => JSON.stringify(name);

/** `"a", "b" or "c"` */
export const choices = (names: readonly string[]): string => listed(names.map(quote), "or");

/** `imageUri, or sourceTarballPath with langgraphConfigPath`: the places, without the object that they are in. */
export const alternatives = (lists: readonly (readonly ArgumentPlace[])[]): string =>
  lists.map((places) => places.map((place) => place.split(".").at(-1)).join(" with ")).join(", or ");

/** `"a", "b" and "c"` */
export const listed = (names: readonly string[], word: "and" | "or" = "and"): string =>
  names.length < 2 ? names.join("") : `${names.slice(0, -1).join(", ")} ${word} ${names.at(-1) ?? ""}`;
