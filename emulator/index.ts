export { failGraphMarker } from "./agents/builtin-graphs";
export { assistantIdOf, type Action, type Channels, type Graph, type Node } from "./agents/graph";
export type { OwnAgent } from "./agents/options";
export { ManualClock, realClock, type Clock } from "./base/clock";
export { EmulatorError } from "./base/emulator-error";
export { unanswered, type Contract, type Exchange, type Layer, type LogEntry, type Tenant } from "./base/exchange";
export type { FaultInput, FaultKind, FaultPhase } from "./faults/fault";
export { faultKinds } from "./faults/options";
export type { ActiveFault, FaultSwitch, ListedFault } from "./faults/fault-switch";
export type { RetryAfterForm } from "./limits/rate-limiter";
export type { Branch } from "./platform/branches";
export { deployments, type DeploymentRecord } from "./platform/deployment-record";
export type {
  GithubIntegration,
  LateRevision,
  LoggedRevision,
  LogLine,
  NewRevision,
  RevisionOutcome,
} from "./platform/options";
export {
  listeners,
  type ListenerRecord,
  oauthProviders,
  type OAuthProviderRecord,
  sandboxSnapshots,
  type SandboxSnapshotRecord,
  sandboxTemplates,
  type SandboxTemplateRecord,
} from "./platform/resource-records";
export { revisions, type RevisionRecord } from "./platform/revision-record";
export { threads, type ThreadRecord } from "./platform/agent-records";
export { defaultTenantIds } from "./server/options";
export { startEmulator, type Emulator, type EmulatorOptions } from "./start";
export type { CollectionDefinition, StoredRecord } from "./store/collection";
export type { OutOfBand } from "./store/out-of-band";
export { Store } from "./store/store";
