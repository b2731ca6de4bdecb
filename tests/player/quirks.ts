import type { EmulatorOptions, FaultInput } from "../../emulator";
import type { AgentServerOptions } from "../support/agent-server";
import type { ObjectType } from "../conformance/cases";

/** What the platform is like for the whole run, and how the provider is configured for it. */
export interface Quirk {
  readonly name: string;
  readonly why: string;
  readonly emulator: EmulatorOptions;
  readonly settings: Readonly<Record<string, string>>;
  /** What befalls every command, and nothing that is done by hand. */
  readonly inCommands?: FaultInput;
  readonly agent?: AgentServerOptions;
  /** The types that can be declared there. @default all */
  readonly types?: readonly ObjectType[];
  /** Of these types, what no answer shows beside what is hidden anyway: paths of the body, or how they begin. */
  readonly hides?: Readonly<Partial<Record<ObjectType, string>>>;
  /** A PATCH cannot be told from one that did not happen while its revision has no name. */
  readonly hidesRevisions?: boolean;
}

/** All that contract "documented" can make. Nothing there can be deleted, and an OAuth provider cannot be read. */
const documented = {
  types: ["SandboxTemplate", "OAuthProvider", "Deployment", "Assistant", "Cron"],
  hides: { OAuthProvider: "" },
} as const;
const ofDocumented = { contract: "documented" } as const;
const lateBy = (ms: number, ...paths: string[]): readonly FaultInput[] =>
  paths.map((path) => ({ kind: "stale-read", agoMs: ms, method: "GET", path }));

export const QUIRKS: readonly Quirk[] = [
  { name: "extended", why: "the default", emulator: {}, settings: {} },
  {
    name: "documented",
    why: "only the documented endpoints",
    emulator: ofDocumented,
    settings: ofDocumented,
    ...documented,
  },
  {
    name: "degraded",
    why: "the default configuration at a platform that offers less",
    emulator: ofDocumented,
    settings: {},
    ...documented,
  },
  {
    name: "small pages",
    why: "lists have several pages, all shorter than requested",
    emulator: { pageSize: 2 },
    settings: {},
  },
  {
    name: "documented, small pages",
    why: "a list of several pages is all there is",
    emulator: { ...ofDocumented, pageSize: 2 },
    settings: ofDocumented,
    ...documented,
  },
  { name: "old rows", why: "templates without ids", emulator: { oldTemplateRows: true }, settings: {} },
  {
    name: "documented, old rows",
    why: "templates without ids, in lists alone",
    emulator: { ...ofDocumented, oldTemplateRows: true },
    settings: ofDocumented,
    ...documented,
  },
  {
    name: "late revisions",
    why: "a PATCH is answered with the revision before it",
    emulator: { lateRevision: { ms: 3000, names: "the one before" } },
    settings: {},
    hidesRevisions: true,
  },
  {
    name: "late revisions, null",
    why: "a POST or a PATCH is answered before its revision has a name",
    emulator: { lateRevision: { ms: 3000, names: "none" }, nullLatestRevisionMs: 2000 },
    settings: {},
    hidesRevisions: true,
  },
  {
    name: "fresh revisions",
    why: "a revision is not found just after it is named, and the old one counts as active just after the new one serves",
    emulator: { freshRevision404Ms: 1500, staleActiveMs: 3000 },
    settings: {},
  },
  { name: "numeric cpu", why: "a cpu of whole cores is a number", emulator: { numericCpu: true }, settings: {} },
  {
    name: "names only",
    why: "answers show of a secret its name alone, as older versions do, and no command",
    emulator: { secrets: "names", hideCommands: true },
    settings: {},
    hides: { Deployment: "secrets." },
  },
  {
    name: "a name twice",
    why: "the platform takes a second deployment of a name",
    emulator: { sameNames: true },
    settings: {},
  },
  {
    name: "late lists",
    why: "lists show a change two seconds late",
    emulator: {
      faults: lateBy(2000, "/v2/deployments", "/v2/listeners", "/v2/sandboxes/templates", "/v2/sandboxes/registries"),
    },
    settings: {},
  },
  {
    name: "busy",
    why: "one request of ten is refused for a second",
    emulator: {},
    settings: {},
    inCommands: { kind: "status", status: 429, retryAfter: 1, probability: 0.1 },
  },
  {
    name: "older agent",
    why: "an agent server that ignores the filter of a search for crons",
    emulator: {},
    settings: {},
    agent: { filtersCrons: false },
  },
];
