import type { EmulatorOptions, FaultKind } from "../../../emulator";

/** A possible platform, and how the provider is configured for it. */
export interface World {
  readonly name: string;
  readonly why: string;
  readonly emulator: EmulatorOptions;
  readonly settings: Readonly<Record<string, string>>;
  /** Whether a PATCH can be told from one that did not happen: not while its revision is hidden. */
  readonly hidesRevisions?: boolean;
  /** A kind of fault that cannot be told from the truth in this world. */
  readonly without?: FaultKind;
}

const documented = { contract: "documented" } as const;

export const WORLDS: readonly World[] = [
  { name: "extended", why: "the default", emulator: {}, settings: {} },
  { name: "documented", why: "only the documented endpoints", emulator: documented, settings: documented },
  {
    name: "degraded",
    why: "the default configuration at a platform that offers less",
    emulator: documented,
    settings: {},
  },
  {
    name: "small pages",
    why: "lists have several pages, all shorter than requested",
    emulator: { pageSize: 2 },
    settings: {},
    // A short page that comes again and again looks like the whole list of a platform that ignores the offset.
    without: "ignored-offset",
  },
  {
    name: "documented, small pages",
    why: "a list of several pages is all there is",
    emulator: { ...documented, pageSize: 2 },
    settings: documented,
    without: "ignored-offset",
  },
  { name: "old rows", why: "templates without ids", emulator: { oldTemplateRows: true }, settings: {} },
  {
    name: "documented, old rows",
    why: "templates without ids, in lists alone",
    emulator: { ...documented, oldTemplateRows: true },
    settings: documented,
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
];

/** The workspace of the program, and one that another key opens by mistake: it holds objects of the same names. */
export const [OURS, THEIRS] = [
  {
    tenantId: "0f0e7a52-0000-4c0c-9a1e-6d3f0a1b2c01",
    organizationId: "c1d2e3f4-0000-4c2d-8e3f-405162738401",
    apiKey: "our-key",
  },
  {
    tenantId: "0f0e7a52-0000-4c0c-9a1e-6d3f0a1b2c02",
    organizationId: "c1d2e3f4-0000-4c2d-8e3f-405162738402",
    apiKey: "their-key",
  },
] as const;
