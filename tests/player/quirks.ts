import type { EmulatorOptions, FaultInput } from "../../emulator";
import type { AgentServerOptions } from "../support/agent-server";
import { PLAYED, type ObjectType } from "../conformance/cases";
import { canRepeat, isOfAgent, TYPES } from "./declarations";
import type { Program } from "./play";

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
  /** Its stacks have no keys, as with dynamic resources; and what one command has made is old when the next one comes. */
  readonly isKeyless?: true;
  /** A program there has a second stack. */
  readonly beside?: Program["beside"];
  /** A PATCH cannot be told from one that did not happen while its revision has no name. */
  readonly hidesRevisions?: boolean;
}

/** All that contract "documented" can make. Nothing there can be deleted, and an OAuth provider cannot be read. */
const lessOffered = {
  types: ["SandboxTemplate", "OAuthProvider", "Deployment", "Assistant", "Cron"],
  hides: { OAuthProvider: "" },
} as const;
const ofDocumented = { contract: "documented" } as const;
const documented = { settings: ofDocumented, ...lessOffered };
const lateLists = [...new Set(TYPES.filter((type) => !isOfAgent(type)).map((type) => PLAYED[type].path))].map(
  (path): FaultInput => ({ kind: "stale-read", agoMs: 2000, method: "GET", path }),
);
const quirk = (name: string, why: string, emulator: EmulatorOptions = {}, more: Partial<Quirk> = {}): Quirk => {
  return { name, why, emulator, settings: {}, ...more };
};

export const QUIRKS: readonly Quirk[] = [
  quirk("extended", "the default"),
  quirk("documented", "only the documented endpoints", ofDocumented, documented),
  quirk("degraded", "the default configuration at a platform that offers less", ofDocumented, lessOffered),
  quirk("small pages", "lists have several pages, all shorter than requested", { pageSize: 2 }),
  quirk(
    "documented, small pages",
    "a list of several pages is all there is",
    { ...ofDocumented, pageSize: 2 },
    documented,
  ),
  quirk("offsets", "lists have no cursors, as in older versions", { offsetsOnly: true, pageSize: 2 }),
  quirk("old rows", "templates without ids", { oldTemplateRows: true }),
  quirk(
    "documented, old rows",
    "templates without ids, in lists alone",
    { ...ofDocumented, oldTemplateRows: true },
    documented,
  ),
  quirk(
    "late revisions",
    "a PATCH is answered with the revision before it",
    { lateRevision: { ms: 3000, names: "the one before" } },
    { hidesRevisions: true },
  ),
  quirk(
    "late revisions, null",
    "a POST or a PATCH is answered before its revision has a name",
    { lateRevision: { ms: 3000, names: "none" }, nullLatestRevisionMs: 2000 },
    { hidesRevisions: true },
  ),
  quirk(
    "fresh revisions",
    "a revision is not found just after it is named, and the old one counts as active just after the new one serves",
    { freshRevision404Ms: 1500, staleActiveMs: 3000 },
  ),
  quirk("numeric cpu", "a cpu of whole cores is a number", { numericCpu: true }),
  quirk(
    "names only",
    "answers show of a secret its name alone, as older versions do, and no command",
    { secrets: "names", hideCommands: true },
    { hides: { Deployment: "secrets." } },
  ),
  quirk("a name twice", "the platform takes a second deployment of a name", { sameNames: true }),
  quirk("late lists", "lists show a change two seconds late", { faults: lateLists }),
  quirk("documented, late lists", "a late list is all there is", { ...ofDocumented, faults: lateLists }, documented),
  quirk("busy", "one request of ten is refused for a second", undefined, {
    inCommands: { kind: "status", status: 429, retryAfter: 1, probability: 0.1 },
  }),
  quirk("no keys", "two backends with one name and dynamic resources: their own keys are the same", undefined, {
    isKeyless: true,
    types: TYPES.filter(canRepeat),
    beside: "another backend",
  }),
  quirk("older agent", "an agent server that ignores the filter of a search for crons", undefined, {
    agent: { filtersCrons: false },
  }),
];
