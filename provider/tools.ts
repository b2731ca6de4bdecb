// What the command line uses of the provider: all of it. It imports no other file of it.

export { addressProblem, isInsecure, spellingsOf, urlProblem } from "./base/address";
export { type Clock, realClock } from "./base/clock";
export {
  type Checks,
  type Connection,
  keyOfEnvironment,
  resolveConnection,
  type SettingSource,
} from "./base/connection";
export {
  AgentPlatformError,
  ArgumentError,
  HttpError,
  isArgumentError,
  isHttpError,
  isNotFound,
  isNotOffered,
  isTransportError,
  messageOf,
  TransportError,
} from "./base/errors";
export { shellWord } from "./base/shell";
export { hasUnknown, isObject, isParsedJson, type Json, type JsonObject, parseJson, UNKNOWN } from "./base/json";
export { noteSecrets } from "./base/masker";
export { nearest } from "./base/nearest";
export { lastStates, plainText, STEERING, withoutEnd } from "./base/plain-text";
export { SECRET_SIGNATURE, SIGNATURE } from "./base/engine-format";
export {
  configKey,
  environmentName,
  NAMESPACE,
  PLUGIN_SETTING,
  type Setting,
  SETTING_ROWS,
  settingRow,
  SETTINGS,
} from "./base/settings";
export { durationMs, instantOf, showDuration } from "./base/time";
export { nameInUrn, typeOf } from "./base/engine-format";
export { isUuid } from "./base/uuid";
export { packageFile, version } from "./base/version";
export { isAtLeast, parseVersion } from "./base/version";
export { vouchesFor } from "./base/vouched";
export { matchesWildcard } from "./base/wildcard";
export { createSend } from "./http/client";
export type { Send } from "./http/request";
export type { Defined } from "./lifecycle/defined";
export { changesBetween } from "./lifecycle/fields/diff";
export { type FieldRule, type FieldRules, type Path, ruleAt, withoutProviderOnly } from "./lifecycle/fields/fields";
export {
  type ExpectedRefusals,
  type InputsSchema,
  type Problem,
  problemsOf,
  showProblem,
} from "./lifecycle/fields/schema";
export { readSecretData, type SecretChange, secretData } from "./lifecycle/fields/secret-names";
export {
  type Field,
  inputRows,
  isNamedByPulumi,
  pluralOf,
  rulesOf,
  type Shape,
  type Table,
} from "./lifecycle/fields/table";
export { ORIGIN, originOf } from "./lifecycle/identity/origin";
export type { Log } from "./lifecycle/observe/context";
export { declarationOf, type FilledIn } from "./lifecycle/observe/shortest-declaration";
export { type Observation, observe } from "./lifecycle/observe/observation";
export { findByKey } from "./lifecycle/observe/reader";
export { Workspaces } from "./lifecycle/observe/workspace";
export { NOTHING, perhaps, type Plan, type PlannedRequest } from "./lifecycle/plan";
export { createSession } from "./lifecycle/session";
export { inputsFromState, migrateState, pickInputs, UNREAD, withoutHidden } from "./lifecycle/state";
export { openOperator } from "./operating";
export { type ConnectionSource, openClient } from "./functions/platform-client";
export {
  type LogKind,
  type RevisionLogEntry,
  openPlatform,
  type PlatformReader,
  readerOf,
  type ReadObject,
} from "./functions/reading";
export { isBeingDeleted } from "./resources/deployment/observe";
export { takesNewestServer } from "./resources/deployment/sources";
export { RESOURCES } from "./resources/registry";
export {
  dynamicToken,
  MANAGED_TYPES,
  type ManagedType,
  nativeToken,
  objectPlaceOf,
  RESOURCE_TYPES,
  type ResourceType,
  resourceTypeOf,
} from "./resources/resource-types";
export { isEnding, meaningOf } from "./resources/rollout/classify";
export { AgentClient, type AgentClientOptions, loadTransport } from "./streaming/client";
export { RunError, type RunIdentity, StreamError } from "./streaming/errors";
export {
  eventOf,
  hasTag,
  isFromNode,
  type ModeEvent,
  nodeOf,
  type RunEvent,
  STREAM_MODES,
  type StreamMode,
  textOf,
} from "./streaming/events";
export type { RunStream } from "./streaming/run-stream";
