import { ApiError, wrong } from "../base/api-error";
import { withoutNulls } from "./nulls";
import { DEPLOYMENT_TYPES, rowOf, SOURCES, type SourceRow } from "./source-table";

type Fields = Readonly<Record<string, unknown>>;

/** The parts of a request that the rules of its source look at. */
export interface SourceRequest {
  readonly source_config?: Fields | null | undefined;
  readonly source_revision_config?: Fields | null | undefined;
  readonly secrets?: readonly { readonly name: string }[] | null | undefined;
  readonly secret_references?: readonly { readonly name: string }[] | null | undefined;
}

const isGiven = (fields: Fields | null | undefined, name: string): boolean => (fields?.[name] ?? null) !== null;

/** A create: 422 for an unknown source or deployment type, 400 for a field that is missing or does not belong to the source. */
export function checkCreate(source: string, request: SourceRequest): void {
  const row = rowOf(source);
  if (row === undefined) throw notOneOf(["body", "source"], SOURCES);
  const type = request.source_config?.["deployment_type"];
  if (isGiven(request.source_config, "deployment_type") && !DEPLOYMENT_TYPES.includes(String(type))) {
    throw notOneOf(["body", "source_config", "deployment_type"], DEPLOYMENT_TYPES);
  }
  for (const name of row.source_config.needs) {
    if (!isGiven(request.source_config, name)) throw new ApiError(400, `${source} requires ${name}`);
  }
  const missing = missingFields(row, request.source_revision_config);
  if (missing !== undefined) throw new ApiError(400, `${source} requires ${missing}`);
  checkFields(source, row, request);
  checkTag(request.source_config, request.source_revision_config);
}

/** A PATCH or a new revision: 422 for an unknown source, 400 for a field that does not belong to the source, or not to what is live. */
export function checkChange(source: string, request: SourceRequest, live: SourceRequest): void {
  const row = rowOf(source);
  if (row === undefined) throw notOneOf(["body", "revision_source"], SOURCES);
  checkFields(source, row, request);
  checkTag(
    { ...live.source_config, ...given(request.source_config) },
    { ...live.source_revision_config, ...given(request.source_revision_config) },
  );
}

/** The first alternative's missing fields in words; undefined where one alternative is complete. */
function missingFields({ source_revision_config: { needs, mayFollow } }: SourceRow, sent: Fields | null | undefined) {
  if (mayFollow === true && Object.keys(given(sent)).length === 0) return undefined;
  const missing = needs.map((names) => names.filter((name) => !isGiven(sent, name)));
  if (missing.some((names) => names.length === 0)) return undefined;
  return missing.map((names) => names.join(" and ")).join(", or ");
}

/** The rules that hold for every request. */
function checkFields(source: string, row: SourceRow, request: SourceRequest): void {
  for (const part of ["source_config", "source_revision_config"] as const) {
    const refused = row[part].refuses.find((name) => isGiven(request[part], name));
    if (refused !== undefined) throw new ApiError(400, `${source} does not take ${refused}`);
  }
  const references = request.secret_references ?? [];
  if (references.length > 0 && !row.takesSecretReferences) {
    throw new ApiError(400, `${source} does not take secret_references`);
  }
  const reserved = [...(request.secrets ?? []), ...references].find(({ name }) => isReserved(name, row.onTheCloud));
  if (reserved !== undefined) throw new ApiError(400, `Environment variable ${reserved.name} is reserved`);
}

function checkTag(config: Fields | null | undefined, revision: Fields | null | undefined): void {
  const ref = revision?.["repo_ref"];
  if (config?.["build_on_push"] !== true || typeof ref !== "string" || !ref.startsWith("refs/tags/")) return;
  throw new ApiError(400, "build_on_push cannot be enabled for a tag");
}

const given = (fields: Fields | null | undefined): Fields => withoutNulls(fields ?? {});

function notOneOf(loc: readonly string[], choices: readonly string[]): ApiError {
  const listed = choices.map((choice) => `'${choice}'`).join(", ");
  return wrong(loc, `Input should be ${listed}`, "literal_error");
}

/** Names of variables that no source takes (docs/internals/platform.md, Environment). */
const EVERYWHERE = new Set(
  [
    "LANGCHAIN_TRACING_V2 LANGSMITH_TRACING_V2 LANGCHAIN_ENDPOINT LANGCHAIN_PROJECT LANGSMITH_PROJECT",
    "LANGSMITH_LANGGRAPH_GIT_REPO LANGGRAPH_GIT_REPO_PATH LANGCHAIN_API_KEY LANGSMITH_CONTROL_PLANE_API_KEY",
    "POSTGRES_URI POSTGRES_PASSWORD DATABASE_URI LANGSMITH_LANGGRAPH_GIT_REF LANGSMITH_LANGGRAPH_GIT_REF_SHA",
    "LANGGRAPH_AUTH_TYPE LANGSMITH_AUTH_ENDPOINT LANGSMITH_TENANT_ID LANGSMITH_AUTH_VERIFY_TENANT_ID",
    "LANGSMITH_HOST_PROJECT_ID LANGSMITH_HOST_PROJECT_NAME LANGSMITH_HOST_REVISION_ID LOG_JSON",
    "LOG_DICT_TRACEBACKS REDIS_URI LANGCHAIN_CALLBACKS_BACKGROUND DD_TRACE_PSYCOPG_ENABLED",
    "DD_TRACE_REDIS_ENABLED LANGSMITH_DEPLOYMENT_NAME LANGGRAPH_CLOUD_LICENSE_KEY",
  ].flatMap((line) => line.split(" ")),
);

/** Names that the cloud reserves beside those. */
const ON_THE_CLOUD = new Set(
  [
    "LANGSMITH_API_KEY LANGSMITH_ENDPOINT POSTGRES_URI_CUSTOM REDIS_URI_CUSTOM PATH PORT MOUNT_PREFIX LSD_ENV",
    "LSD_DD_API_KEY LSD_DD_ENDPOINT LSD_DEPLOYMENT_TYPE",
  ].flatMap((line) => line.split(" ")),
);

const isReserved = (name: string, onTheCloud: boolean): boolean =>
  EVERYWHERE.has(name) || (onTheCloud && ON_THE_CLOUD.has(name));
